import type { Caller, Pinned } from '#platform/access/auth.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import * as buyers from '#resources/buyers/store.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import * as checkoutSessions from '#resources/checkout/sessions/store.ts'
import type { TransactionConnectionOptions } from '#resources/transactions/wire/connection-options/schemas.ts'
import type { NewTransactionGiftCard } from '#resources/transactions/wire/gift-card.ts'
import type { Intent, Metadata, NewGuestBuyer, PaymentSource } from '#resources/transactions/wire/order.ts'
import type { PaymentMethodRequest } from '#resources/transactions/wire/payment-method.ts'
import {
  readThreeDSecureData,
  type ThreeDSecureRequest,
} from '#resources/transactions/wire/three-d-secure.ts'
import type { TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import { ItemGone, type Masked, type Vault, WrongItem } from '#vault'
import type { OrderDetails } from '../document.ts'
import { copyItem } from '../store/cards.ts'

/** A payment to be made, with no gaps. All later steps of preparation read this, not the request. */
export type Order = {
  readonly amount: number
  readonly currency: string
  readonly country: string | null
  readonly intent: Intent
  readonly payment_source: PaymentSource
  readonly merchant_initiated: boolean
  readonly is_subsequent_payment: boolean
  readonly external_identifier: string | null
  readonly method: PaymentMethodRequest | null
  readonly gift_cards: readonly NewTransactionGiftCard[]
  readonly store: boolean
  readonly allow_partial_authorization: boolean
  readonly buyer_id: string | null
  readonly buyer_external_identifier: string | null
  /**
   * A buyer of this payment only. A buyer that the request names, or the owner of a stored method, comes
   * first.
   */
  readonly guest: NewGuestBuyer | null
  readonly shipping_details_id: string | null
  readonly metadata: Metadata | null
  readonly payment_service_id: string | null
  readonly connection_options: TransactionConnectionOptions | null
  readonly three_d_secure_data: ThreeDSecureRequest | null
  readonly previous_scheme_transaction_id: string | null
  readonly previous_transaction_link_id: string | null
  readonly details: OrderDetails
  /** The checkout session of the payment. Its order is merged already; the card entered in it is not. */
  readonly session: StoredSession | null
}

type Given = { readonly method: PaymentMethodRequest | null; readonly session: StoredSession | undefined }

/** Fills gaps of the request from its checkout session, then from defaults. The only place that merges them. */
export function resolve(request: TransactionCreate, { method, session }: Given): Order {
  return {
    amount: request.amount,
    currency: request.currency,
    country: request.country ?? session?.country ?? null,
    intent: request.intent ?? session?.intent ?? 'authorize',
    payment_source: request.payment_source ?? session?.payment_source ?? 'ecommerce',
    merchant_initiated: request.merchant_initiated ?? session?.merchant_initiated ?? false,
    is_subsequent_payment: request.is_subsequent_payment ?? session?.is_subsequent_payment ?? false,
    external_identifier: request.external_identifier ?? null,
    method,
    gift_cards: request.gift_cards ?? [],
    store: request.store,
    allow_partial_authorization: request.allow_partial_authorization,
    buyer_id: request.buyer_id ?? null,
    buyer_external_identifier: request.buyer_external_identifier ?? null,
    guest: request.buyer ?? session?.buyer ?? null,
    shipping_details_id: request.shipping_details_id ?? null,
    metadata: request.metadata ?? session?.metadata ?? null,
    payment_service_id: request.payment_service_id ?? session?.payment_service_id ?? null,
    connection_options: request.connection_options ?? null,
    three_d_secure_data: request.three_d_secure_data
      ? readThreeDSecureData(request.three_d_secure_data)
      : null,
    previous_scheme_transaction_id: request.previous_scheme_transaction_id ?? null,
    previous_transaction_link_id: request.previous_transaction_link_id ?? null,
    details: detailsOf(request, session),
    session: session ?? null,
  }
}

type Gaps = { readonly [Name in keyof Required<OrderDetails>]: OrderDetails[Name] | null | undefined }

function detailsOf(request: TransactionCreate, session: StoredSession | undefined): OrderDetails {
  return withoutGaps({
    description: request.description,
    cart_items: request.cart_items ?? session?.cart_items,
    airline: request.airline ?? session?.airline,
    statement_descriptor: request.statement_descriptor,
    recipient: request.recipient,
    browser_info: request.browser_info,
    installment_count: request.installment_count,
    tax_amount: request.tax_amount,
    amount_includes_tax: request.amount_includes_tax,
    merchant_tax_id: request.merchant_tax_id,
    purchase_order_number: request.purchase_order_number,
    customer_reference_number: request.customer_reference_number,
    supplier_order_number: request.supplier_order_number,
    duty_amount: request.duty_amount,
    shipping_amount: request.shipping_amount,
    account_funding_transaction: request.account_funding_transaction,
    anti_fraud_fingerprint: request.anti_fraud_fingerprint,
    integration_client: request.integration_client,
    three_d_secure: request.three_d_secure,
    approval_expires_at: request.approval_expires_at,
    async_capture: request.async_capture,
  })
}

function withoutGaps(fields: Gaps): OrderDetails {
  const said = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(said) as OrderDetails
}

type Session = checkoutSessions.StoredSession
type Opened = {
  /** As of the moment when its card was opened. */
  readonly session: Session
  readonly number: Masked | null
  readonly securityCode: Masked | null
}

/** The claim of a token may be any text. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The checkout session that the request pays with, or the one of the browser token. */
export async function findSession(
  scope: Scope,
  { pinned }: Caller,
  method: PaymentMethodRequest | null,
): Promise<Session | undefined> {
  const named = method?.kind === 'checkout-session' ? method.body.id : undefined
  const { checkout_session_id: linked } = pinned
  if (typeof linked !== 'string') return named ? findEntered(scope, pinned, named) : undefined
  if (named && named !== linked.toLowerCase()) {
    const message = 'the token belongs to another checkout session'
    throw errors.invalid(inBody('/payment_method/id', 'value_error.conflict', message))
  }
  const session = UUID.test(linked) ? await checkoutSessions.findForPayment(scope, linked) : undefined
  if (!session) throw noLinkedSession()
  if (!(await isOfPinnedBuyer(scope, pinned, session))) {
    const message = 'the token and its checkout session name different buyers'
    throw errors.invalid(inBody('/checkout_session_id', 'value_error.conflict', message))
  }
  if (named) refuseUnentered(session)
  else if (session.transaction_id !== null) throw paidAlready('/checkout_session_id')
  return session
}

async function findEntered(scope: Scope, pinned: Pinned, id: string): Promise<Session> {
  const session = await checkoutSessions.findForPayment(scope, id)
  if (!session || !(await isOfPinnedBuyer(scope, pinned, session))) throw noSession()
  refuseUnentered(session)
  return session
}

/** Refuses a session that is already paid, or in which the buyer has entered no payment method. */
function refuseUnentered(session: Session): void {
  if (session.transaction_id !== null) throw paidAlready('/payment_method/id')
  if (session.method === null) throw unusable('nothing has been entered in the checkout session yet')
  if (session.method === 'click-to-pay') {
    throw unusable('click to pay is not available in this merchant account')
  }
}

/** A page whose token pins a buyer finds no sessions of other buyers. A session need not name a buyer. */
async function isOfPinnedBuyer(scope: Scope, pinned: Pinned, { buyer }: Session): Promise<boolean> {
  const named = buyer?.external_identifier
  const { buyer_id: id, buyer_external_identifier: reference } = pinned
  if (!named || (id === undefined && reference === undefined)) return true
  if (id === undefined) return reference === named
  return (await buyers.find(scope, String(id)))?.external_identifier === named
}

/**
 * Copies the card of a checkout session out of the vault, for the length of a request. If the buyer enters another one at that
 * moment, the payment takes that: it is read again under a lock, so that nobody who enters again and again can hold it up.
 */
export async function openSession(scope: Scope, vault: Vault, session: Session): Promise<Opened> {
  try {
    return await copyEntered(scope, vault, session)
  } catch (error) {
    if (!(error instanceof ItemGone)) throw error
    return inTransaction(scope, async (tx) => {
      const now = await checkoutSessions.lockForPayment(tx, session.id)
      if (!now) throw noSession()
      refuseUnentered(now)
      return copyEntered(tx, vault, now)
    })
  }
}

async function copyEntered(scope: Scope, vault: Vault, session: Session): Promise<Opened> {
  const { number_token, security_code_token, fingerprint } = session
  const at = { type: 'checkout-session', id: session.id }
  try {
    return {
      session,
      number: await copyItem(scope, vault, { ...at, token: number_token, fingerprint }),
      securityCode: await copyItem(scope, vault, { ...at, token: security_code_token }),
    }
  } catch (error) {
    if (!(error instanceof WrongItem)) throw error
    throw unusable('the card in the checkout session cannot be used; enter it again')
  }
}

/** The error for a checkout session that cannot pay. */
export function unusable(message: string): ApiError {
  return errors.invalid(inBody('/payment_method/id', 'value_error.not_found', message))
}

export function noSession(): ApiError {
  return unusable('there is no such checkout session, or it has expired')
}

export function noLinkedSession(): ApiError {
  const message = 'the checkout session of the token has expired'
  return errors.invalid(inBody('/checkout_session_id', 'value_error.not_found', message))
}

export function paidAlready(pointer: '/payment_method/id' | '/checkout_session_id'): ApiError {
  return errors.invalid(inBody(pointer, 'value_error.conflict', 'the checkout session is paid already'))
}
