import { createdAt } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import type { Context } from '#platform/database/db.ts'
import { showCreator } from '#resources/api-key-pairs/show-creator.ts'
import type { Target } from '#resources/events/store.ts'
import * as giftCardServices from '#resources/gift-card-services/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import type { Capture } from '#resources/transactions/wire/capture.ts'
import { complete } from '#resources/transactions/wire/complete.ts'
import type {
  GiftCardRedemption,
  TransactionGiftCardService,
} from '#resources/transactions/wire/gift-card-redemption.ts'
import { Airline, CartItem, Recipient, StatementDescriptor } from '#resources/transactions/wire/order.ts'
import type { TransactionPaymentMethod } from '#resources/transactions/wire/payment-method.ts'
import type { Refund } from '#resources/transactions/wire/refund.ts'
import type { Transaction, TransactionSummary } from '#resources/transactions/wire/transaction.ts'
import type { BuyerSnapshot, Document, ShippingSnapshot } from './document.ts'
import { intentOutcome, isBuyerAsked, isUndecided, remainderOf } from './state.ts'
import type { StoredCapture } from './store/captures.ts'
import type { SUMMARY_COLUMNS } from './store/columns.ts'
import type { OneOfMany, StoredTransaction } from './store/payments.ts'
import * as redemptions from './store/redemptions.ts'
import type { StoredRefund } from './store/refunds.ts'

type Service = Pick<
  paymentServices.StoredService,
  'id' | 'payment_service_definition_id' | 'method' | 'display_name'
>

/** A payment as the API shows it. */
export async function showTransaction(context: Context, stored: StoredTransaction): Promise<Transaction> {
  const id = stored.payment_service_id
  const services = await paymentServices.findMany(context, id === null ? [] : [id])
  const giftCards = await giftCardsOf(context, [stored])
  return toTransaction(stored, services.get(id ?? ''), giftCards.get(stored.id))
}

/** What lists show of a payment, with the service it went through last. */
export type ListedTransaction = Pick<StoredTransaction, (typeof SUMMARY_COLUMNS)[number]> &
  SummaryDocument & { readonly service: Service | null }

export async function showSummaries(
  context: Context,
  listed: readonly ListedTransaction[],
): Promise<TransactionSummary[]> {
  const giftCards = await giftCardsOf(context, listed)
  return listed.map((row) => toSummary(row, row, row.service, giftCards.get(row.id)))
}

export function toTransaction(
  row: StoredTransaction,
  service: Service | undefined,
  giftCards?: ShownGiftCards,
): Transaction {
  const { order, metadata } = row.document
  const { outcome } = row
  return {
    ...toSummary(row, row.document, service, giftCards),
    capturable_amount: remainderOf(row),
    intent_outcome: intentOutcome(row),
    multi_tender: (giftCards?.redemptions.length ?? 0) + (row.document.payment_method ? 1 : 0) > 1,
    payment_source: row.payment_source,
    merchant_initiated: row.merchant_initiated,
    is_subsequent_payment: row.is_subsequent_payment,
    account_funding_transaction: order.account_funding_transaction ?? false,
    metadata,
    cart_items: order.cart_items?.map((item) => complete(CartItem, item)) ?? null,
    airline: order.airline ? complete(Airline, order.airline) : null,
    statement_descriptor: order.statement_descriptor
      ? complete(StatementDescriptor, order.statement_descriptor)
      : null,
    recipient: order.recipient ? complete(Recipient, order.recipient) : null,
    installment_count: order.installment_count ?? null,
    tax_amount: order.tax_amount ?? null,
    amount_includes_tax: order.amount_includes_tax ?? null,
    merchant_tax_id: order.merchant_tax_id ?? null,
    purchase_order_number: order.purchase_order_number ?? null,
    customer_reference_number: order.customer_reference_number ?? null,
    supplier_order_number: order.supplier_order_number ?? null,
    duty_amount: order.duty_amount ?? null,
    shipping_amount: order.shipping_amount ?? null,
    payment_service_transaction_id: row.payment_service_transaction_id,
    additional_identifiers: outcome.additional_identifiers ?? {},
    scheme_transaction_id: outcome.scheme_transaction_id ?? null,
    transaction_link_id: outcome.transaction_link_id ?? null,
    auth_response_code: outcome.auth_response_code ?? null,
    iso_response_code: outcome.iso_response_code ?? null,
    avs_response_code: outcome.avs_response_code ?? null,
    cvv_response_code: outcome.cvv_response_code ?? null,
    merchant_advice_code: outcome.merchant_advice_code ?? null,
    anti_fraud_decision: outcome.anti_fraud?.decision ?? null,
    three_d_secure: outcome.three_d_secure ?? null,
    session_token: isBuyerAsked(row) ? (outcome.session_token ?? null) : null,
    authorized_at: outcome.authorized_at ?? null,
    captured_at: outcome.captured_at ?? null,
    voided_at: outcome.voided_at ?? null,
    canceled_at: outcome.canceled_at ?? null,
    approval_expires_at: outcome.approval_expires_at ?? null,
    buyer_approval_timedout_at: outcome.buyer_approval_timedout_at ?? null,
  }
}

