import type { Masked } from '#vault'

/** What a wallet's token holds, once it is verified and opened. */
export type OpenedToken = {
  readonly instrument: OpenedInstrument
  /** Recognises the token, so that it pays once. The same for every copy of the token. */
  readonly digest: string
  /** From then on the token is refused for its age, so that its digest can be forgotten. */
  readonly expiresAt: Date
  /** What the buyer has agreed to pay. Null if the wallet does not say. */
  readonly agreed: { readonly amount: number; readonly currencyNumber: string } | null
  readonly cardholderName: string | null
  readonly assurance: Assurance | null
}

export type OpenedInstrument =
  /** A number of the device, with a proof for this payment. */
  | {
      readonly kind: 'network-token'
      readonly number: Masked
      /** MM/YY */
      readonly expirationDate: string
      readonly cryptogram: Masked
      readonly eci: string | null
    }
  /** The number of the card itself, without a proof. */
  | { readonly kind: 'card'; readonly number: Masked; readonly expirationDate: string }

export type Assurance = {
  readonly isAccountVerified: boolean | null
  readonly isCardHolderAuthenticated: boolean | null
}
