import type { BuyerField } from './buyer-fields.ts'
import type { Address, SaleDetails } from './sale-details.ts'

/** A card number or another secret. Text, JSON and logs show `***`; only `use` gives access to the bytes. */
export type Secret = { readonly use: <Result>(work: (bytes: Buffer) => Result) => Result }

/** How the buyer pays. */
export type Instrument =
  | {
      readonly kind: 'card'
      /** How the number reached us: typed or stored, or from a wallet. */
      readonly source: 'card' | 'googlepay_pan_only' | 'click-to-pay'
      readonly number: Secret
      /** MM/YY */
      readonly expirationDate: string
      readonly securityCode: Secret | null
      readonly scheme: string | null
    }
  | {
      readonly kind: 'network-token'
      readonly source: 'network-token' | 'click-to-pay'
      readonly token: Secret
      readonly expirationDate: string
      readonly cryptogram: Secret | null
      readonly eci: string | null
      readonly scheme: string | null
      readonly cardholderName: string | null
      /** The wallet whose token was opened: by the server, or by the merchant before. */
      readonly cardSource: 'apple-pay' | 'google-pay' | null
    }
  | {
      readonly kind: 'wallet'
      readonly wallet: 'applepay' | 'googlepay' | 'paze'
      /** The wallet's encrypted token for the provider, unchanged. */
      readonly token: Secret
      /** The second token of Paze. */
      readonly checkoutToken: Secret | null
      readonly cardholderName: string | null
      /** As the wallet names it: `Visa`, `AMEX`. */
      readonly cardScheme: string | null
      readonly cardType: string | null
      readonly assurance: WalletAssurance | null
    }
  | {
      readonly kind: 'redirect'
      readonly method: string
      readonly country: string
      readonly currency: string
      /** What the buyer has entered, of what the manifest asks for. It is kept nowhere: a repetition of the order lacks it. */
      readonly fields?: Readonly<Partial<Record<BuyerField, Secret>>>
    }
  /** The fields of the request as JSON. Of a stored bank account: `scheme`, the numbers, and the holder. */
  | { readonly kind: 'bank'; readonly payload: Secret; readonly mandate: Mandate | null }
  | { readonly kind: 'plaid'; readonly payload: Secret }
  | {
      readonly kind: 'provider-token'
      /** The payment method behind the token: `card`, `paypal` … */
      readonly method: string
      /** The token that the same service gave for it. */
      readonly token: Secret
      readonly securityCode: Secret | null
    }

export type InstrumentKind = Instrument['kind']

/** What a wallet or a scheme has given in place of a card number, before a provider is chosen for it. */
export type OfferedToken =
  | Pick<InstrumentOf<'network-token'>, 'kind' | 'scheme' | 'cardSource'>
  | (Pick<InstrumentOf<'wallet'>, 'kind' | 'wallet'> & {
      /** Null: the buyer has not paid yet, and the wallet gives what it gives to every page. */
      readonly token: Secret | null
    })

type InstrumentOf<Kind extends InstrumentKind> = Extract<Instrument, { readonly kind: Kind }>

/**
 * The buyer's permission to debit a stored account, for this payment and later ones. Null: the account is not stored, and
 * the buyer permits this payment alone.
 */
export type Mandate = {
  /** The same for every payment with the account: 32 letters and digits. */
  readonly reference: string
  /** When the buyer gave it, as in `2026-11-16T10:00:00.000Z`. */
  readonly signedAt: string
}

/** What Google Pay has verified. Null if it does not say. */
export type WalletAssurance = {
  readonly isAccountVerified: boolean | null
  readonly isCardHolderAuthenticated: boolean | null
}

/** The buyer's details for a provider. Wire names, so that connectors read what merchants send. */
export type Contact = {
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email_address: string | null
  readonly phone_number: string | null
  readonly address: Address | null
  /** Of billing details, such as a Brazilian CPF. */
  readonly tax_id?: { readonly value: string; readonly kind: string } | null
}

export type ThreeDSecureResult = {
  readonly version: string
  readonly eci: string | null
  readonly cavv: string | null
  readonly directoryTransactionId: string | null
  readonly directoryResponse: string | null
  readonly authenticationResponse: string | null
  /** Only of version 1. */
  readonly xid: string | null
  readonly cavvAlgorithm: string | null
}

/** Who pays. */
export type Buyer = {
  /** The same for every payment of the buyer: our id. Null for a guest. */
  readonly id: string | null
  readonly ipAddress: string | null
  /** As in `en` or `pt-BR`. */
  readonly locale: string | null
}

type Money = { readonly amount: number; readonly currency: string }

/** Sent to the provider as its idempotency key, so that a retry never charges twice. */
type Attempt = { readonly attemptId: string }

