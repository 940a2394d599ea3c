import type { DisputeStage, Link, Message, Unknown } from './connector.ts'
import type { AccountManifest } from './manifest.ts'

/**
 * What the server asks of a provider that detects fraud. Like a connector for payments, it never throws
 * because of the provider. An error, or a call that takes too long, counts as `unknown`.
 */
export type AntiFraudConnector = {
  readonly manifest: AccountManifest
  /** The provider's opinion on a planned payment. It moves no money, so it can be repeated. */
  readonly decide: Ask<DecideOrder, DecideAnswer>
  /**
   * Tells the provider what became of a payment that it has judged. The server tells each outcome once, in order, some minutes after it
   * happened; after a crash or `unavailable`, again. Left out: the provider is told nothing.
   */
  readonly tell?: Ask<OutcomeOrder, TellAnswer>
  /**
   * Reads the provider's decision about a payment in review. `rejected` if the message is not from the
   * provider.
   */
  readonly readNotification?: Ask<Message, ReviewNotification>
  /**
   * The provider's script for pages of shops, which learns about the buyer's device. What it learns is found again by the order's
   * `fingerprint`. It is public, so it gets no secret fields. Null: with these fields there is none.
   */
  readonly deviceScript?: (account: Pick<Link, 'fields' | 'environment'>) => DeviceScript | null
}

/** In these texts it stands for the value that becomes the order's `fingerprint`. */
export const FINGERPRINT = '{fingerprint}'

export type DeviceScript = {
  /** May have the fingerprint. */
  readonly url: string
  /** Of the element that loads it. Values may have the fingerprint. */
  readonly attributes?: Readonly<Record<string, string>>
  /** A list of calls that the script finds in the window under this name. Their parts may have the fingerprint. */
  readonly queue?: { readonly name: string; readonly calls: readonly (readonly string[])[] }
  /** Where it sends what it learns, as in `https://*.example.com`: for the policy of our own pages, which refuses the rest. */
  readonly origins: readonly string[]
}

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

export type DecideOrder = {
  readonly transactionId: string
  readonly amount: number
  readonly currency: string
  /** How many digits of the amount come after the decimal point. */
  readonly minorUnits: number
  readonly country: string | null
  readonly intent: 'authorize' | 'capture'
  readonly paymentSource: string
  readonly isMerchantInitiated: boolean
  readonly isSubsequentPayment: boolean
  readonly ipAddress: string | null
  /** The result of the provider's script in the browser. */
  readonly fingerprint: string | null
  /** As in `card`, or `gift-card` if gift cards pay for everything. */
  readonly method: string
  readonly scheme: string | null
  /** The first digits. The provider gets no more of the card number. */
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
  /** The rest of the billing address. */
  readonly address: DecideAddress | null
}

export type DecideAddress = {
  readonly line1: string | null
  readonly line2: string | null
  readonly city: string | null
  readonly state: string | null
  readonly postalCode: string | null
}

export type DecideAnswer =
  | {
      readonly outcome: 'decided'
      readonly decision: 'accept' | 'reject' | 'review'
      /** The provider's own id of its decision. */
      readonly reference: string | null
    }
  /** The provider had too little information. */
  | { readonly outcome: 'skipped'; readonly reason: string }
  /** The provider could not be asked. */
  | { readonly outcome: 'unavailable'; readonly reason: string }
  /** The provider answered with an error. */
  | { readonly outcome: 'error'; readonly reason: string }
  | Unknown

/** What became of a payment that the provider has judged. */
export type OutcomeOrder = Pick<
  DecideOrder,
  'transactionId' | 'currency' | 'minorUnits' | 'fingerprint' | 'method' | 'bin'
> & {
  /** The same whenever this outcome is told. */
  readonly eventId: string
  readonly buyer: Pick<DecideBuyer, 'id' | 'externalIdentifier' | 'emailAddress'> | null
  readonly outcome: ToldOutcome
}

export type ToldOutcome =
  | {
      readonly about: 'payment'
      readonly status: 'authorized' | 'captured' | 'declined' | 'failed' | 'voided'
      /** Captured in the same step. */
      readonly isSale: boolean
      readonly amount: number
      /** Why it was declined or failed. */
      readonly code: string | null
      /** The provider itself has rejected the payment. */
      readonly isRejected: boolean
    }
  /** One of the merchant's people has accepted a payment that waited for a review. */
  | { readonly about: 'review'; readonly decision: 'accept' }
  | {
      readonly about: 'refund'
      readonly refundId: string
      readonly amount: number
      readonly reason: string | null
    }
  | {
      readonly about: 'dispute'
      readonly stage: DisputeStage
      readonly amount: number
      /** The code and the words of the payment service. */
      readonly reason: string | null
    }

export type TellAnswer =
  /** Taken, or nothing that the provider learns from. */
  | { readonly outcome: 'told' }
  /** It would be refused again. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Told again later. */
  | { readonly outcome: 'unavailable'; readonly reason: string }
  | Unknown

/** The result of a review. */
export type ReviewNotification =
  | { readonly outcome: 'read'; readonly transactionId: string; readonly decision: 'accept' | 'reject' }
  /** Genuine, but not relevant to us. */
  | { readonly outcome: 'ignored' }
  | { readonly outcome: 'rejected'; readonly message: string }
