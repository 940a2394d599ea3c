import type { Answer, AuthorizeAnswer, Connector, Link, SyncAnswer } from '#connectors/contract/connector.ts'
import type {
  AuthorizeOrder,
  Inquiry,
  Instrument,
  Orders,
  ThreeDSecureResult,
} from '#connectors/contract/orders.ts'
import { localeOf } from '#domain/browser-locale.ts'
import { createdAt } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import { openReturned, refusal } from '#processing/attempts/conclude.ts'
import {
  ABANDONED,
  clearOrder,
  findSent,
  keepOrder,
  type Sent,
  TOO_LATE,
} from '#processing/attempts/kept-orders.ts'
import * as attempts from '#processing/attempts/store.ts'
import { holdWhileAsked } from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { transcriptOf } from '#processing/exchanges/transcribe.ts'
import { askProvider, lineTo } from '#processing/provider.ts'
import { memoryOf, openFields } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { linkTo, optionsFor } from '#resources/payment-services/link.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { completionUrl } from '../approval.ts'
import { askGiftCardService, inquireAboutGiftCard } from '../gift-cards/ask.ts'
import { wishOf } from '../plan/authenticate.ts'
import { type ChosenService, transformed } from '../routing/candidates.ts'
import * as captures from '../store/captures.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as redemptions from '../store/redemptions.ts'
import * as refunds from '../store/refunds.ts'

type Authorization = AuthorizationOrder & {
  readonly chosen: ChosenService
  readonly connectionOptions: Readonly<Record<string, unknown>>
}

/**
 * Asks a payment service to authorize. The attempt is already recorded, and no database transaction is open.
 */
export async function askToAuthorize(
  scope: Scope,
  engine: Engine,
  { chosen, connectionOptions, ...asked }: Authorization,
): Promise<AuthorizeAnswer> {
  const { vault, providers } = engine
  const { service, connector } = chosen
  const fields = await openFields(scope, vault, service, paymentServices.KIND)
  const order = await keepOrder(scope, vault, {
    attempt: asked.attempt,
    connector,
    order: transformed(
      composeAuthorization(engine, { ...asked, threeDSecure: wishOf(asked, chosen) }),
      chosen,
    ),
    onReveal: revealing(scope, asked.transaction),
  })
  if (!order) return ABANDONED
  const options = optionsFor(connectionOptions, service)
  const memory = memoryOf(scope, engine.secrets, service, fields)
  const line = lineTo(providers, connector, 'authorize')
  const transcript = transcribe(scope, engine, { ...chosen, ...asked, purpose: 'request' })
  const answer = await askProvider(line, connector.authorize, order, { fields, options, memory, transcript })
  return withEnd(answer, connector, scope)
}

/** Until when the buyer can approve, by the documents of a provider that does not say it with the payment. */
function withEnd(answer: AuthorizeAnswer, { manifest }: Connector, { clock }: Scope): AuthorizeAnswer {
  const seconds = manifest.terms?.seconds
  if (answer.outcome !== 'approval_required' || answer.expiresAt || seconds === undefined) return answer
  return { ...answer, expiresAt: new Date(realTime(clock).getTime() + seconds * 1_000) }
}

type Asking = {
  readonly attempt: attempts.PaymentAttempt
  readonly connector: Connector
  readonly purpose: 'request' | 'completion' | 'inquiry'
}

function transcribe(scope: Scope, { exchanges }: Engine, { attempt, connector, purpose }: Asking) {
  const { manifest } = connector
  return transcriptOf(scope, exchanges, { attempt, manifest, purpose, serviceType: 'payment-service' })
}

function revealing(scope: Scope, { id }: StoredTransaction) {
  const opened = { type: 'transaction', id, name: 'payment' }
  return () => inTransaction(scope, (tx) => auditLogs.record(tx, 'revealed', opened))
}

/**
 * Asks for a capture, a void, a cancel, an increment or a refund. May be called twice for the same attempt.
 */
