import type { Link, Unknown, VerifyAnswer } from './connector.ts'
import type { AccountManifest } from './manifest.ts'
import type { Contact, Secret } from './orders.ts'

/**
 * What the server asks of a 3-D Secure server: whether the buyer is the holder of a card. No money moves, so every question can be
 * repeated. Like a connector for payments, it never throws because of the provider. An error, or a call that takes too long,
 * counts as `unknown`.
 */
export type ThreeDSecureConnector = {
  readonly manifest: AccountManifest
  /**
   * Whether the card takes part, as far as that is known without asking. Left out: only the directories of the schemes know, and
   * every card may take part.
   */
  readonly takesPart?: (number: Secret) => boolean
  /**
   * What the buyer's browser has to do before the card is authenticated, so that the issuer knows the device. Left out: nothing.
   * With it, every buyer is sent to our page, which shows a form of the provider in a hidden frame.
   */
  readonly prepare?: Ask<AuthenticateOrder, PrepareAnswer>
  /** Asks the issuer, through the directory of the card's scheme. */
  readonly authenticate: Ask<AuthenticateOrder, AuthenticateAnswer>
  /** What the issuer has said after a challenge, once the buyer has come back from its page. */
  readonly conclude: Ask<ConcludeOrder, ConcludeAnswer>
  /** Whether the provider accepts these credentials. It is asked when they are saved. */
  readonly verify?: (link: Link) => Promise<VerifyAnswer>
}

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

/** A card payment whose buyer is there. */
export type AuthenticateOrder = {
  /** The same in all questions about a payment. */
  readonly transactionId: string
  readonly amount: number
  readonly currency: string
  /** How many digits of the amount come after the decimal point. */
  readonly minorUnits: number
  readonly number: Secret
  /** MM/YY */
  readonly expirationDate: string
  readonly scheme: string
  readonly billing: Contact | null
  readonly shipping: Contact | null
  /** Whether the buyer has an account in the shop. */
  readonly hasAccount: boolean
  /** Whether later payments with the card follow, for which the buyer is not there. */
  readonly isFirstOfSeries: boolean
  /** Null: neither the buyer's browser nor the merchant has told. */
  readonly browser: Browser | null
  /** What `prepare` has answered to keep, and what its frame has told. Null: the connector has no `prepare`. */
  readonly prepared: Prepared | null
  /** Where the issuer's page sends the buyer. */
  readonly returnUrl: string
  /** How the merchant is known to the card's scheme, if the merchant account says it. */
  readonly merchant: SchemeMerchant | null
  /** Null: the issuer decides by itself. Only simulators follow scenarios. */
  readonly scenario: Scenario | null
}

export type Browser = {
  readonly acceptHeader: string | null
  readonly userAgent: string
  readonly ipAddress: string | null
  readonly language: string | null
  readonly javaEnabled: boolean | null
  readonly javascriptEnabled: boolean | null
  readonly colorDepth: number | null
  readonly screenHeight: number | null
  readonly screenWidth: number | null
  /** Minutes between UTC and the buyer's local time. */
  readonly timeZoneOffset: number | null
}

export type Prepared = {
  readonly state: string
  /** The message that the hidden frame has sent, as text. The buyer's browser brought it, so it proves nothing. Null: there was none in time. */
  readonly told: string | null
}

export type SchemeMerchant = {
  readonly acquirerBin: string
  readonly acquirerMerchantId: string
  readonly name: string
  /** As it was entered: numeric or alpha-2. */
  readonly countryCode: string
  readonly categoryCode: string
  readonly url: string
}

/** A form that the buyer's browser posts. */
export type ThreeDSecureForm = {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
}

export type PrepareAnswer =
  /** The form goes into a hidden frame. A message from the origin of its address comes back with the order. */
  | { readonly outcome: 'collect'; readonly form: ThreeDSecureForm; readonly state: string }
  /** The browser has nothing to do for this card: it is authenticated at once. */
  | { readonly outcome: 'ready'; readonly state: string }
  | SetUpFailed
  | AuthenticationError
  | Unknown

export type AuthenticateAnswer =
  | Authenticated
  | AuthenticationRefused
  | ChallengeRequired
  | SetUpFailed
  | AuthenticationError
  | Unknown

export type ConcludeAnswer = Authenticated | AuthenticationRefused | AuthenticationError | Unknown

/** What an issuer says through its scheme's directory (EMV 3-D Secure). The payment goes on. */
export type Authenticated = {
  readonly outcome: 'done'
  /** Y: authenticated. A: attempted. U: could not be done, so there is no proof: after a challenge, the card is not charged. */
  readonly transactionStatus: 'Y' | 'A' | 'U'
  /** As in `2.2.0`. */
  readonly version: string
  readonly eci: string | null
  readonly cavv: string | null
  readonly directoryTransactionId: string | null
}

/** The issuer refuses. The payment ends. */
export type AuthenticationRefused = {
  readonly outcome: 'refused'
  readonly transactionStatus: 'N' | 'R'
  /** Null: the server does not say it. */
  readonly version: string | null
}

/** The buyer has to approve on a page of the issuer. */
export type ChallengeRequired = {
  readonly outcome: 'challenge'
  readonly version: string
  readonly directoryTransactionId: string | null
  /** Leads to the issuer's page. It is shown in a frame. Null, only of simulators: our own page asks in the issuer's place. */
  readonly form: ThreeDSecureForm | null
  /** What `conclude` needs. It is sealed, and never shown. */
  readonly state: string
}

/** It could not be begun, such as with wrong credentials: no issuer was asked. The payment goes on. */
export type SetUpFailed = { readonly outcome: 'setup_error' } & ThreeDSecureError

/**
 * The directory or the issuer could not be asked, or did not answer. Before a challenge, the payment goes on. After it, the card is not
 * charged: the issuer asked the buyer, and we do not know the answer.
 */
export type AuthenticationError = {
  readonly outcome: 'error'
  readonly version: string | null
} & ThreeDSecureError

/** Merchants read it. */
export type ThreeDSecureError = {
  /** Three digits, as in the list of error codes of EMV 3-D Secure. */
  readonly code: string
  /** What is wrong, and what to do. */
  readonly description: string
  /** Who has found it. S: the 3-D Secure server. D: the directory. A: the issuer's server. */
  readonly component: 'S' | 'D' | 'A'
}

export type ConcludeOrder = {
  readonly transactionId: string
  readonly scheme: string
  readonly version: string
  readonly directoryTransactionId: string | null
  /** What came with the challenge. */
  readonly state: string
  /** What the browser brought back from the issuer's page: it proves nothing by itself. */
  readonly returned: Readonly<Record<string, string>>
}

/** An issuer's first answer about a payment (EMV 3-D Secure, transaction status), or none in time. */
export const ISSUER_ANSWERS = ['Y', 'N', 'A', 'R', 'U', 'C', 'timeout'] as const
export type IssuerAnswer = (typeof ISSUER_ANSWERS)[number]

/** An issuer's answer after a challenge, or none in time. */
export const CHALLENGE_RESULTS = ['Y', 'N', 'timeout'] as const
export type ChallengeResult = (typeof CHALLENGE_RESULTS)[number]

/** What a simulated issuer is told to answer about a payment. */
export type Scenario = {
  /** Null: the simulator's own version. */
  readonly version: string | null
  readonly answer: IssuerAnswer
  /** Only with the answer C. */
  readonly result: ChallengeResult | null
}
