import { disputeOf, unansweredEndOf, write } from './aftermath.ts'
import { DISPUTE_REASONS, type DisputeReason, reasonOf } from './fates.ts'
import { lockAuthorization, type Office } from './processor.ts'
import { BadRequest, type Body, flag, isOneOf, readAttemptId } from './requests.ts'
import { balanceOf } from './rules.ts'
import type { Entry } from './store.ts'
import * as store from './store.ts'

export type DisputeRequest = {
  readonly attemptId: string
  readonly merchantId: string
  /** Of the authorization. */
  readonly reference: string
  readonly stage: 'chargeback' | 'reversal'
  /** Null: all that can be. */
  readonly amount: number | null
  /** Null: as the chargeback has it. */
  readonly reason: DisputeReason | null
  readonly isTold: boolean
}

export type Disputed =
  | { readonly result: 'entry'; readonly entry: Entry }
  | { readonly result: 'unknown_reference' | 'not_captured' | 'no_chargeback' }
  /** More than is left. */
  | { readonly result: 'over_captured' | 'over_chargeback'; readonly left: number }

export function readDispute(merchantId: string, body: Body): DisputeRequest {
  const { reference, stage, amount = null, reason = null } = body
  if (typeof reference !== 'string') throw new BadRequest('reference')
  if (!isOneOf(stage, ['chargeback', 'reversal'])) throw new BadRequest('stage')
  if (reason !== null && !isOneOf(reason, DISPUTE_REASONS)) throw new BadRequest('reason')
  if (amount !== null && !(typeof amount === 'number' && Number.isInteger(amount) && amount > 0)) {
    throw new BadRequest('amount')
  }
  return {
    attemptId: readAttemptId(body['attempt_id']),
    merchantId,
    reference,
    stage,
    amount,
    reason,
    isTold: flag(body, 'tell_disputes'),
  }
}

/** A buyer's bank takes a payment back, or gives it back, at once. Under the lock of the authorization. */
export function dispute(office: Office, request: DisputeRequest): Promise<Disputed> {
  return store.inTransaction(office.pool, async (tx) => {
    const root = await lockAuthorization(tx, request)
    if (!root) return { result: 'unknown_reference' }
    const known = await store.find(tx, request.attemptId)
    if (known) return isOf(root, known) ? { result: 'entry', entry: known } : { result: 'unknown_reference' }
    const now = office.clock()
    return request.stage === 'chargeback'
      ? chargeBack(tx, root, request, now)
      : reverse(tx, root, request, now)
  })
}

async function chargeBack(
  tx: store.Tx,
  root: Entry,
  { attemptId, amount, reason, isTold }: DisputeRequest,
  now: Date,
): Promise<Disputed> {
  const { captured } = balanceOf(root, await store.sums(tx, root.reference, now))
  const disputes = await store.listDisputes(tx, root.reference)
  const taken = disputes.reduce(
    (sum, { operation, amount }) => sum + (operation === 'chargeback' ? amount : 0),
    0,
  )
  if (captured === 0) return { result: 'not_captured' }
  const left = Math.max(0, captured - taken)
  if (left === 0 || (amount ?? left) > left) return { result: 'over_captured', left }
  const entry = disputeOf(root, {
    attemptId,
    operation: 'chargeback',
    subjectReference: root.reference,
    amount: amount ?? left,
    reason: reason ?? 'fraudulent',
    at: now,
  })
  await write(tx, entry, { isTold })
  await write(tx, unansweredEndOf(entry), { isTold })
  return { result: 'entry', entry }
}

/** Of the last chargeback that has taken effect and was not reversed. */
async function reverse(
  tx: store.Tx,
  root: Entry,
  { attemptId, amount, reason, isTold }: DisputeRequest,
  now: Date,
): Promise<Disputed> {
  const disputes = await store.listDisputes(tx, root.reference)
  const isReversed = (chargeback: Entry) =>
    disputes.some(
      ({ operation, subjectReference }) =>
        operation === 'chargebackReversal' && subjectReference === chargeback.reference,
    )
  const chargeback = disputes.findLast(
    (entry) =>
      entry.operation === 'chargeback' &&
      !isReversed(entry) &&
      entry.endedAt !== null &&
      entry.endedAt <= now,
  )
  if (!chargeback) return { result: 'no_chargeback' }
  const left = chargeback.amount
  if ((amount ?? left) > left) return { result: 'over_chargeback', left }
  const entry = disputeOf(root, {
    attemptId,
    operation: 'chargebackReversal',
    subjectReference: chargeback.reference,
    amount: amount ?? left,
    reason: reason ?? reasonOf(chargeback),
    at: now,
  })
  await store.removeFuture(tx, chargeback.reference, now)
  await write(tx, entry, { isTold })
  return { result: 'entry', entry }
}

function isOf(root: Entry, known: Entry | 'closed'): known is Entry {
  return (
    known !== 'closed' && known.authorizationReference === root.reference && known.subjectReference !== null
  )
}
