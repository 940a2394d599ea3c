/** What the page on which a buyer pays gets from the server. Both sides read these types. */

import type { CardScheme } from './card-scheme.ts'
import type { ContactField } from './contact.ts'
import type { Locale } from './locale.ts'

/** How the order stands. `closed`: it was paid, and the payment failed later. */
export type OrderStatus = 'open' | 'processing' | 'paid' | 'expired' | 'closed'

/** Why a payment failed, as far as a buyer is told. Suspected fraud is not mentioned. */
export type FailureReason =
  | 'no_funds'
  | 'expired_card'
  | 'wrong_code'
  | 'wrong_expiry'
  | 'wrong_kind'
  | 'unavailable'
  | 'not_approved'
  | 'declined'
  | 'failed'

/** The payment that this browser has made. */
export type OwnPayment = {
  readonly id: string
  readonly outcome: 'pending' | 'succeeded' | 'failed'
  readonly reason: FailureReason | null
  /** Where the buyer approves. Null: nowhere, or not any more. */
  readonly approval_url: string | null
  /** Our page that shows the same in a frame. Null: the approval needs the whole window. */
  readonly approval_frame_url: string | null
  /** Where the shop wants the buyer back, with the payment in the address. */
  readonly return_url: string | null
  readonly method: string
  readonly scheme: CardScheme | null
  readonly label: string | null
  readonly gift_card_amount: number
  readonly created_at: string
  /** The merchant's own reference. */
  readonly external_identifier: string | null
}

export type PageState = {
  readonly status: OrderStatus
  /** The number of payments that were tried. A form that names another one is outdated. */
  readonly tries: number
  /** What is due, or what its payment took. A page that shows something else is outdated. */
  readonly amount: number
  readonly currency: string
  /** Until when the payment under way waits for its buyer to approve. Null: it does not. */
  readonly waits_until: string | null
  /** Null: this browser has made none, or none that it can show to have made. */
  readonly own: OwnPayment | null
}

type CartLine = { readonly name: string; readonly quantity: number; readonly total: string }

export type SavedCard = {
  readonly id: string
  readonly scheme: CardScheme
  readonly label: string | null
  readonly expiration_date: string | null
}

type OtherMethod = {
  readonly method: string
  readonly label: string
  readonly icon_url: string | null
  /** What the buyer enters. */
  readonly fields: readonly EnteredField[]
}

export type EnteredField = {
  readonly name: 'blik_code' | 'payto_account'
  /** As a regular expression. */
  readonly pattern: string
  readonly length_max: number
  readonly is_numeric: boolean
}

export type Wallet = {
  readonly method: 'applepay' | 'googlepay'
  readonly merchant_name: string
  readonly schemes: readonly string[]
  readonly gateway: string | null
  readonly gateway_merchant_id: string | null
  /** What Google calls the merchant. */
  readonly merchant_id: string | null
  /** The frame with Google's own button. Null: the merchant or the operator does not want its script. */
  readonly button: { readonly url: string; readonly merchant_info: object } | null
}

export type Look = {
  readonly accent: string
  readonly on_accent: string
  readonly accent_dark: string
  readonly on_accent_dark: string
  readonly radius: 'none' | 'small' | 'medium' | 'large'
  readonly font: 'geist' | 'system' | 'humanist' | 'rounded' | 'serif' | 'mono'
}

/** Why there is no order to show. */
export type Trouble = 'unknown' | 'too_many' | 'broken'

export type PageFacts = {
  readonly locale: Locale
  readonly look: Look
  /** Null: there is only `trouble` to tell. */
  readonly order: OrderFacts | null
  readonly trouble: Trouble | null
  /** Whether receipts can be sent by e-mail. */
  readonly sends_receipts?: boolean
  /** The origin whose page shows this one in a frame, with our loader. It is one that the merchant allows. */
  readonly embed: string | null
}

export type OrderFacts = {
  /** Where the page asks and pays. */
  readonly path: string
  readonly is_preview: boolean
  readonly kind: 'payment-link' | 'checkout-session'
  readonly merchant: {
    readonly name: string
    readonly url: string | null
    readonly logo_url: string | null
    readonly banner_url: string | null
    readonly terms_url: string | null
    readonly message: string | null
  }
  readonly amount: number
  readonly currency: string
  /** How many digits of an amount come after the decimal point. Null: ISO 4217 has withdrawn the currency. */
  readonly minor_units: number | null
  readonly country: string | null
  /** What the buyer is asked beside how to pay. */
  readonly asks: readonly ContactField[]
  readonly cart: readonly CartLine[]
  readonly expires_at: string
  readonly takes_cards: boolean
  readonly saved_cards: readonly SavedCard[]
  /** Whether a stored card is paid with its security code. */
  readonly asks_code: boolean
  readonly methods: readonly OtherMethod[]
  readonly wallets: readonly Wallet[]
  readonly takes_gift_cards: boolean
  readonly has_buyer: boolean
  /** The address of the frame in which anti-fraud services learn about the device. Null: none does. */
  readonly device_url: string | null
  readonly save: 'never' | 'ask' | 'always'
  readonly state: PageState
}

/** A gift card that can pay, with what is on it. */
export type GiftCardBalance = {
  /** Null for one that the buyer has typed. */
  readonly id: string | null
  readonly last4: string
  readonly balance: number | null
  readonly currency: string | null
}
