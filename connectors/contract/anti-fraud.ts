import type { Link, Message, Unknown } from './connector.ts'
import type { AccountManifest } from './manifest.ts'

/**
 * What the server asks of a provider that tells fraud from honest payments. Like a connector for payments, it never
 * throws for what the provider does, and what it throws or what takes too long counts as `unknown`.
 */
export type AntiFraudConnector = {
  readonly manifest: AccountManifest
  /** What the provider thinks of a payment that is about to be made. It moves no money, so it can be asked again. */
  readonly decide: Ask<DecideOrder, DecideAnswer>
  /** Reads the provider's word on a payment that it had put under review. `rejected` when it is not from the provider. */
  readonly readNotification?: Ask<Message, ReviewNotification>
}

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

export type DecideOrder = {
  readonly transactionId: string
  readonly amount: number
  readonly currency: string
  readonly country: string | null
  readonly intent: 'authorize' | 'capture'
  readonly paymentSource: string
  readonly isMerchantInitiated: boolean
  readonly isSubsequentPayment: boolean
  readonly ipAddress: string | null
  /** What the provider's script found in the browser. */
  readonly fingerprint: string | null
  /** As in `card`, or `gift-card` where gift cards pay for everything. */
  readonly method: string
  readonly scheme: string | null
  /** The first digits. No more of the card's number leaves us for this. */
  readonly bin: string | null
  readonly cardCountry: string | null
  readonly buyer: DecideBuyer | null
  readonly metadata: Readonly<Record<string, string>> | null
}

export type DecideBuyer = {
  readonly id: string | null
  readonly externalIdentifier: string | null
  readonly emailAddress: string | null
  readonly phoneNumber: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly country: string | null
}

export type DecideAnswer =
  | {
      readonly outcome: 'decided'
      readonly decision: 'accept' | 'reject' | 'review'
      /** The provider's own id of its decision. */
      readonly reference: string | null
    }
  /** It had nothing to go by. */
  | { readonly outcome: 'skipped'; readonly reason: string }
  /** It could not be asked. */
  | { readonly outcome: 'unavailable'; readonly reason: string }
  /** It answered with an error. */
  | { readonly outcome: 'error'; readonly reason: string }
  | Unknown

/** What came of a review. */
export type ReviewNotification =
  | { readonly outcome: 'read'; readonly transactionId: string; readonly decision: 'accept' | 'reject' }
  /** Genuine, and of no interest to us. */
  | { readonly outcome: 'ignored' }
  | { readonly outcome: 'rejected'; readonly message: string }
