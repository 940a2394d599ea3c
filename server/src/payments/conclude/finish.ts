import type { Facts, ThreeDSecureReport } from '#connectors/contract/connector.ts'
import { WRITTEN } from '#domain/written-forms.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import type { Decided } from '#processing/attempts/conclude.ts'
import * as attempts from '#processing/attempts/store.ts'
import { dueIfLeft, type PaymentAttempt } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as buyers from '#resources/buyers/store.ts'
import {
  forgetCard as forgetSessionCard,
  forgetCode as forgetSessionCode,
} from '#resources/checkout/sessions/forget-card.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import * as events from '#resources/events/store.ts'
import { queueProvision } from '#resources/payment-methods/network-tokens/queue-provision.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import * as uses from '#resources/payment-methods/uses/store.ts'
import type { TransactionThreeDSecureSummary } from '#resources/transactions/wire/three-d-secure.ts'
import type { Vault } from '#vault'
import {
  forgetNumbers,
  giveBack,
  isGiftCardsOnly,
  keepRedeemed,
  reverseAll,
  skipRest,
} from '../gift-cards/redemptions.ts'
import { toCapture } from '../show.ts'
import * as state from '../state.ts'
import { type AntiFraud, FAILED, isHeldBack, isRejected } from '../state.ts'
import * as captures from '../store/captures.ts'
import * as cards from '../store/cards.ts'
import * as transactionEvents from '../store/events.ts'
import type { Outcome, StoredTransaction } from '../store/payments.ts'
import * as transactions from '../store/payments.ts'
import { audit, recordStatus, tellStatus } from '../tell.ts'

/** An attempt with the answer that decides it, and its payment before that. */
export type DecidedAttempt = {
  readonly transaction: StoredTransaction
  readonly attempt: PaymentAttempt
  readonly answer: Decided
}

/** The only way to end a payment unpaid. Deletes what was kept for it, and tells subscribers. */
export async function endUnpaid(
  tx: Scope<Tx>,
  { vault }: Engine,
  before: StoredTransaction,
  {
    events = [],
    ...change
  }: transactions.Change & { readonly events?: readonly transactionEvents.NewEvent[] },
): Promise<StoredTransaction> {
  const after = await transactions.change(tx, before, change)
  await forgetUnpaid(tx, vault, after)
  await transactionEvents.record(tx, after.id, events)
  await tellStatus(tx, before.status, after)
  return after
}

/** Deletes the card, the security code and the gift card numbers. The checkout session can be paid again. */
export async function forgetUnpaid(
  tx: Scope<Tx>,
  vault: Vault,
  transaction: StoredTransaction,
): Promise<void> {
  await forgetCard(tx, vault, transaction)
  await finishSession(tx, vault, transaction, false)
  if (!transaction.has_gift_card_redemptions) return
  await skipRest(tx, transaction)
  await forgetNumbers(tx, vault, transaction)
}

/**
 * A capture fails that had succeeded, or a refund of it comes to nothing. If nothing is captured any more, the payment
 * has no time of capture, and if that ends it, the reason is that of the capture. `endIfUndone` tells of it.
 */
export async function changeUndone(
  tx: Scope<Tx>,
  before: StoredTransaction,
  change: transactions.Change,
): Promise<StoredTransaction> {
  if (change.captured_amount !== 0) return transactions.change(tx, before, change)
  const { status = before.status } = change
  const isOver = status !== before.status && state.isOver({ status })
  const voided_at = tx.clock().toISOString()
  return transactions.change(tx, before, {
    ...change,
    ...(isOver && { error_code: await reasonOf(tx, before) }),
    outcome: { captured_at: null, ...(isOver && state.isVoided({ status }) && { voided_at }) },
  })
}

/** Why the last capture failed. */
async function reasonOf(tx: Scope<Tx>, { id }: StoredTransaction): Promise<string | null> {
  const failed = (await captures.listOf(tx, id)).filter(({ status }) => status === 'failed')
  const [last] = failed.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime())
  return last?.error_code ?? null
}

/**
 * Tells subscribers that the payment is over, and gives back what gift cards paid. There is no hold to release: the
 * capture had used it up, and a rest was released before.
 */