export type AuthorizeOrder = Attempt &
  Money & {
    readonly transactionId: string
    /** The transaction's id as 22 letters and digits, for the reference field of the provider's reports. */
    readonly reconciliationId: string
    /** `capture`: capture at once. Only sent to connectors with `directCapture`. */
    readonly intent: 'authorize' | 'capture'
    readonly country: string | null
    readonly instrument: Instrument
    readonly billing: Contact | null
    readonly shipping: Contact | null
    readonly paymentSource: 'ecommerce' | 'moto' | 'recurring' | 'installment' | 'card_on_file'
    readonly isMerchantInitiated: boolean
    readonly isSubsequentPayment: boolean
    readonly previousSchemeTransactionId: string | null
    readonly previousTransactionLinkId: string | null
    /** `provider`: the provider authenticates the buyer. Only sent to connectors with `threeDSecureByProvider`. */
    readonly threeDSecure: ThreeDSecureResult | 'provider' | null
    readonly buyer: Buyer
    /** Our id of the stored payment method, the same for every payment with it. Null or left out: it is not stored yet. */
    readonly storedMethodId?: string | null
    readonly isPartialAllowed: boolean
    /** Our address for this payment. The provider sends the buyer there after an approval: see `complete`. */
    readonly redirectUrl: string | null
    readonly details: SaleDetails
  }

export type CompleteOrder = Attempt &
  Money & {
    readonly transactionId: string
    readonly intent: 'authorize' | 'capture'
    /** The provider's own id, from the answer that asked for an approval. */
    readonly reference: string
    /** The parameters with which the buyer came back, of the address and of a form. Null: the buyer has not come back. */
    readonly returned: Readonly<Record<string, string>> | null
  }

/** An operation on an authorization, named by the provider's own id. */
type FollowUp = Attempt &
  Money & {
    readonly transactionId: string
    readonly reconciliationId: string
    readonly reference: string
    /** The amounts of the payment before this operation. */
    readonly authorizedAmount: number
    readonly capturedAmount: number
  }

export type CaptureOrder = FollowUp & {
  readonly captureId: string
  /** No other capture follows; the rest may be released. */
  readonly isFinal: boolean
  /** How old the authorization was when this capture was asked for. A repetition has the same. */
  readonly authorizationAgeMs: number
  readonly details: SaleDetails
}
/**
 * `amount` is the released amount: all that was authorized or, with `remainderVoids`, the rest that captures
 * left.
 */
export type VoidOrder = FollowUp
export type CancelOrder = Omit<FollowUp, 'reference'> & { readonly reference: string | null }
export type RefundOrder = FollowUp & {
  readonly refundId: string
  readonly reason: string | null
  /**
   * The provider's own id of a capture from which enough is left. Of a payment that was captured in one step, the
   * payment's own. Null if no single capture has enough left: a provider that refunds captures must refuse then.
   */
  readonly captureReference: string | null
}
/** `amount` is the added amount. The new total is `authorizedAmount + amount`. */
export type IncrementOrder = FollowUp

export type PayoutOrder = Attempt &
  Money & {
    readonly payoutId: string
    /** The payout's id as 22 letters and digits, for the reference field of the provider's reports. */
    readonly reconciliationId: string
    /** The card that gets the money. It has no security code. */
    readonly instrument: Instrument
    readonly billing: Contact | null
    readonly category: 'online_gambling' | null
    /** On whose behalf the money is sent. Wire names, so that connectors read what merchants send. */
    readonly merchant: PayoutMerchant | null
    readonly externalIdentifier: string | null
  }

export type PayoutMerchant = {
  readonly name: string
  readonly identification_number: string
  readonly phone_number: string
  readonly url: string
  readonly statement_descriptor: string
  readonly merchant_category_code: string
  readonly address: Address | null
}

export type TokenizeOrder = Attempt & {
  /** Our id of the token. */
  readonly tokenId: string
  readonly instrument: Instrument
  /** Where the provider sends the buyer after an approval. */
  readonly redirectUrl: string
}

export type ForgetTokenOrder = Attempt & {
  readonly tokenId: string
  readonly token: Secret
}

/** Everything that is sent under the id of an attempt, by operation. */
export type Orders = {
  readonly authorize: AuthorizeOrder
  readonly capture: CaptureOrder
  readonly void: VoidOrder
  readonly cancel: CancelOrder
  readonly refund: RefundOrder
  readonly increment: IncrementOrder
  readonly payout: PayoutOrder
  readonly tokenize: TokenizeOrder
  readonly forgetToken: ForgetTokenOrder
}

export type Operation = keyof Orders

/** A question about an attempt. */
export type Inquiry = { readonly [Name in Operation]: InquiryAbout<Name> }[Operation]

export type InquiryAbout<Name extends Operation> = Attempt & {
  readonly operation: Name
  /** The id of the transaction, the payout, or the token. */
  readonly transactionId: string
  /** The provider's id of the payment or payout, if it is known. */
  readonly reference: string | null
  /** The provider's own id of what was asked for, such as a capture or a refund, if it has answered `pending` with one. */
  readonly ownReference: string | null
  /** When the attempt was sent. The provider forgets its idempotency key some time later. */
  readonly sentAt: Date
  /**
   * What was sent, for providers that can only be asked by sending it again. The security code may be gone. Null if the
   * server no longer has all of it, or if the connector does not recover by `replay`.
   */
  readonly order: Orders[Name] | null
}

export type SessionOrder = {
  /** What the provider's script in the browser sent. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The payment that waits for its buyer. Null: the session is for the merchant's account, before any payment. */
  readonly payment: (Money & { readonly transactionId: string; readonly reference: string }) | null
}
