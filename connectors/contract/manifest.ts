import type { DisputeAnswers } from './answer-dispute.ts'
import type { BuyerField } from './buyer-fields.ts'
import type { OptionSchema } from './option-schemas.ts'
import type { InstrumentKind, Operation } from './orders.ts'

/** What every connector says about itself, for any kind of provider. */
export type AccountManifest = {
  /** The provider and its purpose, as in `mock-card` or `mock-gift-card`. */
  readonly id: string
  readonly displayName: string
  /** What merchants enter to connect their account at the provider. */
  readonly fields: readonly Field[]
  /** This connector's block of a request's `connection_options`. Left out: it has none. */
  readonly options?: OptionSchema
  /** Offered only in sandboxes, because it invents its answers. */
  readonly isSimulator: boolean
  /**
   * What merchants may see in the transcripts of requests and answers. Transcripts hide all other values.
   * `status`: a field, parameter or header of this name. `amount.value`: only within `amount`.
   * `id=pi_*`: only if its value begins so. `!data`: nothing within `data`, because it tells of other payments.
   * `/orders`: a word of a path. `/orders/*`: also what follows it.
   * Never name a field that can hold a card number, a code, a token, or a key.
   */
  readonly shownInTranscripts?: readonly string[]
}

/** The description of a connector for payments: what it is, what merchants enter, and what it supports. */
export type Manifest = AccountManifest & {
  /** The payment method of the API that it serves. */
  readonly method: string
  readonly mode: 'card' | 'redirect' | 'bank'
  readonly instruments: readonly InstrumentKind[]
  /** What merchants compare ways to pay by, beside what the connector can do. Left out: a card or an account is entered. */
  readonly terms?: Terms
  /** What the buyer enters on the shop's page. Left out: nothing. Only of redirects. */
  readonly buyerFields?: readonly BuyerField[]
  readonly reportingFields: readonly Field[]
  /** ISO 4217 and ISO 3166-1 alpha-2. `all`: the provider accepts every one. */
  readonly currencies: 'all' | readonly string[]
  readonly countries: 'all' | readonly string[]
  readonly capabilities: Capabilities
  /** Its block of the `connection_options` of payouts. */
  readonly payoutOptions?: OptionSchema
  readonly recovery: Recovery
  /** Which answers to disputes `answerDispute` sends. Left out: none. */
  readonly disputeAnswers?: DisputeAnswers
  /** How long the provider may take, in milliseconds. The server waits ten seconds for what is not named. */
  readonly patience?: Patience
}

/** How the buyer pays where no card and no account is entered. */
export const PAYING_SHAPES = ['page', 'qr', 'voucher', 'wait', 'debit'] as const

export type Terms = {
  /** `debit`: the buyer permits it on a page, and the bank pays days later. */
  readonly shape: (typeof PAYING_SHAPES)[number]
  /** What a payment has to tell of its buyer, in the words of the API. */
  readonly needs: readonly string[]
  /**
   * How long the buyer may take, in seconds, by the provider's documents. A payment waits so long if the provider does not say it with
   * the payment. Left out: ten minutes.
   */
  readonly seconds?: number
  /** Business days from the payment to the payout, by the provider's documents. */
  readonly payoutDays?: number
}

export type Patience = Readonly<
  Partial<Record<Operation | 'answerDispute' | 'complete' | 'sync' | 'activity', number>>
>

/** Values beyond these bounds count as the bounds. An attempt is inquired about a minute after its answer was lost. */
export const PATIENCE_MIN_MS = 1_000
export const PATIENCE_MAX_MS = 60_000

/**
 * How the outcome of an attempt is found when its answer was lost.
 * `lookup`: `sync` finds it by our attempt id.
 * `replay`: `sync` sends the same order again under the same idempotency key. If the first one never arrived, then the
 * provider does it now. So the server asks only as long as the provider keeps its keys. `alsoLooksUp`: `sync` finds attempts without
 * their orders, too. Then the server goes on asking after that, with `order` null: `sync` looks, and sends nothing again.
 * `notification`: the provider tells by itself, and cannot be asked.
 */
export type Recovery =
  | { readonly by: 'lookup' }
  | { readonly by: 'replay'; readonly keysLiveMs: number; readonly alsoLooksUp?: true }
  | { readonly by: 'notification' }

export type Field = {
  readonly key: string
  readonly displayName: string
  readonly isRequired: boolean
  readonly format: 'text' | 'multiline' | 'file' | 'number' | 'timezone' | 'boolean'
  /** What the value must look like, for errors that say so before the provider is asked. */
  readonly pattern?: RegExp
  /** Where merchants find the value, in one sentence. */
  readonly help?: string
  /** Not offered in production, such as the address of a stand-in for the provider. */
  readonly isSandboxOnly?: true
  /** Sealed in the vault and never shown again. */
  readonly isSecret: boolean
  /** Whether `verify` checks it. */
  readonly isVerifiable: boolean
  /** Decides where requests are sent. If it changes, merchants must enter the secrets again. */
  readonly isAddress?: true
}

/** What a connector supports beyond having the function. */
export type Capabilities = {
  /** Authorize and capture in one step. */
  readonly directCapture: boolean
  /** Several captures of one authorization. */
  readonly multipleCaptures: boolean
  /** Capturing more than was authorized, within the merchant account's limits. */
  readonly overCapture: boolean
  /** A void after a capture releases the rest. */
  readonly remainderVoids: boolean
  readonly partialRefunds: boolean
  readonly partialAuthorization: boolean
  readonly zeroAuthorization: boolean
  /** Accepts the result of a 3-D Secure authentication outside of this service. */
  readonly threeDSecurePassThrough: boolean
  /** Authenticates the buyer itself, if it is told to. */
  readonly threeDSecureByProvider: boolean
  /** Operations, and ways of capturing, that merchants can use only if this holds for their fields. */
  readonly operationNeeds?: Readonly<
    Partial<Record<Operation | 'sync' | CaptureWay, (fields: Readonly<Record<string, string>>) => boolean>>
  >
}

export const CAPTURE_WAYS = ['multipleCaptures', 'overCapture'] as const
export type CaptureWay = (typeof CAPTURE_WAYS)[number]

/** For manifests that name only what they do support. */
export const NO_CAPABILITIES: Capabilities = {
  directCapture: false,
  multipleCaptures: false,
  overCapture: false,
  remainderVoids: false,
  partialRefunds: false,
  partialAuthorization: false,
  zeroAuthorization: false,
  threeDSecurePassThrough: false,
  threeDSecureByProvider: false,
}