export async function endIfUndone(
  tx: Scope<Tx>,
  engine: Engine,
  before: StoredTransaction,
  after: StoredTransaction,
): Promise<void> {
  if (before.status === after.status) return
  // Subscribers know the status of a payment that is authorized again.
  if (!state.isOver(after)) return recordStatus(tx, before.status, after)
  await tellStatus(tx, before.status, after)
  if (after.has_gift_card_redemptions) await reverseAll(tx, engine, after)
}

/**
 * The payment is approved. Turns a card that was to be stored into a payment method, and returns its id. The
 * rest leaves the vault in the same commit.
 */
export async function keepCard(
  tx: Scope<Tx>,
  engine: Pick<Engine, 'vault' | 'providers'>,
  transaction: StoredTransaction,
): Promise<string | null> {
  const { vault } = engine
  const held = transaction.document.holds_card ? await cards.find(tx, transaction.id) : undefined
  if (!held) return null
  await cards.remove(tx, transaction.id)
  if (held.security_code_token) await vault.remove(tx.db, tx, held.security_code_token)
  if (!held.store || !held.card) {
    if (held.number_token) await vault.remove(tx.db, tx, held.number_token)
    return null
  }
  const id = await paymentMethods.insertPaidCard(tx, held.card, await ownerOf(tx, held.store))
  await uses.record(tx, { paymentMethodId: id, isClientInitiated: !transaction.merchant_initiated })
  await auditLogs.record(tx, 'created', {
    type: auditLogs.OF_BUYERS.paymentMethod,
    id,
    name: `${held.card.scheme} ${held.card.label}`,
  })
  await queueProvision(tx, engine, {
    paymentMethodId: id,
    scheme: held.card.scheme,
    isMerchantInitiated: transaction.merchant_initiated,
    isSubsequentPayment: transaction.is_subsequent_payment,
    transactionId: transaction.id,
  })
  return id
}

/** The buyer may have been deleted meanwhile. That must not undo the payment. */
async function ownerOf(tx: Scope<Tx>, { id, buyerId, externalIdentifier }: cards.Keep): Promise<cards.Keep> {
  const buyer = buyerId === null ? undefined : await buyers.find(tx, buyerId)
  return { id, buyerId: buyer?.id ?? null, externalIdentifier }
}

/** The payment ended unpaid: deletes the number and the security code. */
async function forgetCard(tx: Scope<Tx>, vault: Vault, { id, document }: StoredTransaction): Promise<void> {
  const held = document.holds_card ? await cards.find(tx, id) : undefined
  if (!held) return
  await cards.remove(tx, id)
  for (const token of [held.number_token, held.security_code_token]) {
    if (token) await vault.remove(tx.db, tx, token)
  }
}

/** Deletes the session's security code with the first answer, and its card with the first approval. */
export async function finishSession(
  tx: Scope<Tx>,
  vault: Vault,
  { id, checkout_session_id }: StoredTransaction,
  isApproved: boolean,
): Promise<void> {
  if (checkout_session_id === null) return
  const session = await checkoutSessions.lockForPayment(tx, checkout_session_id)
  if (session?.transaction_id !== id) return
  if (isApproved) return forgetSessionCard(tx, vault, session)
  await forgetSessionCode(tx, vault, session)
  await checkoutSessions.release(tx, session.id)
}

/** The provider has received the security code and answered, but has not decided yet. */
export async function forgetCodeOfSession(
  tx: Scope<Tx>,
  vault: Vault,
  { id, checkout_session_id }: StoredTransaction,
): Promise<void> {
  if (checkout_session_id === null) return
  const session = await checkoutSessions.lockForPayment(tx, checkout_session_id)
  if (session?.transaction_id === id) await forgetSessionCode(tx, vault, session)
}

/** All gift cards have paid. The payment method's hold is captured, or waits for a capture. */
export async function finishPayment(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: StoredTransaction,
): Promise<StoredTransaction> {
  const { payment_service_id, intent } = transaction
  const isHeld = isHeldBack(transaction)
  const hasPaymentMethod = payment_service_id !== null
  const isTaken = !hasPaymentMethod && !isHeld
  const now = tx.clock().toISOString()
  const stored = await keepCard(tx, engine, transaction)
  const after = await transactions.change(tx, transaction, {
    ...state.afterRedemptions(transaction, { hasPaymentMethod, isHeldBack: isHeld }),
    ...(stored !== null && { payment_method_id: stored }),
    ...(!hasPaymentMethod && { outcome: isTaken ? { captured_at: now } : { authorized_at: now } }),
  })
  await finishSession(tx, engine.vault, after, true)
  await rememberForSeries(tx, after)
  if (payment_service_id !== null && intent === 'capture' && !isHeld) {
    await recordCapture(tx, engine, after, {
      is_direct_capture: false,
      service_id: payment_service_id,
    })
  }
  await tellStatus(tx, transaction.status, after)
  return isRejected(after) ? releaseRejected(tx, engine, after) : after
}

