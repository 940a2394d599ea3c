import type { Instrument } from '#connectors/contract/orders.ts'
import type { CardType } from '#domain/card.ts'
import type { CardScheme } from '#domain/card-scheme.ts'
import type { CardFacts } from '#resources/card-details/store.ts'
import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import type * as paymentMethods from '#resources/payment-methods/store.ts'
import type { InstrumentType } from '#resources/transactions/wire/transaction.ts'
import type { Masked } from '#vault'
import type { PaymentMethodSnapshot } from '../document.ts'
import type { NewEvent } from '../store/events.ts'
import type { WalletToken } from '../store/wallet-tokens.ts'

/** Where to get the card number, or the token in its place, when the provider is asked. */
export type Source =
  | {
      readonly kind: 'typed'
      readonly via: Extract<Instrument, { kind: 'card' }>['source']
      readonly number: Masked
      readonly securityCode: Masked | null
      readonly expirationDate: string
      readonly facts: CardFacts
      readonly cardType: CardType | null
    }
  | {
      readonly kind: 'stored'
      readonly method: paymentMethods.StoredMethod
      readonly securityCode: Masked | null
    }
  /** A token or payload that needs nothing from us. */
  | { readonly kind: 'ready'; readonly instrument: Instrument }

/** The payment method, and what we may show of it. */
export type Payer = {
  readonly source: Source
  /** The checkout session in which it was entered. */
  readonly session: StoredSession | null
  readonly instrumentType: InstrumentType
  readonly method: string
  readonly snapshot: PaymentMethodSnapshot
  readonly scheme: CardScheme | null
  readonly cardCountry: string | null
  readonly redirectUrl: string | null
  /** What the first commit records of a wallet's token that we have opened. */
  readonly walletToken?: WalletToken & { readonly event: NewEvent }
  /** The services that can charge it. Absent: all that take the method. */
  readonly serviceIds?: readonly string[]
}

/** Whether the caller may use this buyer's stored things. */
export type Owns = (buyerId: string | null) => boolean
