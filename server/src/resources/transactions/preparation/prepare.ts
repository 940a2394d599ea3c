import { newId } from '#domain/ids.ts'
import type { Caller } from '#platform/auth.ts'
import type { Scope } from '#platform/db.ts'
import { errors, inBody } from '#platform/errors.ts'
import { isOwnBuyer } from '#resources/buyers/find-named.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { Vault } from '#vault'
import type { Judged } from '../anti-fraud/review.ts'
import type { Keep } from '../cards/store.ts'
import type { BuyerSnapshot, Document } from '../document.ts'
import { findGiftCards, type Parts } from '../gift-card-redemptions/find-gift-cards.ts'
import type { Row, StoredTransaction } from '../store.ts'
import type { NewGuestBuyer } from '../wire/order.ts'
import type { PaymentMethodRequest } from '../wire/payment-method.ts'
import { readPaymentMethod } from '../wire/read-payment-method.ts'
import { readThreeDSecureData } from '../wire/read-three-d-secure.ts'
import type { TransactionCreate } from '../wire/transaction.ts'
import { browserComplaints } from './check-browser.ts'
import { checkCredentials } from './check-credentials.ts'
import { combinationComplaints } from './check-request.ts'
import { type FoundBuyer, findBuyer, findKeeper, type Owns } from './find-buyer.ts'
import { findPayer } from './find-payer.ts'
import { findSession } from './find-session.ts'
import type { Payer } from './payer.ts'
import { type ResolvedRequest, resolveRequest } from './resolve-request.ts'
import { withoutNumbers } from './without-numbers.ts'

/** A payment that is looked up and checked, and of which nothing is stored or sent yet. */
export type Prepared = {
  readonly row: Row
  readonly document: Document
  /** Null: gift cards pay for everything. */
  readonly payer: Payer | null
  readonly giftCards: Parts | null
  /** Null: no anti-fraud service was asked. */
  readonly judged: Judged | null
  /** Null: the card is not to be stored. */
  readonly keep: Keep | null
  /** The request's own, whole. What is stored of them holds no numbers. */
  readonly connectionOptions: Readonly<Record<string, unknown>>
  readonly paymentServiceId: string | null
  readonly isPartialAllowed: boolean
  readonly isAsyncCapture: boolean
}

/** The same, where somebody pays by other means than gift cards. */
export type PreparedWithMethod = Prepared & { readonly payer: Payer }

export type Asked = {
  readonly request: TransactionCreate
  readonly caller: Caller
  readonly address: string
  /** The payment that this one takes the place of: its buyer is who it was then. */
  readonly reauthorizedFrom?: StoredTransaction
}

/** Looks up everything that a request names, and refuses it where something is not there or does not fit. */
export async function prepare(scope: Scope, vault: Vault, asked: Asked): Promise<Prepared> {
  const { caller, address } = asked
  const { payment_method } = asked.request
  const method = payment_method ? readPaymentMethod(payment_method) : null
  const session = await findSession(scope, caller, method)
  const request = resolveRequest(asked.request, session)
  const complaints = [
    ...browserComplaints(asked.request, caller, session),
    ...combinationComplaints(request, method),
  ]
  if (complaints.length > 0) throw errors.invalid(...complaints)
  const owns = await isOwnBuyer(scope, caller)
  const payer = method && (await findPayer(scope, vault, method, { owns, session }))
  if (payer?.session) refuseCredentials(request, payer)
  const guest = (request.buyer ?? session?.buyer ?? null) as NewGuestBuyer | null
  const { buyer, shipping } =
    buyerOf(asked.reauthorizedFrom) ?? (await findBuyer(scope, request, payer, { guest, owns }))
  const document: Document = {
    payment_method: payer?.snapshot ?? null,
    instrument_type: payer?.instrumentType ?? null,
    buyer,
    shipping_details: shipping,
    metadata: request.metadata ?? session?.metadata ?? null,
    redirect_url: payer?.redirectUrl ?? null,
    three_d_secure_data: request.three_d_secure_data
      ? readThreeDSecureData(request.three_d_secure_data)
      : null,
    challenge: null,
    holds_card: false,
    connection_options: withoutNumbers(request.connection_options ?? null),
    ...previousPayment(request, payer),
    order: orderOf(request, session),
  }
  const ipAddress = caller.isEmbed ? address : null
  const giftCards = await findGiftCards(scope, vault, request, { owns, buyerId: buyer?.id ?? null })
  return {
    row: {
      ...rowOf(scope, request, document, { payer, sessionId: session?.id ?? null, ipAddress }),
      reauthorized_from_transaction_id: asked.reauthorizedFrom?.id ?? null,
      has_gift_card_redemptions: giftCards !== null,
      gift_card_amount: giftCards?.amount ?? 0,
    },
    document,
    payer,
    giftCards,
    judged: null,
    keep: request.store && method ? await keepOf(scope, method, buyer, owns) : null,
    connectionOptions: request.connection_options ?? {},
    paymentServiceId: request.payment_service_id ?? session?.payment_service_id ?? null,
    isPartialAllowed: request.allow_partial_authorization,
    isAsyncCapture: request.async_capture,
  }
}

function buyerOf(expired: StoredTransaction | undefined): FoundBuyer | undefined {
  return expired && { buyer: expired.document.buyer, shipping: expired.document.shipping_details }
}

