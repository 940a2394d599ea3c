import type { Approval } from '#connectors/contract/connector.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Engine } from '../engine.ts'
import type { Open, Told } from './answer.ts'
import type { Attempt } from './store.ts'

/** What a buyer's browser brought back from the provider: parameters of the address and of a form. */
export type Returned = Readonly<Record<string, string>>

/** An approval that needs a page of ours. */
export type ShownApproval = Exclude<Approval, { kind: 'redirect' }>

type Kept = Pick<Attempt, 'id' | 'returned' | 'approval'>

export function sealReturned({ seal }: Secrets, { id }: Kept, returned: Returned): Buffer {
  return seal('returned', id, JSON.stringify(returned))
}

/** Null if the buyer has not come back. */
export function openReturned({ open }: Secrets, { id, returned }: Kept): Returned | null {
  return returned && JSON.parse(open('returned', id, returned))
}

/** Null if the provider has an address of its own for the buyer. */
export function openApproval({ open }: Secrets, { id, approval }: Kept): ShownApproval | null {
  return approval && JSON.parse(open('approval', id, approval))
}

/**
 * How an attempt changes by an answer that leaves it open. If the provider still waits for the buyer, then what the buyer
 * brought back is used up.
 */
export function approvalIn(
  { secrets }: Engine,
  attempt: Attempt,
  answer: Open<Told>,
): Partial<Pick<Attempt, 'may_complete' | 'returned' | 'approval'>> {
  if (answer.outcome !== 'approval_required') return {}
  const { approval } = answer
  const isShown = approval.kind !== 'redirect'
  return {
    ...(attempt.may_complete && { may_complete: false, returned: null }),
    ...(isShown && { approval: secrets.seal('approval', attempt.id, JSON.stringify(approval)) }),
    ...(!isShown && attempt.approval && { approval: null }),
  }
}
