import type { AuthorizeOrder, Instrument, Orders, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import { localeOf } from '#domain/browser-locale.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Scope } from '#platform/database/db.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import { providerReturnUrl } from '../approval/approval-url.ts'
import * as captures from '../store/captures.ts'
import type { StoredTransaction } from '../store/payments.ts'
import * as refunds from '../store/refunds.ts'

export type Authorization = {
  readonly transaction: StoredTransaction
  readonly attempt: attempts.PaymentAttempt
  readonly instrument: Instrument
  readonly threeDSecure: ThreeDSecureResult | 'provider' | null
  readonly isPartialAllowed: boolean
}

export function composeAuthorization(
  engine: Engine,
  { transaction, attempt, instrument, threeDSecure, isPartialAllowed }: Authorization,
): AuthorizeOrder {
  const { document } = transaction
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
      locale: localeOf(document.order.browser_info?.language),
    },
    isPartialAllowed,
    redirectUrl: providerReturnUrl(engine, transaction),
    details: document.order,
  }
}

type FollowUpName = 'capture' | 'refund' | 'void' | 'cancel' | 'increment'
export type FollowUp = {
  readonly [Name in FollowUpName]: { readonly operation: Name; readonly order: Orders[Name] }
}[FollowUpName]

/** What a capture, a void, a cancel, an increment or a refund asks for. Undefined if there is nothing to ask for. */
export async function composeFollowUp(
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
      return { operation: 'capture', order: { ...order, captureId, isFinal, details } }
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
export async function heldBy(
  scope: Scope,
  { payment_service_transaction_id: own }: StoredTransaction,
  attempt: attempts.PaymentAttempt,
): Promise<{ readonly reference: string | null; readonly isSale: boolean }> {
  if (!attempts.isStray(attempt)) return { reference: own, isSale: false }
  const stray = await attempts.find(scope, attempt.subject_id ?? '')
  return { reference: stray?.reference ?? null, isSale: stray?.is_direct_capture ?? false }
}
