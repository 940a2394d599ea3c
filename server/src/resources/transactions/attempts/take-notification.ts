import type { Notification } from '#connectors/contract/connector.ts'
import { inTransaction, type Scope } from '#platform/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { concludePayment } from '../conclusions/conclude.ts'
import { recordOutcome } from '../conclusions/record-outcome.ts'
import * as transactionEvents from '../events/store.ts'
import { doWhatIsQueued } from './resolve.ts'

type Read = Extract<Notification, { outcome: 'read' }>

/** A provider may give several things one reference, so that what it tells of counts as well. */
const KINDS = { authorization: 'authorize', capture: 'capture', void: 'void', refund: 'refund' } as const

/** A provider tells how something ended. Returns whether it is known: what is decided already stays as it is. */
export async function takeNotification(
  scope: Scope,
  engine: Engine,
  paymentServiceId: string,
  { reference, answer, about }: Read,
): Promise<boolean> {
  if (about === 'payout') return false
  const kind = KINDS[about]
  const attempt = await attempts.findByReference(scope, { serviceId: paymentServiceId, reference, kind })
  if (!attempt) return false
  const isNews = attempt.due_at !== null || attempt.state !== answer.outcome
  if (!isNews) return true
  const { transaction } = await inTransaction(scope, async (tx) => {
    const concluded = await concludePayment(tx, engine, { attempt, answer })
    if (concluded.isNews) await recordOutcome(tx, concluded.transaction)
    const context = { payment_service_id: paymentServiceId, about, status: answer.outcome }
    await transactionEvents.record(tx, attempt.transaction_id, [
      { name: 'payment-connector-transaction-webhook-processed', context },
    ])
    return concluded
  })
  // Gift cards get back at once what they paid, or pay their part now.
  if (transaction.has_gift_card_redemptions) await doWhatIsQueued(scope, engine, transaction.id)
  return true
}
