import type { AuthorizeAnswer, SyncAnswer } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Scope } from '#platform/db.ts'
import { refusal } from '#processing/attempts/answer.ts'
import { openReturned } from '#processing/attempts/approval.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Candidate } from '#processing/choose-services.ts'
import type { Engine } from '#processing/engine.ts'
import { askProvider } from '#processing/provider.ts'
import { openFields } from '#processing/service-accounts/open-fields.ts'
import { linkTo, optionsFor } from '#resources/payment-services/link.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { providerReturnUrl } from '../approval/approval-url.ts'
import * as captures from '../captures/store.ts'
import { askGiftCardService, inquireAboutGiftCard } from '../gift-card-redemptions/ask.ts'
import * as redemptions from '../gift-card-redemptions/store.ts'
import * as refunds from '../refunds/store.ts'
import type { StoredTransaction } from '../store.ts'

export type ChosenService = Candidate<paymentServices.StoredService>

type Authorization = {
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly chosen: ChosenService
  readonly instrument: Instrument
  readonly threeDSecure: ThreeDSecureResult | null
  readonly isPartialAllowed: boolean
  readonly connectionOptions: Readonly<Record<string, unknown>>
}

/**
 * Asks a payment service to authorize. The attempt is already recorded, and no database transaction is open.
 */
export async function askToAuthorize(
  scope: Scope,
  engine: Engine,
  { transaction, attempt, chosen, instrument, ...asked }: Authorization,
): Promise<AuthorizeAnswer> {
  const { vault, providers } = engine
  const { service, connector } = chosen
  const { document } = transaction
  const order: AuthorizeOrder = {
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
    threeDSecure: asked.threeDSecure,
    buyer: { id: document.buyer?.id ?? null, ipAddress: transaction.ip_address, locale: null },
    isPartialAllowed: asked.isPartialAllowed,
    redirectUrl: providerReturnUrl(engine, transaction),
    details: document.order,
  }
  const options = optionsFor(asked.connectionOptions, service)
  return askProvider(providers, connector.authorize, order, {
    fields: await openFields(scope, vault, service, paymentServices.KIND),
    options,
  })
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
  // Certain, because nothing is sent.
  const unable = refusal('invalid_operation')
  switch (attempt.kind) {
    case 'capture': {
      const capture = await captures.find(scope, {
        transactionId: transaction.id,
        id: attempt.subject_id ?? '',
      })
      if (!connector.capture || !capture) return unable
      const { details, is_final: isFinal } = capture
      const whole = { ...order, captureId: capture.id, isFinal, details }
      return askProvider(providers, connector.capture, whole, link)
    }
    case 'refund': {
      const refund = await refunds.find(scope, attempt.subject_id ?? '')
      if (!connector.refund || !refund) return unable
      const { id: refundId, reason, capture_id } = refund
      const place = { transactionId: transaction.id, id: capture_id ?? '' }
      const capture = capture_id === null ? undefined : await captures.find(scope, place)
      const captureReference = capture?.payment_service_capture_id ?? null
      const whole = { ...order, refundId, reason, captureReference }
      return askProvider(providers, connector.refund, whole, link)
    }
    case 'void': {
      const { reference: held, isSale } = await heldBy(scope, transaction, attempt)
      if (held === null) return unable
      if (isSale) {
        if (!connector.refund) return unable
        const { id: refundId, amount } = attempt
        const sale = {
          reference: held,
          captureReference: held,
          authorizedAmount: amount,
          capturedAmount: amount,
        }
        const whole = { ...order, ...sale, refundId, reason: null }
        return askProvider(providers, connector.refund, whole, link)
      }
      return connector.void
        ? askProvider(providers, connector.void, { ...order, reference: held }, link)
        : unable
    }
    case 'cancel':
      return connector.cancel
        ? askProvider(providers, connector.cancel, { ...order, reference }, link)
        : unable
    case 'increment':
      return connector.increment ? askProvider(providers, connector.increment, order, link) : unable
    default:
      return unable
  }
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
  return askProvider(link.providers, link.connector.complete, order, link)
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
  const { reference, isSale } = await heldBy(scope, transaction, attempt)
  const inquiry = {
    attemptId: attempt.id,
    operation: isSale ? ('refund' as const) : operation,
    transactionId: transaction.id,
    reference,
    sentAt: attempt.created_at,
    order: null,
  }
  return askProvider(link.providers, link.connector.sync, inquiry, link)
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
