import type { Context, Scope, Tx } from '#platform/db.ts'
import type { Decided } from '#processing/attempts/answer.ts'
import { adviceAgainstRetry } from '#processing/scheme-advice.ts'
import * as transactionEvents from '../events/store.ts'
import type { Row } from '../store.ts'
import * as advices from './store.ts'

/** Schemes charge for retries within this time. */
const STOPPED_MS = 30 * 24 * 3_600_000
const NAME = 'scheme-advice-do-not-retry'

/** Records a scheme's advice from an answer. After such advice no other payment service is asked. */
export async function noteAdvice(tx: Scope<Tx>, row: Row, answer: Decided): Promise<void> {
  const { payment_method_fingerprint: fingerprint, payment_method_scheme: scheme } = row
  const advice = adviceAgainstRetry(scheme, answer)
  if (!advice || fingerprint === null) return
  const { id, amount, currency, merchant_initiated } = row
  await advices.insert(tx, {
    fingerprint,
    transaction_id: id,
    amount,
    currency,
    merchant_initiated,
    ...advice,
  })
  const context = { stops: 'next_payment_service', scheme, ...advice, advised_transaction_id: id }
  await transactionEvents.record(tx, id, [{ name: NAME, context }])
}

/**
 * The event of a payment that must not be made, because of the scheme's advice about an earlier one with the
 * same card. A scheme's own code stops payments without the buyer, and the same amount again. A response code
 * of Visa, which counts the buyer's and the merchant's payments apart, stops merchant-initiated payments
 * after a merchant-initiated one.
 */
export async function findStop(scope: Scope, row: Row): Promise<transactionEvents.NewEvent | undefined> {
  const { payment_method_fingerprint: fingerprint, payment_method_scheme: scheme } = row
  if (fingerprint === null) return undefined
  const since = new Date(scope.clock().getTime() - STOPPED_MS)
  const said = (await advices.listOf(scope, fingerprint, since)).find((advice) =>
    advice.kind === 'merchant_advice_code'
      ? row.merchant_initiated || (advice.amount === row.amount && advice.currency === row.currency)
      : row.merchant_initiated && advice.merchant_initiated,
  )
  if (!said) return undefined
  const { kind, code, transaction_id: advised_transaction_id, created_at } = said
  const until = new Date(created_at.getTime() + STOPPED_MS).toISOString()
  return { name: NAME, context: { stops: 'payment', scheme, kind, code, advised_transaction_id, until } }
}

export function forgetAdvices(context: Context): Promise<void> {
  return advices.removeOlder(context, new Date(context.clock().getTime() - STOPPED_MS))
}

export async function nextToForgetAt(context: Context): Promise<Date | null> {
  const oldest = await advices.oldest(context)
  return oldest && new Date(oldest.getTime() + STOPPED_MS)
}