/** Records a capture: done if the money was captured in one step, otherwise queued. */
export async function recordCapture(
  tx: Scope<Tx>,
  { providers }: Engine,
  after: StoredTransaction,
  { is_direct_capture, service_id }: Pick<attempts.Attempt, 'is_direct_capture' | 'service_id'>,
): Promise<void> {
  const capture = await captures.insert(tx, {
    transaction_id: after.id,
    amount: after.authorized_amount,
    is_final: true,
    status: is_direct_capture ? 'succeeded' : 'pending',
    ...(is_direct_capture && {
      payment_service_capture_id: after.payment_service_transaction_id,
      outcome: after.outcome,
    }),
  })
  if (is_direct_capture) return events.publish(tx, ['capture.succeeded'], toCapture(after, capture))
  const asked = {
    transaction_id: after.id,
    kind: 'capture',
    subject_id: capture.id,
    service_id,
    amount: capture.amount,
  } as const
  // This request sends the capture. The job sends it if the merchant did not want to wait, or if the process
  // dies.
  const isLater = after.document.order.async_capture
  await attempts.queue(tx, asked, isLater ? tx.clock() : dueIfLeft(tx.clock(), providers.timeoutMs))
}

/** Later payments with a stored card refer to the buyer's own payment. */
export async function rememberForSeries(
  tx: Scope<Tx>,
  { payment_method_id, merchant_initiated, payment_method_scheme, outcome }: StoredTransaction,
): Promise<void> {
  if (payment_method_id === null || merchant_initiated || !outcome.scheme_transaction_id) return
  await paymentMethods.update(tx, payment_method_id, {
    scheme_transaction_id: outcome.scheme_transaction_id,
    scheme_transaction_id_scheme: payment_method_scheme as paymentMethods.StoredMethod['scheme'],
    ...(outcome.transaction_link_id && { transaction_link_id: outcome.transaction_link_id }),
  })
}

/**
 * A gift card could not pay its part, so the payment fails: the other gift cards get back what they paid, and
 * the payment method's hold is released. All of it is queued in this commit.
 */
export async function unwind(
  tx: Scope<Tx>,
  engine: Engine,
  transaction: StoredTransaction,
  code: string,
): Promise<StoredTransaction> {
  await reverseAll(tx, engine, transaction)
  const { id, authorized_amount: amount, payment_service_id: service_id } = transaction
  if (amount > 0 && service_id !== null) {
    const soon = dueIfLeft(tx.clock(), engine.providers.timeoutMs)
    await releaseHold(tx, { transaction_id: id, subject_id: null, service_id, amount }, soon)
  }
  return endUnpaid(tx, engine, transaction, { ...FAILED, error_code: code })
}

/**
 * A reviewer has decided about a payment. If its money is held, it is captured or released now, otherwise
 * once it is held. If the merchant has captured or voided the payment meanwhile, it stays as it is.
 */
export async function resolveReview(
  tx: Scope<Tx>,
  engine: Engine,
  before: StoredTransaction,
  antiFraud: AntiFraud,
): Promise<void> {
  const isHeld = state.isAuthorized(before)
  const outcome = { anti_fraud: antiFraud }
  if (antiFraud.review === 'rejected') {
    const rejected = await transactions.change(tx, before, { outcome })
    const after = isHeld ? await releaseRejected(tx, engine, rejected) : rejected
    await audit(tx, state.isVoiding(after) ? 'voided' : 'updated', after, after.authorized_amount)
    return
  }
  if (isHeld && isGiftCardsOnly(before)) {
    await keepRedeemed(tx, before, { outcome, alsoNames: ['transaction.review-accepted'] })
    return
  }
  const { payment_service_id, intent } = before
  const isTaken = isHeld && intent === 'capture' && payment_service_id !== null
  const change = isTaken ? state.afterReview(before) : {}
  const after = await transactions.change(tx, before, { ...change, outcome })
  if (isTaken)
    await recordCapture(tx, engine, after, { is_direct_capture: false, service_id: payment_service_id })
  await audit(tx, isTaken ? 'captured' : 'updated', after, after.authorized_amount)
  await tellStatus(tx, before.status, after, ['transaction.review-accepted'])
}

