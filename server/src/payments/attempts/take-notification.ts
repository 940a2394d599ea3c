import type { Outcome } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { isOnItsWay } from '#processing/attempts/due.ts'
import { findBySubject } from '#processing/attempts/find-by-subject.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { concludePayment } from '../conclude/conclude.ts'
import { recordOutcome } from '../conclude/record-outcome.ts'
import * as transactionEvents from '../store/events.ts'
import { doWhatIsQueued } from './resolve.ts'

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
    if (concluded.isNews) await recordOutcome(tx, concluded.transaction)
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
