import type { Approved, Link, Message, Pending, Refused, Unknown } from './connector.ts'
import type { AccountManifest } from './manifest.ts'
import type { Secret } from './orders.ts'

/** The schemes that have a token service. */
export const TOKEN_SCHEMES = ['visa', 'amex', 'mastercard', 'discover'] as const
export type TokenScheme = (typeof TOKEN_SCHEMES)[number]

/** The merchant's own names at a scheme's token service, as the merchant account has them. */
export type Requestor = {
  readonly scheme: TokenScheme
  readonly requestorId: string
  readonly appId: string
}

/**
 * What the server asks of a token service: a number of the card's scheme that stands in for the card's, and proofs for payments with
 * it. Like a connector for payments, it never throws because of the provider. An error, or a call that takes too long, counts as
 * `unknown`.
 */
export type NetworkTokenConnector = {
  readonly manifest: AccountManifest
  /** Whose cards can get tokens. Others are never sent to it. */
  readonly schemes: readonly TokenScheme[]
  /** Whether orders need the merchant's own ids at the scheme. Else the provider's are used. */
  readonly needsRequestor: boolean
  /** Whether tokens can be suspended and resumed. All can be deleted. */
  readonly canSuspend: boolean
  readonly provision: Ask<ProvisionOrder, TokenAnswer>
  readonly change: Ask<ChangeOrder, TokenAnswer>
  /**
   * The outcome of an earlier attempt. Answers `not_found` only if the service has not seen the attempt and will refuse it if it still
   * arrives. Left out: an attempt whose answer was lost is made again. That moves no money; a spare token, which nobody uses, may be
   * left at the provider.
   */
  readonly inquire?: Ask<TokenAttempt, TokenAnswer>
  /** A value that proves one payment. A question that is asked once, and whose answer is not stored. */
  readonly makeCryptogram: Ask<CryptogramOrder, CryptogramAnswer>
  /** Reads a message of the service. `requestorOf` says under which ids it knows the token that a message names; it refuses unknown tokens. */
  readonly readNotification?: (
    message: Message,
    link: Link,
    requestorOf: (clientReference: string) => Promise<Requestor | null>,
  ) => Promise<TokenReading>
}

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

export type TokenAttempt = {
  /** Sent as the idempotency key, so that a retry never makes a second token. */
  readonly attemptId: string
  /** Null: the merchant account has no ids of its own for the scheme. */
  readonly requestor: Requestor | null
}

export type ProvisionOrder = TokenAttempt & {
  /** Our own id of the token, by which notifications name it. */
  readonly clientReference: string
  /** The service's id of the token, if an earlier answer to this attempt has told it. */
  readonly reference: string | null
  readonly number: Secret
  readonly expirationDate: string
  readonly scheme: TokenScheme
  readonly securityCode: Secret | null
  /** The name of the buyer's billing details. Null: the card is nobody's, or the buyer has no name. */
  readonly cardholderName: string | null
  readonly isMerchantInitiated: boolean
  readonly isSubsequentPayment: boolean
}

export type ChangeOrder = TokenAttempt & {
  readonly operation: 'suspend' | 'resume' | 'delete'
  /** The service's own id of the token. */
  readonly reference: string
}

/** A token as the service has made it. */
export type NewToken = {
  readonly number: Secret
  readonly expirationDate: string
  /** Null: the service does not tell it. */
  readonly paymentAccountReference: string | null
  /** An inactive token cannot be used until the issuer has verified the cardholder. */
  readonly status: 'active' | 'inactive'
}

/** `networkToken` is there if one was provisioned. `pending`: the token is being made, and its reference is known. */
export type TokenAnswer =
  | (Approved & { readonly networkToken: NewToken | null })
  | Refused
  | Unknown
  | Pending
  | { readonly outcome: 'not_found' }

export type CryptogramOrder = {
  readonly requestor: Requestor | null
  readonly reference: string
  readonly scheme: TokenScheme
  readonly isMerchantInitiated: boolean
}

export type CryptogramAnswer =
  | { readonly outcome: 'made'; readonly cryptogram: Secret; readonly eci: string | null }
  | { readonly outcome: 'refused'; readonly code: string }
  | Unknown

/** What a notification says of a token. Null: unchanged. */
export type TokenNotice = {
  readonly clientReference: string
  readonly status: 'active' | 'suspended' | 'deleted' | null
  readonly expirationDate: string | null
  /** What has become of the card behind the token. */
  readonly card: { readonly last4: string | null; readonly expirationDate: string | null } | null
}

export type TokenReading =
  | { readonly outcome: 'read'; readonly notice: TokenNotice }
  | { readonly outcome: 'rejected'; readonly message: string }
  | Unknown