/** Releases the hold of a rejected payment. A hold of zero needs no release. */
export async function releaseRejected(
  tx: Scope<Tx>,
  engine: Engine,
  before: StoredTransaction,
): Promise<StoredTransaction> {
  const { id, authorized_amount, payment_service_id } = before
  if (isGiftCardsOnly(before)) return giveBack(tx, engine, before)
  if (authorized_amount === 0 || payment_service_id === null) return before
  const after = await transactions.change(tx, before, state.VOIDING)
  await recordStatus(tx, before.status, after)
  const hold = {
    transaction_id: id,
    subject_id: null,
    service_id: payment_service_id,
    amount: authorized_amount,
  }
  await releaseHold(tx, hold, dueIfLeft(tx.clock(), engine.providers.timeoutMs))
  return after
}

type Hold = Pick<attempts.PaymentAttempt, 'transaction_id' | 'subject_id' | 'service_id' | 'amount'>

/** Queues the void of what a service holds for a payment. A `subject_id` that names a sale has it refunded. */
export async function releaseHold(
  tx: Scope<Tx>,
  { transaction_id, subject_id, service_id, amount }: Hold,
  dueAt: Date,
): Promise<void> {
  await attempts.queue(tx, { kind: 'void', transaction_id, subject_id, service_id, amount }, dueAt)
}

/**
 * Renames a provider's facts to the names under which we store and show them. `authenticated` is the amount that the
 * provider may have authenticated the buyer for.
 */
export function outcomeOf(facts: Facts, authenticated: number | null = null): Outcome {
  const { threeDSecure } = facts
  return {
    ...(threeDSecure && { three_d_secure: summaryOf(threeDSecure, authenticated) }),
    raw_response_code: facts.rawCode ?? null,
    raw_response_description: facts.rawDescription ?? null,
    auth_response_code: facts.authResponseCode ?? null,
    iso_response_code: facts.isoResponseCode ?? null,
    avs_response_code: facts.avsResponseCode ?? null,
    cvv_response_code: facts.cvvResponseCode ?? null,
    merchant_advice_code: facts.merchantAdviceCode ?? null,
    scheme_transaction_id: facts.schemeTransactionId ?? null,
    transaction_link_id: facts.transactionLinkId ?? null,
    payment_account_reference: facts.paymentAccountReference ?? null,
    ...identifiersOf(facts),
  }
}

/** A mandate is shown among the identifiers: the API has no other place for it. */
function identifiersOf({ additionalIdentifiers, mandate }: Facts) {
  if (!additionalIdentifiers && !mandate) return {}
  const ofMandate = mandate && {
    mandate_reference: mandate.reference,
    ...(mandate.signedOn && { mandate_signed_on: mandate.signedOn }),
  }
  return { additional_identifiers: { ...additionalIdentifiers, ...ofMandate } }
}

/** Values of another form than the API promises are left out. */
function summaryOf(report: ThreeDSecureReport, amount: number | null): TransactionThreeDSecureSummary {
  const { status, method } = report
  const version = fitting(WRITTEN.threeDSecureVersion, report.version)
  const response_data = version === null || status !== 'complete' ? null : responseOf(report, version)
  return { version, status, method, response_data, error_data: null, amount }
}

function responseOf(report: ThreeDSecureReport, version: string) {
  return {
    version,
    authentication_response: report.authenticationResponse ?? null,
    directory_response: report.directoryResponse ?? null,
    directory_transaction_id: report.directoryTransactionId ?? null,
    transaction_reason: null,
    cavv: null,
    eci: fitting(WRITTEN.eci, report.eci ?? null),
    cardholder_info: null,
  }
}

function fitting({ pattern }: { readonly pattern: string }, value: string | null): string | null {
  return value !== null && new RegExp(pattern).test(value) ? value : null
}
