import type { Contact, Instrument, InstrumentKind } from '#connectors/contract/orders.ts'
import type { SaleDetails } from '#connectors/contract/sale-details.ts'
import type { ChallengeResult } from '#connectors/contract/three-d-secure.ts'
import type { CardType } from '#domain/card.ts'
import type { BillingDetails } from '#resources/buyers/schemas.ts'
import type { ThreeDSecureRequest } from '#resources/transactions/wire/three-d-secure.ts'
import type { InstrumentType, TransactionCreate } from '#resources/transactions/wire/transaction.ts'
import type { KeptDecision } from './kept-decision.ts'

/**
 * What the caller asked for and whom the payment concerns, at that time: later changes of the buyer or the
 * stored card do not show. It never holds a card number, a security code, or a wallet's token.
 */
export type Document = {
  readonly payment_method: PaymentMethodSnapshot | null
  readonly instrument_type: InstrumentType | null
  readonly buyer: BuyerSnapshot | null
  readonly shipping_details: ShippingSnapshot | null
  readonly metadata: Readonly<Record<string, string>> | null
  /** The result of an authentication outside of this service. */
  readonly three_d_secure_data: ThreeDSecureRequest | null
  readonly challenge: Challenge | null
  /** Whether the vault holds a card until the payment is decided. */
  readonly holds_card: boolean
  /** Where the buyer returns after approving. */
  readonly redirect_url: string | null
  /** Options for connectors, also used by captures, voids and refunds. */
  readonly connection_options: Readonly<Record<string, unknown>> | null
  readonly previous_scheme_transaction_id: string | null
  readonly previous_transaction_link_id: string | null
  readonly order: OrderDetails
  /** What rules decided about the payment, as far as it needs that later. Absent: no rules. */
  readonly flow?: KeptDecision
}

/** The rest of the order, as it was sent. Fields that were left out are not stored. */
export type OrderDetails = {
  readonly [Name in OrderDetail]?: NonNullable<TransactionCreate[Name]>
}

/** What we tell connectors about the sale, and what we act on ourselves. */
type OrderDetail =
  | keyof SaleDetails
  | 'anti_fraud_fingerprint'
  | 'integration_client'
  | 'three_d_secure'
  | 'approval_expires_at'
  | 'async_capture'

/** What 3-D Secure wants of the buyer's browser, and what we need to go on after it. */
export type Challenge = {
  /**
   * `device`: the browser tells about itself, and the issuer is asked after that. `asked`: the server is being asked, for one of the
   * browser's answers. Absent: the issuer asks the buyer.
   */
  readonly stage?: 'device' | 'asked'
  /** Null until the issuer was asked. */
  readonly version: string | null
  readonly directory_transaction_id: string | null
  /** The 3-D Secure service. Absent: the simulator. */
  readonly three_ds_service_id?: string
  /** What the server needs again, and what the browser is to show, sealed. */
  readonly sealed?: string
  /** Of older payments: what a simulated issuer answers once the buyer has approved. */
  readonly result?: ChallengeResult
  /** The payment service that the merchant chose. */
  readonly payment_service_id: string | null
  readonly is_partial_allowed: boolean
}

export type PaymentMethodSnapshot = {
  readonly id: string | null
  readonly method: string
  readonly mode: string | null
  readonly label: string | null
  readonly scheme: string | null
  readonly expiration_date: string | null
  readonly fingerprint: string | null
  readonly country: string | null
  readonly currency: string | null
  readonly external_identifier: string | null
  readonly last_replaced_at: string | null
  /** The scheme's name of the account behind a stored card, if it is known. */
  readonly payment_account_reference?: string | null
  readonly details: {
    readonly bin: string | null
    readonly card_type: CardType | null
    readonly card_issuer_name: string | null
  } | null
}

/** Of a payment method that nothing more is known about. */
export const NOTHING_KNOWN = {
  id: null,
  label: null,
  scheme: null,
  expiration_date: null,
  fingerprint: null,
  country: null,
  currency: null,
  external_identifier: null,
  last_replaced_at: null,
  details: null,
} as const

export type BuyerSnapshot = {
  readonly id: string | null
  readonly display_name: string | null
  readonly external_identifier: string | null
  readonly account_number: string | null
  readonly billing_details: BillingDetails | null
}

export type ShippingSnapshot = Contact & { readonly id: string | null; readonly buyer_id: string | null }

/** The API's name for an instrument. */
export function instrumentTypeOf(instrument: Instrument): InstrumentType {
  switch (instrument.kind) {
    case 'card':
      return 'pan'
    case 'network-token':
      return 'network_token'
    case 'wallet':
      return instrument.wallet === 'paze' ? 'card_token' : instrument.wallet
    case 'redirect':
      return 'redirect'
    case 'bank':
    case 'plaid':
      return instrument.kind
    case 'provider-token':
      return instrument.method === 'card' ? 'card_token' : 'redirect_token'
  }
}

/** The connectors' name for an instrument. Both stored and typed cards are `card`. */
export function instrumentKindOf(type: InstrumentType): InstrumentKind {
  switch (type) {
    case 'pan':
      return 'card'
    case 'network_token':
      return 'network-token'
    case 'applepay':
    case 'googlepay':
    case 'card_token':
      return 'wallet'
    case 'redirect':
      return 'redirect'
    case 'redirect_token':
      return 'provider-token'
    case 'bank':
    case 'plaid':
      return type
  }
}

/** Matches texts that are as long as a card number. */
const LIKE_A_NUMBER = /\d(?:[ -]?\d){11,18}/

/** Removes every part that could be a card number, because documents hold none. */
export function withoutNumbers<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter(isHarmless).map(withoutNumbers) as Value
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([name, inner]) => isHarmless(name) && isHarmless(inner))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutNumbers(inner)])) as Value
}

function isHarmless(value: unknown): boolean {
  return typeof value === 'object' || !LIKE_A_NUMBER.test(String(value))
}
