import { createHash } from 'node:crypto'
import type { Approved, Message, Refused, Unknown } from '#connectors/contract/connector.ts'
import type { Secret } from '#connectors/contract/orders.ts'
import type { Masked } from '#vault'

/** The schemes that have a token service, and the merchant's names at it. */
export const TOKEN_SCHEMES = ['visa', 'amex', 'mastercard', 'discover'] as const
export type TokenScheme = (typeof TOKEN_SCHEMES)[number]
export type Requestor = {
  readonly scheme: TokenScheme
  readonly requestorId: string
  readonly appId: string
}

/** Sent as the idempotency key, so that a retry never makes a second token. */
type Attempt = { readonly attemptId: string; readonly requestor: Requestor }

export type ProvisionOrder = Attempt & {
  /** Our own id of the token, by which notifications name it. */
  readonly clientReference: string
  readonly number: Secret
  readonly expirationDate: string
  readonly securityCode: Secret | null
  readonly isMerchantInitiated: boolean
  readonly isSubsequentPayment: boolean
}

export type ChangeOrder = Attempt & {
  readonly operation: 'suspend' | 'resume' | 'delete'
  /** The service's own id of the token. */
  readonly reference: string
}

/** A token as the service has made it. */
export type NewToken = {
  readonly number: Masked
  readonly expirationDate: string
  readonly paymentAccountReference: string
  /** An inactive token cannot be used until the issuer has verified the cardholder. */
  readonly status: 'active' | 'inactive'
}

/** `networkToken` is there if one was provisioned. */
export type TokenAnswer =
  | (Approved & { readonly networkToken: NewToken | null })
  | Refused
  | Unknown
  | { readonly outcome: 'not_found' }

export type CryptogramAnswer =
  | { readonly outcome: 'made'; readonly cryptogram: Masked; readonly eci: string | null }
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

/** The token services of the schemes. They never throw: whatever they do is an answer. */
export type TokenService = {
  readonly provision: (order: ProvisionOrder) => Promise<TokenAnswer>
  readonly change: (order: ChangeOrder) => Promise<TokenAnswer>
  /**
   * The outcome of an earlier attempt. Answers `not_found` only if the service has not seen the attempt and
   * will refuse it if it still arrives.
   */
  readonly inquire: (attempt: Attempt) => Promise<TokenAnswer>
  /** A value that proves one payment. A question that is asked once, and whose answer is not stored. */
  readonly makeCryptogram: (asked: {
    readonly requestor: Requestor
    readonly reference: string
    readonly isMerchantInitiated: boolean
  }) => Promise<CryptogramAnswer>
  /** `requestorOf` says under which ids the service knows the token that a message names. It refuses unknown ones. */
  readonly readNotification: (
    message: Message,
    requestorOf: (clientReference: string) => Promise<Requestor>,
  ) => Promise<
    | { readonly outcome: 'read'; readonly notice: TokenNotice }
    | { readonly outcome: 'rejected'; readonly message: string }
    | Unknown
  >
}

/**
 * Attempts name the service that they ask, and services take turns by it. The token services are no service accounts, so
 * the id follows from merchant account and scheme: one that is slow does not delay the others.
 */
export function tokenServiceId(merchantAccountId: string, scheme: TokenScheme): string {
  const hash = createHash('sha256').update(`${scheme} token service of ${merchantAccountId}`).digest('hex')
  // A UUID of version 8 (RFC 9562), whose other digits are free.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}
