import type { SyncAnswer } from '#connectors/contract/connector.ts'
import { endOfExpiration, parseExpiration } from '#domain/card.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import { type Advice, adviceIn } from '#processing/scheme-rules.ts'
import * as retryPolicies from '#resources/flows/retry-policy/store.ts'
import * as transactionEvents from '../events/store.ts'
import type { StoredTransaction } from '../store.ts'
import { ADVICE_EVENT, MONTH_MS } from './objection.ts'
import * as cardDeclines from './store.ts'

type Noted = {
  readonly attempt: PaymentAttempt
  readonly answer: SyncAnswer
  /** Whether another attempt follows. */
  readonly isGoingOn: boolean
}

/** Records a decline for the rules of the card's scheme, and the scheme's advice in the history of the payment. */
export async function noteDecline(
  tx: Scope<Tx>,
  transaction: StoredTransaction,
  { attempt, answer, isGoingOn }: Noted,
): Promise<void> {
  const { payment_method_fingerprint: fingerprint, payment_method_scheme: scheme, document } = transaction
  const advice = adviceIn(scheme, answer)
  const isDecline = answer.outcome === 'declined'
  if (fingerprint === null || (!isDecline && !advice)) return
  const { id, amount, currency, merchant_initiated } = transaction
  const { kind = null, code = null } = advice ?? {}
  const expirationDate = document.payment_method?.expiration_date ?? null
  await cardDeclines.insert(tx, {
    fingerprint,
    attempt_id: attempt.id,
    transaction_id: id,
    expiration_date: expirationDate,
    instrument_type: attempt.instrument_type ?? document.instrument_type,
    scheme,
    merchant_initiated,
    amount,
    currency,
    is_decline: isDecline,
    kind,
    code,
    forget_at: forgetAt(tx.clock(), advice, expirationDate),
  })
  if (!advice) return
  const isFree = isGoingOn || (await retryPolicies.find(tx))?.mode === 'warn'
  const stops = isFree ? 'nothing' : 'next_payment_service'
  const context = { stops, scheme, kind, code, action: advice.action, advised_transaction_id: id }
  await transactionEvents.record(tx, id, [{ name: ADVICE_EVENT, context }])
}

/** Every limit looks back for a month at most. A card that must never be tried again is remembered until it has expired. */
function forgetAt(now: Date, advice: Advice | undefined, expirationDate: string | null): Date {
  const month = new Date(now.getTime() + MONTH_MS)
  const expiration = advice?.action === 'never' ? parseExpiration(expirationDate ?? '') : undefined
  const end = expiration && endOfExpiration(expiration)
  return end && end > month ? end : month
}