/** Whether it is paid with a stored card, the request of a checkout session does not say. */
function refuseCredentials(request: ResolvedRequest, { source }: Payer): void {
  const details = checkCredentials({ ...request, isStored: source.kind === 'stored', isStorable: true })
  if (details.length > 0) throw errors.invalid(...details)
}

async function keepOf(
  scope: Scope,
  { body }: PaymentMethodRequest,
  buyer: BuyerSnapshot | null,
  owns: Owns,
): Promise<Keep> {
  const named = 'buyer_id' in body || 'buyer_external_identifier' in body ? body : {}
  const externalIdentifier = 'external_identifier' in body ? (body.external_identifier ?? null) : null
  await refuseTaken(scope, externalIdentifier, owns)
  return { buyerId: await findKeeper(scope, named, buyer, owns), externalIdentifier }
}

/**
 * Checked before anything is paid: a reference that is taken while the payment is under way does not undo it. A page is
 * told that the reference is taken, but not the id of another buyer's card.
 */
async function refuseTaken(scope: Scope, externalIdentifier: string | null, owns: Owns): Promise<void> {
  if (externalIdentifier === null) return
  const twin = await paymentMethods.findByExternalIdentifier(scope, externalIdentifier)
  if (twin === undefined) return
  const isShown = owns((await paymentMethods.find(scope, twin))?.buyer_id ?? null)
  const message = 'a payment method has this reference; use another one, or pay with that method'
  throw errors.duplicate(
    isShown ? twin : undefined,
    inBody('/payment_method/external_identifier', 'value_error.duplicate', message),
  )
}

/** The scheme wants to know which payment of the buyer a later one goes back to. */
function previousPayment(request: ResolvedRequest, payer: Payer | null) {
  const isLater = request.is_subsequent_payment || request.merchant_initiated
  const stored = isLater && payer?.source.kind === 'stored' ? payer.source.method : undefined
  return {
    previous_scheme_transaction_id:
      request.previous_scheme_transaction_id ?? stored?.scheme_transaction_id ?? null,
    previous_transaction_link_id: request.previous_transaction_link_id ?? stored?.transaction_link_id ?? null,
  }
}

const ORDER_FIELDS = [
  'description',
  'cart_items',
  'airline',
  'statement_descriptor',
  'recipient',
  'browser_info',
  'installment_count',
  'tax_amount',
  'amount_includes_tax',
  'merchant_tax_id',
  'purchase_order_number',
  'customer_reference_number',
  'supplier_order_number',
  'duty_amount',
  'shipping_amount',
  'account_funding_transaction',
  'anti_fraud_fingerprint',
  'integration_client',
  'three_d_secure',
  'approval_expires_at',
  'async_capture',
] as const

/** What was sent, and what the session says where the request says nothing. */
function orderOf(
  request: TransactionCreate,
  session: StoredSession | undefined,
): Readonly<Record<string, unknown>> {
  const fromSession = { cart_items: session?.cart_items, airline: session?.airline }
  const fields = ORDER_FIELDS.map((name) => [name, request[name] ?? fromSession[name as 'airline']] as const)
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== null))
}

type Linked = {
  readonly payer: Payer | null
  readonly sessionId: string | null
  readonly ipAddress: string | null
}

function rowOf(
  { clock, merchantAccountId }: Scope,
  request: ResolvedRequest,
  { buyer, payment_method: method }: Document,
  { payer, sessionId, ipAddress }: Linked,
): Row {
  const now = clock()
  const id = newId(now.getTime())
  return {
    merchant_account_id: merchantAccountId,
    id,
    intent: request.intent,
    amount: request.amount,
    currency: request.currency,
    country: request.country ?? payer?.snapshot.country ?? null,
    method: payer?.snapshot.method ?? 'gift-card',
    payment_source: request.payment_source,
    merchant_initiated: request.merchant_initiated,
    is_subsequent_payment: request.is_subsequent_payment,
    has_gift_card_redemptions: false,
    gift_card_amount: 0,
    has_gift_card_refunds: false,
    external_identifier: request.external_identifier ?? null,
    buyer_id: buyer?.id ?? null,
    buyer_external_identifier: buyer?.external_identifier ?? null,
    buyer_email_address: buyer?.billing_details?.email_address ?? null,
    ip_address: ipAddress,
    checkout_session_id: sessionId,
    payment_link_id: null,
    payment_method_id: method?.id ?? null,
    payment_method_label: method?.label ?? null,
    payment_method_scheme: method?.scheme ?? null,
    payment_method_country: payer?.cardCountry ?? method?.country ?? null,
    payment_method_fingerprint: method?.fingerprint ?? null,
    payment_method_bin: method?.details?.bin ?? null,
    reauthorized_from_transaction_id: null,
    payment_service_id: null,
    status: 'processing',
    authorized_amount: 0,
    capture_limit: 0,
    captured_amount: 0,
    capturing_amount: 0,
    refunded_amount: 0,
    refunding_amount: 0,
    released_amount: 0,
    is_capture_final: false,
    pending_review: false,
    disputed: false,
    error_code: null,
    payment_service_transaction_id: null,
    outcome: {},
    updated_at: now,
  }
}
