import type { CardScheme } from '#domain/card-scheme.ts'
import { newId } from '#domain/ids.ts'
import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { isOwnBuyer } from '#resources/buyers/find-named.ts'
import type { PageForm } from '#resources/checkout/sessions/page/claim.ts'
import type { LinkForm } from '#resources/payment-links/claim.ts'
import { readPaymentMethod } from '#resources/transactions/wire/payment-method.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { type Document, withoutNumbers } from '../document.ts'
import { PROCESSING } from '../state.ts'
import type { Keep } from '../store/cards.ts'
import type { Row, StoredTransaction } from '../store/payments.ts'
import { browserComplaints, orderComplaints } from './check-request.ts'
import { type EnteredContact, type FoundBuyer, findBuyer, findKeep, withEntered } from './find-buyer.ts'
import { findGiftCards, type Parts } from './find-gift-cards.ts'
import { findPayer } from './find-payer.ts'
import { findSession, type Order, resolve } from './order.ts'
import type { Payer } from './payer.ts'

/** A payment whose parts are found and checked. Nothing of it is stored or sent yet. */
export type Prepared = {
  readonly once: Once
  readonly row: Row
  readonly document: Document
  /** Null: gift cards pay for everything. */
  readonly payer: Payer | null
  readonly giftCards: Parts | null
  /** Null: the card is not to be stored. */
  readonly keep: Keep | null
  /** As in the request. The document has them without anything that could be a card number. */
  readonly connectionOptions: Readonly<Record<string, unknown>>
  readonly paymentServiceId: string | null
  readonly isPartialAllowed: boolean
  readonly isAsyncCapture: boolean
  /** The payment link that the buyer pays. */
  readonly paymentLink: LinkForm | null
  /** The page of a checkout session on which the buyer pays. */
  readonly checkoutPage: PageForm | null
}

/** A payment that gift cards do not pay alone. */
export type PreparedWithMethod = Prepared & { readonly payer: Payer }

export type Asked = {
  readonly once: Once
  readonly request: TransactionCreate
  readonly caller: Caller
  readonly address: string
  /** The expired payment that this one replaces. It gives the buyer, as of that time. */
  readonly reauthorizedFrom?: StoredTransaction
  /** The payment link on whose page the buyer pays. It gives the buyer, as of its creation. */
  readonly paymentLink?: LinkForm & { readonly buyer: FoundBuyer }
  /** The page of a checkout session on which the buyer pays. */
  readonly checkoutPage?: PageForm
  /** The scheme that the buyer chose on that page, of a card that carries several. */
  readonly chosenScheme?: CardScheme
  /** What the buyer has entered there, and the order lacked. */
  readonly contact?: EnteredContact
}

type Needs = Pick<Engine, 'vault' | 'providers'>

/**
 * Makes a payment of a request in three steps: resolve the order, find the buyer, payment method and gift cards that it
 * names, compose the row and the document.
 */
export async function prepare(scope: Scope, engine: Needs, asked: Asked): Promise<Prepared> {
  const order = await resolveOrder(scope, asked)
  const found = await find(scope, engine, asked, order)
  return compose(scope, asked, order, found)
}

/** Merges request, checkout session and defaults, and refuses an order that contradicts itself or its session. */
async function resolveOrder(scope: Scope, { request, caller }: Asked): Promise<Order> {
  const method = request.payment_method ? readPaymentMethod(request.payment_method) : null
  const session = await findSession(scope, caller, method)
  const order = resolve(request, { method, session })
  const complaints = [...browserComplaints(request, caller, session), ...orderComplaints(order)]
  if (complaints.length > 0) throw errors.invalid(...complaints)
  return order
}

type Found = FoundBuyer & {
  readonly payer: Payer | null
  readonly giftCards: Parts | null
  readonly keep: Keep | null
}

/** Looks up everything that the order names. Refuses what does not exist or is not the caller's. */
async function find(scope: Scope, engine: Needs, asked: Asked, order: Order): Promise<Found> {
  const owns = await isOwnBuyer(scope, asked.caller)
  const payer = await findPayer(scope, engine, order, { owns, chosenScheme: asked.chosenScheme })
  refuseOtherCurrency(order, payer)
  const known = buyerOf(asked) ?? (await findBuyer(scope, order, payer, owns))
  const { buyer, shipping } = asked.contact ? withEntered(known, asked.contact) : known
  const isShared = order.gift_cards.length > 0
  const giftCards = isShared
    ? await findGiftCards(scope, engine.vault, order, { owns, buyerId: buyer?.id ?? null })
    : null
  const keep = await findKeep(scope, order, buyer, owns)
  return { payer, buyer, shipping, giftCards, keep }
}