export async function askToFollowUp(
  scope: Scope,
  engine: Engine,
  transaction: StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<SyncAnswer> {
  const redemption = await redemptionOf(scope, transaction, attempt)
  if (redemption) return askGiftCardService(scope, engine, { transaction, attempt, redemption })
  const link = await linkTo(scope, engine, attempt.service_id, transaction.document.connection_options)
  if (!link) return { outcome: 'unknown', reason: 'the payment service was deleted' }
  const { connector, providers } = link
  const composed = await composeFollowUp(scope, transaction, attempt)
  const ask = composed && askOf(connector, composed)
  // Certain, because nothing is sent.
  if (!ask)
    return refusal(attempt.kind === 'void' && composed ? 'unsupported_transaction' : 'invalid_operation')
  const onReveal = revealing(scope, transaction)
  const line = lineTo(providers, connector, composed.operation)
  const isHeld = await holdWhileAsked(scope, attempt, line)
  const order =
    isHeld && (await keepOrder(scope, engine.vault, { ...composed, attempt, connector, onReveal }))
  const transcript = transcribe(scope, engine, { attempt, connector, purpose: 'request' })
  return order ? askProvider(line, ask, order, { ...link, transcript }) : ABANDONED
}

type Ask = (order: object, link: Link) => Promise<Answer>

/** The order is made for the operation, which the compiler does not see through the union. */
function askOf(connector: Connector, { operation }: FollowUp): Ask | undefined {
  return connector[operation] as Ask | undefined
}

/** Asks the provider to finish an authorization whose buyer has come back. May be called twice for the same attempt. */
export async function askToComplete(
  scope: Scope,
  engine: Engine,
  transaction: StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<SyncAnswer> {
  const link = await linkTo(scope, engine, attempt.service_id, transaction.document.connection_options)
  if (!link) return { outcome: 'unknown', reason: 'the payment service was deleted' }
  if (!link.connector.complete) return inquire(scope, engine, transaction, attempt)
  const order = {
    attemptId: attempt.id,
    transactionId: transaction.id,
    amount: attempt.amount,
    currency: transaction.currency,
    intent: attempt.is_direct_capture ? ('capture' as const) : ('authorize' as const),
    reference: attempt.reference ?? '',
    returned: openReturned(engine.secrets, attempt),
  }
  const line = lineTo(link.providers, link.connector, 'complete')
  const isHeld = await holdWhileAsked(scope, attempt, line)
  const transcript = transcribe(scope, engine, { ...link, attempt, purpose: 'completion' })
  return isHeld ? askProvider(line, link.connector.complete, order, { ...link, transcript }) : ABANDONED
}

/** Asks for the outcome of an attempt whose answer did not reach us. */
export async function inquire(
  scope: Scope,
  engine: Engine,
  transaction: StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<SyncAnswer> {
  const { kind: operation } = attempt
  const isOfGiftCard = (await redemptionOf(scope, transaction, attempt)) !== undefined
  if (isOfGiftCard || operation === 'redeem' || operation === 'reverse') {
    return inquireAboutGiftCard(scope, engine, transaction, attempt)
  }
  const link = await linkTo(scope, engine, attempt.service_id, transaction.document.connection_options)
  if (!link?.connector.sync) return { outcome: 'unknown', reason: 'the provider cannot be asked' }
  const line = lineTo(link.providers, link.connector, 'sync')
  if (!(await holdWhileAsked(scope, attempt, line))) return ABANDONED
  const { reference, isSale } = await heldBy(scope, transaction, attempt)
  const sent = await whatWasSent(scope, engine, { transaction, attempt, connector: link.connector })
  if (sent.outcome === 'never_sent') return { outcome: 'not_found' }
  if (sent.outcome === 'too_late') return TOO_LATE
  const inquiry = {
    attemptId: attempt.id,
    operation: isSale ? ('refund' as const) : operation,
    transactionId: transaction.id,
    reference,
    ownReference: attempt.reference,
    sentAt: sent.sentAt,
    order: sent.order,
  } as Inquiry
  try {
    const transcript = transcribe(scope, engine, { ...link, attempt, purpose: 'inquiry' })
    return await askProvider(line, link.connector.sync, inquiry, { ...link, transcript })
  } finally {
    clearOrder(sent.order)
  }
}

type About = {
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly connector: Connector
}

/** What an operation asked for can be composed again. If it was not kept, then it was not sent yet. */
async function whatWasSent(
  scope: Scope,
  { vault }: Engine,
  { transaction, attempt, connector }: About,
): Promise<Sent<object>> {
  const asked = { attempt, connector, onReveal: revealing(scope, transaction) }
  const sent = await findSent<object>(scope, vault, asked)
  const isMissing = sent.outcome === 'sent' && sent.order === null
  if (!isMissing || connector.manifest.recovery.by !== 'replay') return sent
  const composed = await composeFollowUp(scope, transaction, attempt)
  const order = composed && (await keepOrder(scope, vault, { ...asked, order: composed.order }))
  return order ? { ...sent, order } : sent
}

/** The redemption that an attempt is about, if it is about one. */
async function redemptionOf(
  scope: Scope,
  { id, has_gift_card_redemptions }: StoredTransaction,
  { kind, subject_id }: attempts.PaymentAttempt,
): Promise<redemptions.Redemption | undefined> {
  if (!has_gift_card_redemptions) return undefined
  const refund = kind === 'refund' ? await refunds.find(scope, subject_id ?? '') : undefined
  const wanted = refund ? refund.target_id : subject_id
  return (await redemptions.listOf(scope, id)).find((redemption) => redemption.id === wanted)
}

type AuthorizationOrder = {
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly instrument: Instrument
  readonly threeDSecure: ThreeDSecureResult | 'provider' | null
  readonly isPartialAllowed: boolean
}

function composeAuthorization(
  engine: Engine,
  { transaction, attempt, instrument, threeDSecure, isPartialAllowed }: AuthorizationOrder,
): AuthorizeOrder {
  const { document } = transaction
  const { language } = document.order.browser_info ?? {}
  return {
    attemptId: attempt.id,
    transactionId: transaction.id,
    reconciliationId: reconciliationId(transaction.id),
    amount: attempt.amount,
    currency: transaction.currency,
    intent: attempt.is_direct_capture ? 'capture' : 'authorize',
    country: transaction.country,
    instrument,
    billing: document.buyer?.billing_details ?? null,
    shipping: document.shipping_details,
    paymentSource: transaction.payment_source,
    isMerchantInitiated: transaction.merchant_initiated,
    isSubsequentPayment: transaction.is_subsequent_payment,
    previousSchemeTransactionId: document.previous_scheme_transaction_id,
    previousTransactionLinkId: document.previous_transaction_link_id,
    threeDSecure,
    buyer: {
      id: document.buyer?.id ?? null,
      ipAddress: transaction.ip_address,
      locale: language ? localeOf(language) : null,
    },
    storedMethodId: document.payment_method?.id ?? null,
    isPartialAllowed,
    // Without an address of the shop, the buyer would not come back from our page.
    redirectUrl: document.redirect_url === null ? null : completionUrl(engine, transaction),
    details: document.order,
  }
}

type FollowUpName = 'capture' | 'refund' | 'void' | 'cancel' | 'increment'
type FollowUp = {
  readonly [Name in FollowUpName]: { readonly operation: Name; readonly order: Orders[Name] }
}[FollowUpName]

/** What a capture, a void, a cancel, an increment or a refund asks for. Undefined if there is nothing to ask for. */
async function composeFollowUp(
  scope: Scope,
  transaction: StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<FollowUp | undefined> {
  const { payment_service_transaction_id: reference } = transaction
  const order = {
    attemptId: attempt.id,
    transactionId: transaction.id,
    reconciliationId: reconciliationId(transaction.id),
    amount: attempt.amount,
    currency: transaction.currency,
    reference: reference ?? '',
    authorizedAmount: transaction.authorized_amount,
    capturedAmount: transaction.captured_amount,
  }
  switch (attempt.kind) {
    case 'capture': {
      const place = { transactionId: transaction.id, id: attempt.subject_id ?? '' }
      const capture = await captures.find(scope, place)
      if (!capture) return undefined
      const { id: captureId, details, is_final: isFinal } = capture
      const authorizedAt = new Date(transaction.outcome.authorized_at ?? createdAt(transaction.id))
      const authorizationAgeMs = Math.max(attempt.created_at.getTime() - authorizedAt.getTime(), 0)
      return { operation: 'capture', order: { ...order, captureId, isFinal, authorizationAgeMs, details } }
    }
    case 'refund': {
      const refund = await refunds.find(scope, attempt.subject_id ?? '')
      if (!refund) return undefined
      const { id: refundId, reason } = refund
      const captureReference = await captureReferenceOf(scope, refund)
      return { operation: 'refund', order: { ...order, refundId, reason, captureReference } }
    }
    case 'void': {
      const { reference: held, isSale } = await heldBy(scope, transaction, attempt)
      if (held === null) return undefined
      if (!isSale) return { operation: 'void', order: { ...order, reference: held } }
      const { id: refundId, amount } = attempt
      const amounts = { authorizedAmount: amount, capturedAmount: amount }
      const sale = { ...order, ...amounts, reference: held, captureReference: held, refundId, reason: null }
      return { operation: 'refund', order: sale }
    }
    case 'cancel':
      return { operation: 'cancel', order: { ...order, reference } }
    case 'increment':
      return { operation: 'increment', order }
    default:
      return undefined
  }
}

async function captureReferenceOf(
  scope: Scope,
  { transaction_id: transactionId, capture_id: id }: refunds.StoredRefund,
): Promise<string | null> {
  const capture = id === null ? undefined : await captures.find(scope, { transactionId, id })
  return capture?.payment_service_capture_id ?? null
}

/**
 * The provider's id of the payment, or of what a service holds or has taken beside it. Money that was taken cannot be
 * voided any more: it is refunded.
 */
async function heldBy(
  scope: Scope,
  { payment_service_transaction_id: own }: StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<{ readonly reference: string | null; readonly isSale: boolean }> {
  if (!attempts.isStray(attempt)) return { reference: own, isSale: false }
  const stray = await attempts.find(scope, attempt.subject_id ?? '')
  return { reference: stray?.reference ?? null, isSale: stray?.is_direct_capture ?? false }
}