/** The parts of a payment's document that a summary shows. */
type SummaryDocument = Pick<Document, 'payment_method' | 'instrument_type' | 'buyer' | 'shipping_details'>
type Summarized = Omit<ListedTransaction, 'service' | keyof SummaryDocument>

function toSummary(
  row: Summarized,
  document: SummaryDocument,
  service: Service | null | undefined,
  giftCards: ShownGiftCards | undefined,
): TransactionSummary {
  const { outcome } = row
  return {
    type: 'transaction',
    id: row.id,
    reconciliation_id: reconciliationId(row.id),
    merchant_account_id: row.merchant_account_id,
    external_identifier: row.external_identifier,
    status: row.status,
    intent: row.intent,
    amount: row.amount,
    currency: row.currency,
    country: row.country,
    authorized_amount: row.authorized_amount,
    captured_amount: row.captured_amount,
    refunded_amount: row.refunded_amount,
    settled: row.settled_currency !== null,
    settled_amount: Number(row.settled_amount),
    settled_currency: row.settled_currency,
    method: row.method,
    instrument_type: outcome.instrument_type ?? document.instrument_type,
    payment_method: paymentMethodOf(row, document),
    payment_service: service ? serviceOf(service) : null,
    buyer: document.buyer && buyerOf(document.buyer),
    shipping_details: document.shipping_details && shippingOf(document.shipping_details),
    checkout_session_id: row.checkout_session_id,
    gift_card_redemptions: giftCards?.redemptions ?? [],
    gift_card_service: giftCards?.service ?? null,
    error_code: row.error_code,
    raw_response_code: outcome.raw_response_code ?? null,
    raw_response_description: outcome.raw_response_description ?? null,
    pending_review: row.pending_review,
    disputed: row.disputed,
    reauthorized_from_transaction_id: row.reauthorized_from_transaction_id,
    created_at: createdAt(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function serviceOf({ id, payment_service_definition_id, method, display_name }: Service) {
  return { type: 'payment-service' as const, id, payment_service_definition_id, method, display_name }
}

/** Shows the approval URL only while the payment is undecided. */
function paymentMethodOf(
  { outcome, status, payment_method_id }: Summarized,
  { payment_method: snapshot }: SummaryDocument,
) {
  if (!snapshot) return null
  const isAwaited = isUndecided({ status })
  return {
    type: 'payment-method',
    ...snapshot,
    id: payment_method_id,
    payment_account_reference:
      outcome.payment_account_reference ?? snapshot.payment_account_reference ?? null,
    approval_url: isAwaited ? (outcome.approval_url ?? null) : null,
    approval_target: isAwaited && outcome.approval_url ? 'any' : null,
  } as TransactionPaymentMethod
}

export function buyerOf(buyer: BuyerSnapshot) {
  const reconciliation = buyer.id === null ? null : reconciliationId(buyer.id)
  return { type: 'buyer' as const, reconciliation_id: reconciliation, ...buyer }
}

export function shippingOf(shipping: ShippingSnapshot) {
  return { type: 'shipping-details' as const, ...shipping }
}

/** The payment in webhook events: less than the API shows. */
export function toTarget(row: OneOfMany): Target {
  const { document, outcome } = row
  const { payment_method: method } = document
  return {
    type: 'transaction',
    id: row.id,
    external_identifier: row.external_identifier,
    payment_service_transaction_id: row.payment_service_transaction_id,
    status: row.status,
    has_gift_card_redemptions: row.has_gift_card_redemptions,
    pending_review: row.pending_review,
    amount: row.amount,
    authorized_amount: row.authorized_amount,
    captured_amount: row.captured_amount,
    refunded_amount: row.refunded_amount,
    currency: row.currency,
    metadata: document.metadata,
    created_at: createdAt(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
    payment_method: method && {
      id: row.payment_method_id,
      method: method.method,
      label: method.label,
      scheme: method.scheme,
    },
    payment_link_id: row.payment_link_id,
    error_code: row.error_code,
    iso_response_code: outcome.iso_response_code ?? null,
    payment_source: row.payment_source,
    merchant_initiated: row.merchant_initiated,
    is_subsequent_payment: row.is_subsequent_payment,
    buyer: document.buyer,
  }
}

export function toCapture(
  { currency, external_identifier }: Pick<StoredTransaction, 'currency' | 'external_identifier'>,
  capture: StoredCapture,
): Capture {
  const { outcome, details } = capture
  return {
    type: 'capture',
    id: capture.id,
    merchant_account_id: capture.merchant_account_id,
    transaction_id: capture.transaction_id,
    transaction_external_identifier: external_identifier,
    xid: capture.payment_service_capture_id,
    external_identifier: capture.external_identifier,
    currency,
    amount: capture.amount,
    status: capture.status,
    final: capture.is_final,
    error_code: capture.error_code,
    iso_response_code: outcome.iso_response_code ?? null,
    raw_response_code: outcome.raw_response_code ?? null,
    raw_response_description: outcome.raw_response_description ?? null,
    cart_items: details.cart_items?.map((item) => complete(CartItem, item)) ?? null,
    created_at: createdAt(capture.id).toISOString(),
    updated_at: capture.updated_at.toISOString(),
    captured_at: capture.captured_at?.toISOString() ?? null,
  }
}

export function toRefund(
  transaction: Pick<StoredTransaction, 'id' | 'external_identifier'>,
  refund: StoredRefund,
): Refund {
  const { outcome } = refund
  return {
    type: 'refund',
    id: refund.id,
    reconciliation_id: reconciliationId(refund.id),
    external_identifier: refund.external_identifier,
    transaction_id: transaction.id,
    transaction_reconciliation_id: reconciliationId(transaction.id),
    transaction_external_identifier: transaction.external_identifier,
    payment_service_refund_id: refund.payment_service_refund_id,
    status: refund.status,
    currency: refund.currency,
    amount: refund.amount,
    reason: refund.reason,
    target_type: refund.target_type,
    target_id: refund.target_id,
    creator: showCreator(refund),
    error_code: refund.error_code,
    raw_response_code: outcome.raw_response_code ?? null,
    raw_response_description: outcome.raw_response_description ?? null,
    settled: refund.settled_currency !== null,
    settled_amount: Number(refund.settled_amount),
    settled_currency: refund.settled_currency,
    created_at: createdAt(refund.id).toISOString(),
    updated_at: refund.updated_at.toISOString(),
  }
}

/** The gift cards of a payment, as the API shows them. */
type ShownGiftCards = {
  readonly redemptions: GiftCardRedemption[]
  readonly service: TransactionGiftCardService | null
}

async function giftCardsOf(
  context: Context,
  transactions: readonly Pick<StoredTransaction, 'id' | 'has_gift_card_redemptions'>[],
): Promise<ReadonlyMap<string, ShownGiftCards>> {
  const ids = transactions.flatMap(({ id, has_gift_card_redemptions }) =>
    has_gift_card_redemptions ? id : [],
  )
  const found = await redemptions.listOfMany(context, ids)
  const serviceIds = [...found.values()].flat().map(({ gift_card_service_id }) => gift_card_service_id)
  const services = await giftCardServices.findMany(context, serviceIds)
  return new Map(
    [...found].map(([id, rows]) => {
      const service = services.get(rows[0]?.gift_card_service_id ?? '')
      return [id, { redemptions: rows.map(toRedemption), service: service ? toService(service) : null }]
    }),
  )
}

function toRedemption(row: redemptions.Redemption): GiftCardRedemption {
  return {
    type: 'gift-card-redemption',
    id: row.id,
    status: row.status,
    amount: row.amount,
    refunded_amount: row.is_reversed ? row.amount : row.refunded_amount,
    gift_card_service_redemption_id: row.gift_card_service_redemption_id,
    error_code: row.error_code,
    raw_error_code: row.raw_error_code,
    raw_error_message: row.raw_error_message,
    gift_card: {
      type: 'gift-card',
      id: row.gift_card_id,
      bin: row.bin,
      sub_bin: row.sub_bin,
      last4: row.last4,
    },
  }
}

function toService(service: giftCardServices.StoredService): TransactionGiftCardService {
  const { id, gift_card_service_definition_id, display_name } = service
  return { type: 'gift-card-service', id, gift_card_service_definition_id, display_name }
}