/** The scheme of a bank account moves one currency only, and a buyer has approved a wallet for one. */
function refuseOtherCurrency({ currency }: Order, payer: Payer | null): void {
  const { mode, currency: own = null } = payer?.snapshot ?? {}
  if ((mode !== 'bank' && mode !== 'redirect') || own === null || own === currency) return
  const what = mode === 'bank' ? 'bank account' : 'stored method'
  const message = `must be ${own}: the ${what} of payment_method cannot pay in another currency`
  throw errors.invalid(inBody('/currency', 'value_error.conflict', message))
}

/** The buyer as known earlier. */
function buyerOf({ reauthorizedFrom: expired, paymentLink }: Asked): FoundBuyer | undefined {
  if (expired) return { buyer: expired.document.buyer, shipping: expired.document.shipping_details }
  return paymentLink?.buyer
}

function compose(scope: Scope, asked: Asked, order: Order, found: Found): Prepared {
  return {
    once: asked.once,
    row: rowOf(scope, asked, order, found),
    document: documentOf(order, found),
    payer: found.payer,
    giftCards: found.giftCards,
    keep: found.keep,
    connectionOptions: order.connection_options ?? {},
    paymentServiceId: order.payment_service_id,
    // Beside gift cards the payment method must pay its whole part. Otherwise the order would look paid and
    // be short.
    isPartialAllowed: order.allow_partial_authorization && !found.giftCards,
    isAsyncCapture: order.details.async_capture === true,
    paymentLink: asked.paymentLink ?? null,
    checkoutPage: asked.checkoutPage ?? null,
  }
}

function documentOf(order: Order, { payer, buyer, shipping }: Found): Document {
  return {
    payment_method: payer?.snapshot ?? null,
    instrument_type: payer?.instrumentType ?? null,
    buyer,
    shipping_details: shipping,
    metadata: order.metadata,
    redirect_url: payer?.redirectUrl ?? null,
    three_d_secure_data: order.three_d_secure_data,
    challenge: null,
    holds_card: false,
    connection_options: withoutNumbers(order.connection_options),
    ...previousPayment(order, payer),
    order: order.details,
  }
}

/** Later payments of a series tell the scheme which payment began it. */
function previousPayment(order: Order, payer: Payer | null) {
  const isLater = order.is_subsequent_payment || order.merchant_initiated
  const stored = isLater && payer?.source.kind === 'stored' ? payer.source.method : undefined
  return {
    previous_scheme_transaction_id:
      order.previous_scheme_transaction_id ?? stored?.scheme_transaction_id ?? null,
    previous_transaction_link_id: order.previous_transaction_link_id ?? stored?.transaction_link_id ?? null,
  }
}

/** What no provider has answered yet. */
export const UNTOUCHED = {
  payment_service_id: null,
  ...PROCESSING,
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
  settled_amount: '0',
  settled_currency: null,
  uncollected_amount: 0,
  error_code: null,
  payment_service_transaction_id: null,
  outcome: {},
} satisfies Partial<Row>

function rowOf(
  { clock, merchantAccountId }: Scope,
  { caller, address, reauthorizedFrom, paymentLink }: Asked,
  order: Order,
  { payer, buyer, giftCards }: Found,
): Row {
  const method = payer?.snapshot
  const now = clock()
  const id = newId(now.getTime())
  return {
    merchant_account_id: merchantAccountId,
    id,
    intent: order.intent,
    amount: order.amount,
    currency: order.currency,
    country: order.country ?? method?.country ?? null,
    method: method?.method ?? 'gift-card',
    payment_source: order.payment_source,
    merchant_initiated: order.merchant_initiated,
    is_subsequent_payment: order.is_subsequent_payment,
    has_gift_card_redemptions: giftCards !== null,
    gift_card_amount: giftCards?.amount ?? 0,
    has_gift_card_refunds: false,
    external_identifier: order.external_identifier,
    buyer_id: buyer?.id ?? null,
    buyer_external_identifier: buyer?.external_identifier ?? null,
    buyer_email_address: buyer?.billing_details?.email_address ?? null,
    ip_address: caller.isEmbed || paymentLink ? address : null,
    checkout_session_id: order.session?.id ?? null,
    payment_link_id: paymentLink?.id ?? null,
    payment_method_id: method?.id ?? null,
    payment_method_label: method?.label ?? null,
    payment_method_scheme: method?.scheme ?? null,
    payment_method_country: payer?.cardCountry ?? method?.country ?? null,
    payment_method_fingerprint: method?.fingerprint ?? null,
    payment_method_bin: method?.details?.bin ?? null,
    reauthorized_from_transaction_id: reauthorizedFrom?.id ?? null,
    ...UNTOUCHED,
    updated_at: now,
  }
}
