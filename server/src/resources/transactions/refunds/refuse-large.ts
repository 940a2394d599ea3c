import type { Caller } from '#platform/auth.ts'
import type { Scope } from '#platform/db.ts'
import { refuseOldProof } from '#platform/fresh-proof.ts'
import { refundable } from '../state.ts'
import * as transactions from '../store.ts'

/** In the smallest unit of the currency, whichever it is. */
const LIMIT_DEFAULT = 50_000

export type RefundLimit = { readonly refundStepUpAmount?: number }

type Wanted = {
  readonly caller: Caller
  readonly transactionId: string
  /** Null: all that is left. */
  readonly amount?: number | null | undefined
}

/** A user who refunds much must have proved within the last minutes who they are. Tokens are not asked. */
export async function refuseLarge(
  scope: Scope,
  { refundStepUpAmount: limit = LIMIT_DEFAULT }: RefundLimit,
  { caller, transactionId, amount }: Wanted,
): Promise<void> {
  if (!caller.session) return
  const transaction = typeof amount === 'number' ? undefined : await transactions.find(scope, transactionId)
  const wanted = amount ?? (transaction ? refundable(transaction) : 0)
  if (wanted > limit) refuseOldProof(caller, scope.clock)
}
