import type { Approvable, Outcome } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type Returned, sealReturned } from '#processing/attempts/conclude.ts'
import { findBySubject } from '#processing/attempts/history.ts'
import * as attempts from '#processing/attempts/store.ts'
import { dueIfLeft, isOnItsWay } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { concludePayment } from '../conclude/conclude.ts'
import { lockWithAttempt } from '../find.ts'
import { isBuyerAsked } from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import { audit } from '../tell.ts'
import { doWhatIsQueued, resolvePayment } from './resolve.ts'

/** A provider may use one reference for several operations, so the kind is part of the search. */
const KINDS = {
  authorization: 'authorize',
  capture: 'capture',
  void: 'void',
  cancel: 'cancel',
  refund: 'refund',
  increment: 'increment',
  payout: 'payout',
} as const

/**
 * Some providers have one word where we have two: they cancel what waits and what is held. And a sale that is not wanted is
 * voided by a refund.
 */
const OTHER_KINDS: Partial<Record<Outcome['about'], attempts.PaymentAttempt['kind']>> = {
  void: 'cancel',
  refund: 'void',
}

/**
 * Takes an outcome from a provider. Returns whether we know the attempt, and can take it now. A decided attempt stays as it is.
 */
export async function takeNotification(
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  { answer, about, ...subject }: Outcome,
): Promise<boolean> {
  const found = await findAttempt(scope, paymentServiceId, { answer, about, ...subject })
  if (!found) return false
  const attempt = attempts.ofPayment(found)
  const isNews = attempt.due_at !== null || attempt.state !== answer.outcome
  if (!isNews) return true
  // The request that asks hears the same, and may go on to another service. It is told again if that request has died.
  if (isRefusalOf(attempt, answer) && isOnItsWay(attempt, scope.clock)) return false
  const { transaction } = await inTransaction(scope, async (tx) => {
    const concluded = await concludePayment(tx, engine, { attempt, answer })
    if (concluded.isNews) await audit(tx, 'updated', concluded.transaction)
    const context = { payment_service_id: paymentServiceId, about, status: answer.outcome }
    await transactionEvents.record(tx, attempt.transaction_id, [
      { name: 'payment-connector-transaction-webhook-processed', context },
    ])
    return concluded
  })
  // Redeems the gift cards, or gives back what they paid, at once.
  if (transaction.has_gift_card_redemptions) await doWhatIsQueued(scope, engine, transaction.id)
  return true
}

function isRefusalOf({ kind }: attempts.PaymentAttempt, { outcome }: Outcome['answer']): boolean {
  return kind === 'authorize' && (outcome === 'declined' || outcome === 'failed')
}

async function findAttempt(
  scope: Scope,
  serviceId: string,
  { answer, about, ...subject }: Outcome,
): Promise<attempts.Attempt | undefined> {
  const found = await findBySubject(scope, { serviceId, subject, kind: KINDS[about] })
  const kind = OTHER_KINDS[about]
  if (found || kind === undefined) return found
  // The payment alone does not say which of its attempts is meant, and what is decided otherwise is another one.
  const exact = { reference: subject.reference, attemptId: subject.attemptId ?? null }
  const other = await findBySubject(scope, { serviceId, subject: exact, kind })
  return other && (other.due_at !== null || other.state === answer.outcome) ? other : undefined
}

/**
 * A provider says that the buyer has approved, who may never come back to us. Returns whether we know the payment. Until the
 * answer is on record that asked for the approval, we do not.
 */
export async function takeApproval(
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  subject: Approvable,
): Promise<boolean> {
  const found = await findBySubject(scope, { serviceId: paymentServiceId, subject, kind: 'authorize' })
  if (!found) return false
  if (found.due_at === null) return true
  if (found.state !== 'pending') return false
  await complete(scope, engine, attempts.ofPayment(found), null)
  return true
}

/**
 * Asks the provider to finish an authorization that the buyer has approved. The first commit keeps what the buyer brought
 * back, so that the job can go on with it if this process dies or the answer is lost. Null: the provider told us of the
 * approval, and the buyer has not come back. A decided payment stays as it is.
 */
export async function complete(
  scope: Scope,
  engine: Engine,
  attempt: attempts.PaymentAttempt,
  returned: Returned | null,
): Promise<void> {
  const begun = await inTransaction(scope, async (tx) => {
    const locked = await lockWithAttempt(tx, attempt)
    if (!locked || !isBuyerAsked(locked.transaction) || locked.attempt.due_at === null) return undefined
    const { attempt: current } = locked
    // A buyer who opens the page again without parameters must not undo the first visit.
    const isEmpty = returned === null || Object.keys(returned).length === 0
    const isKept = current.returned !== null && isEmpty
    return attempts.change(tx, current, {
      state: current.state,
      due_at: dueIfLeft(tx.clock(), engine.providers.timeoutMs),
      may_complete: true,
      ...(!isKept && { returned: returned && sealReturned(engine.secrets, current, returned) }),
    })
  })
  if (begun) await resolvePayment(scope, engine, begun)
}
