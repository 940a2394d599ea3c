import type { AnswerDisputeOrder, DisputeFields } from './answer-dispute.ts'
import type { ErrorCode } from './codes.ts'
import type { Manifest } from './manifest.ts'
import type {
  AuthorizeOrder,
  CancelOrder,
  CaptureOrder,
  CompleteOrder,
  ForgetTokenOrder,
  IncrementOrder,
  Inquiry,
  OfferedToken,
  PayoutOrder,
  RefundOrder,
  Secret,
  SessionOrder,
  TokenizeOrder,
  VoidOrder,
} from './orders.ts'
import type { ReportFile, Reports } from './reports.ts'
import type { Simulation } from './simulation.ts'
import type { Trial } from './trial.ts'

/**
 * What the server asks of a payment provider. One folder under connectors/ implements it. An absent function
 * is an absent capability. A connector never throws because of the provider: whatever the provider does is an
 * answer. An error, or a call that takes longer than the server waits, counts as `unknown`.
 */
export type Connector = {
  readonly manifest: Manifest
  readonly authorize?: Ask<AuthorizeOrder, AuthorizeAnswer>
  /**
   * Why the provider cannot be paid with what a wallet or a scheme gave, in words for merchants. Null: it can. The payment is not
   * offered to it then. Asks nobody. Left out: it takes all of the kinds that the manifest names.
   */
  readonly obstacleTo?: (offered: OfferedToken) => string | null
  /**
   * Finishes an authorization after the buyer has come back from the provider's page. The server asks until the
   * authorization is decided, so the same order may come several times.
   */
  readonly complete?: Ask<CompleteOrder, AuthorizeAnswer>
  readonly capture?: Ask<CaptureOrder, Answer>
  readonly void?: Ask<VoidOrder, Answer>
  /** Cancels a payment that is still pending at the provider. */
  readonly cancel?: Ask<CancelOrder, Answer>
  readonly refund?: Ask<RefundOrder, Answer>
  readonly increment?: Ask<IncrementOrder, Answer>
  readonly payout?: Ask<PayoutOrder, Answer>
  /** Stores a payment method at the provider. The approval carries the provider's `token` for it. */
  readonly tokenize?: Ask<TokenizeOrder, AuthorizeAnswer>
  /** Deletes such a token at the provider. */
  readonly forgetToken?: Ask<ForgetTokenOrder, Answer>
  /** Answers a dispute: gives the money up, or sends evidence. The manifest says what can be sent (`disputeAnswers`). */
  readonly answerDispute?: Ask<AnswerDisputeOrder, Answer>
  /** Which evidence the provider takes for a dispute, if that differs from dispute to dispute. Moves nothing. */
  readonly disputeFields?: Ask<Pick<AnswerDisputeOrder, 'dispute'>, DisputeFields>
  /**
   * The outcome of an earlier attempt, by our attempt id: see `recovery` in the manifest. Answers `not_found` only if
   * the provider has not seen the attempt and will refuse it if it still arrives. If the provider cannot promise that,
   * the connector answers `unknown`.
   */
  readonly sync?: Ask<Inquiry, SyncAnswer>
  /**
   * What was done at the provider in a window of time, page by page: all that moved money, and declined authorizations.
   * `switchyard recover` finds with it what a database has lost. Left out: the provider cannot be asked.
   */
  readonly activity?: Ask<ActivityOrder, ActivityAnswer>
  /** Opens a session with the provider, for its own script in a browser: for an account, or for a payment that waits. */
  readonly session?: Ask<SessionOrder, SessionAnswer>
  /** Whether the provider accepts these credentials. */
  readonly verify?: (link: Link) => Promise<VerifyAnswer>
  /** Reads a message of the provider. `rejected` if its origin cannot be verified. */
  readonly readNotification?: (message: Message, link: Link) => Promise<Reading>
  /** Tells the provider where to send its notifications. May be called again for the same address. */
  readonly registerNotifications?: (url: string, link: Link) => Promise<RegisterAnswer>
  /** The provider's files about settlements and chargebacks. */
  readonly reports?: Reports
  /** How the connector is tried at the provider's own sandbox. Simulators have none. */
  readonly trial?: Trial
  /** Only of simulators. */
  readonly simulation?: Simulation
}

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

/** Everything a connector may touch in the outside world. Tests pass a scripted one. */
export type Link = {
  /** Ends with an error when the server no longer waits, and when the answer is longer than 1 MiB. Follows no redirects. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
  /** The merchant's values for the fields of the manifest, including secret ones. Never log these. */
  readonly fields: Readonly<Record<string, string>>
  /** This connector's block of the request's `connection_options`. */
  readonly options: Readonly<Record<string, unknown>>
  readonly environment: 'sandbox' | 'production'
  readonly now: () => Date
  /**
   * The value that an earlier `make` of this service gave under this name, until it expires. All processes share it.
   * For values that the provider lends us, such as access tokens. It is sealed in the vault.
   */
  readonly remember: (name: string, make: () => Promise<Remembered>) => Promise<string>
  /** Forgets such a value before it expires, because the provider refused it. */
  readonly forget: (name: string) => Promise<void>
}

export type Remembered = { readonly value: string; readonly expiresAt: Date }

/**
 * The provider's details beside its decision. All of them are shown to the merchant, so none may be secret.
 */
export type Facts = {
  readonly rawCode?: string | null
  readonly rawDescription?: string | null
  readonly authResponseCode?: string | null
  readonly isoResponseCode?: string | null
  readonly avsResponseCode?: AvsResponseCode | null
  readonly cvvResponseCode?: CvvResponseCode | null
  readonly merchantAdviceCode?: string | null
  readonly schemeTransactionId?: string | null
  readonly transactionLinkId?: string | null
  readonly paymentAccountReference?: string | null
  readonly additionalIdentifiers?: Readonly<Record<string, string | null>>
  /** How the provider itself authenticated the buyer. */
  readonly threeDSecure?: ThreeDSecureReport | null
  /** The mandate by which the provider debits the account. */
  readonly mandate?: MandateReport | null
}

/** A mandate at the provider, as far as it tells. The buyer reads its reference in the statement of the account. */
export type MandateReport = {
  readonly reference: string
  /** As in `2026-11-16`. */
  readonly signedOn?: string | null
}

/** The outcome of an authentication by the provider, as far as it tells. */
export type ThreeDSecureReport = {
  /** `complete`: it went through, also if the issuer could not be asked. */
  readonly status: 'complete' | 'declined' | 'cancelled' | 'error'
  readonly method: 'challenge' | 'frictionless' | null
  /** As in `2.2.0`. */
  readonly version: string | null
  readonly eci?: string | null
  readonly directoryTransactionId?: string | null
  readonly directoryResponse?: string | null
  readonly authenticationResponse?: string | null
}

export const AVS_RESPONSE_CODES = [
  'match',
  'no_match',
  'partial_match_address',
  'partial_match_postcode',
  'partial_match_name',
  'unavailable',
] as const
export type AvsResponseCode = (typeof AVS_RESPONSE_CODES)[number]

export const CVV_RESPONSE_CODES = ['match', 'no_match', 'unavailable', 'not_provided'] as const
export type CvvResponseCode = (typeof CVV_RESPONSE_CODES)[number]

export type Approved = {
  readonly outcome: 'approved'
  /** The provider's own id of what it did. */
  readonly reference: string
  /** The approved amount, if it can be less than the requested one. */
  readonly amount?: number
  /** What `tokenize` was asked for. */
  readonly token?: ProviderToken
  readonly facts: Facts
}

export type ProviderToken = {
  readonly value: Secret
  /** What the buyer knows the method by, such as an e-mail address. Null if the provider does not say. */
  readonly label: string | null
}

/**
 * `declined`: the issuer or the provider refuses. `failed`: the payment could not be tried. In both cases no
 * money moved.
 */
export type Refused = {
  readonly outcome: 'declined' | 'failed'
  readonly code: ErrorCode
  /** Whether another provider may be asked. As for the code, unless the provider knows better. */
  readonly isRetriable: boolean
  readonly reference: string | null
  readonly facts: Facts
}

/** The provider may have done it or not. The server assumes nothing, and asks again by `sync`. */
export type Unknown = { readonly outcome: 'unknown'; readonly reason: string }

/** The provider works on it. It will tell the outcome by a notification, or by `sync`. */
export type Pending = {
  readonly outcome: 'pending'
  readonly reference: string
  /** The buyer has permitted a debit, and the bank pays days later. The payment waits for the bank alone. */
  readonly isPermitted?: true
  readonly facts: Facts
}

/** The buyer must first approve, at the provider. */
export type ApprovalRequired = {
  readonly outcome: 'approval_required'
  readonly reference: string
  readonly approval: Approval
  /** When the provider stops waiting for the buyer. Left out if it does not say. */
  readonly expiresAt?: Date
  /** The buyer can also approve in the provider's own script, with data that `session` gives. */
  readonly hasSession?: true
  readonly facts: Facts
}

/** How the buyer approves. The server has a page for everything that is not simply an address. */
export type Approval =
  /** The browser goes to this address. `isForFrames`: the provider says that it can be shown in a frame. */
  | { readonly kind: 'redirect'; readonly url: string; readonly isForFrames?: true }
  /** The browser sends this form to the address. */
  | { readonly kind: 'form'; readonly url: string; readonly fields: Readonly<Record<string, string>> }
  /** The buyer scans this text as a QR code, or opens the address on the same device. */
  | { readonly kind: 'qr'; readonly text: string; readonly url: string | null }
  /** The buyer pays elsewhere with this number, and may print the provider's page with it. */
  | { readonly kind: 'voucher'; readonly number: string; readonly url: string | null }
  /** The buyer approves in an app, which the provider has called, or opens the address on the same device. */
  | { readonly kind: 'wait'; readonly url: string | null }

export type Answer = Approved | Refused | Unknown | Pending
export type AuthorizeAnswer = Answer | ApprovalRequired
export type SyncAnswer = AuthorizeAnswer | { readonly outcome: 'not_found' }

export type SessionAnswer =
  | {
      readonly outcome: 'succeeded'
      readonly statusCode: number
      readonly body: Readonly<Record<string, unknown>>
    }
  | { readonly outcome: 'failed'; readonly code: string; readonly statusCode: number | null }

export type VerifyAnswer =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'unreachable'; readonly message: string }

/** A message as it arrived, with header names in lower case. `body` is the bytes that were signed. */
export type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }

/**
 * What a message says. A message may tell of several things, or of nothing that is relevant to us. All of them are
 * taken, or the provider has to send the message again.
 */
export type Reading =
  | {
      readonly outcome: 'read'
      readonly notifications: readonly Notification[]
      /** The body with which the provider wants to be answered. Left out: the answer is empty. */
      readonly acknowledgement?: string
      /** Kinds of messages that were taken, and that this connector does not know. The server logs their names. */
      readonly unread?: readonly string[]
    }
  | { readonly outcome: 'rejected'; readonly message: string }

/**
 * What a notification is about. The server looks for the provider's own id first. If the provider's answer to us was
 * lost, then only an id of ours can be found.
 */
export type Subject = {
  /** The provider's own id of the operation, as in its answer. Null: the provider does not repeat it. */
  readonly reference: string | null
  /** Our id of the attempt, if the provider repeats it. */
  readonly attemptId?: string | null
  /** Our id of the payment as 22 letters and digits, if the provider repeats it. */
  readonly reconciliationId?: string | null
}

/**
 * The outcome of one of our operations. A capture has its own reference; a payment that was captured in one step is an
 * authorization.
 */
export type Outcome = Subject & {
  readonly about: 'authorization' | 'capture' | 'void' | 'cancel' | 'refund' | 'increment' | 'payout'
  readonly answer: Exclude<Answer, Unknown>
}

export type Notification = Outcome | Dispute | DisputeStep | LateFailure | Approvable | NewReport

/** The buyer has approved, and may never return to us. The server asks the connector to `complete`. */
export type Approvable = Subject & { readonly about: 'approvable' }

/** The provider has published a file. For providers whose files cannot be listed. */
export type NewReport = { readonly about: 'report'; readonly file: ReportFile }

export type RegisterAnswer =
  /** Fields of the manifest that the provider gave us, such as the secret that signs its messages. */
  | { readonly outcome: 'registered'; readonly fields: Readonly<Record<string, string>> }
  | { readonly outcome: 'rejected'; readonly message: string }
  | { readonly outcome: 'unreachable'; readonly message: string }

/** How far a dispute is. A bank may go back: a dispute that was won can be charged back a second time. */
export const DISPUTE_STAGES = [
  /** The buyer's bank asks what was bought. No money moves. */
  'inquiry',
  /** The buyer's bank tells that it takes the payment for fraud. No answer is asked for. */
  'early_fraud_warning',
  /** A chargeback is coming, and can be answered. */
  'notification',
  'chargeback',
  'second_chargeback',
  /** The merchant's answer is disputed, up to the decision of the scheme. */
  'arbitration',
  'won',
  'lost',
  /** The time to answer is over, and the merchant sent no answer. */
  'expired',
] as const
export type DisputeStage = (typeof DISPUTE_STAGES)[number]

/** A buyer's bank takes a payment back, or gives it back after that. The provider may send it several times. */
export type Dispute = Subject &
  DisputeTold & {
    readonly about: 'chargeback' | 'chargeback_reversal'
    /** The provider's own id of this movement, as in the line of its report. Null if the provider has none. */
    readonly id: string | null
    /** What moved, never below zero. The subject is the capture or the authorization. */
    readonly amount: number
    readonly currency: string
    /** The provider's own id of the whole dispute, the same at every stage. Left out: it has none. */
    readonly dispute?: string | null
  }

/** A step of a dispute that moves no money. The provider may send it several times, and steps in any order. */
export type DisputeStep = Subject &
  DisputeTold & {
    readonly about: 'dispute'
    readonly dispute: string
    /** What is disputed. Null if the provider does not say. */
    readonly amount: number | null
    readonly currency: string | null
  }

type DisputeTold = {
  /** Left out: `chargeback`, or `won` of a reversal. Null: the dispute stays where it is. */
  readonly stage?: DisputeStage | null
  /** The provider's word for the step. */
  readonly providerStage?: string | null
  /** The provider's code for the buyer's reason, and its words. */
  readonly code: string | null
  readonly reason: string | null
  readonly postedAt: Date
  /** Until when the provider takes an answer of the merchant at this stage, if it tells. */
  readonly respondBy?: Date | null
}

/**
 * An operation that the provider had approved, and that failed afterwards: its money went back. The provider may send
 * it several times.
 */
export type LateFailure = Subject & {
  readonly about: 'late_failure'
  /** `authorization`: a payment that was captured in one step. Its capture failed. */
  readonly of: 'authorization' | 'capture' | 'refund'
  readonly code: ErrorCode
  readonly failedAt: Date
  readonly facts: Facts
}

/** What was done at the provider, as `activity` lists it. */
export type ListedOperation = {
  readonly operation: 'authorize' | 'capture' | 'void' | 'cancel' | 'refund' | 'increment'
  /** Our ids, if the provider repeats them. Null: a person did it at the provider, or another system. */
  readonly attemptId: string | null
  readonly transactionId: string | null
  /** The provider's own id of the authorization that it is about. Of an authorization: its own. */
  readonly authorization: string
  /** What was asked for. Null: the provider does not say it of this operation alone. */
  readonly amount: number | null
  /** Of an increment without an amount: what is authorized by now. The authorization lists the same amount then. */
  readonly total?: number
  readonly currency: string
  /** Of an authorization: captured in the same step. Of a capture: no other one follows. */
  readonly isFinal: boolean
  readonly at: Date
  /** What became of it, as the provider knows it now. */
  readonly answer: Exclude<Answer, Unknown>
  /** What the buyer knows the card by. Null if the provider does not say. */
  readonly card: { readonly scheme: string | null; readonly last4: string | null } | null
}

export type ActivityOrder = {
  readonly from: Date
  readonly until: Date
  /** `next` of the page before. Null: the first page. */
  readonly after: string | null
}

export type ActivityAnswer =
  /** `next` is null after the last page. Pages may repeat an operation, and show more than the window. */
  | {
      readonly outcome: 'listed'
      readonly operations: readonly ListedOperation[]
      readonly next: string | null
    }
  | { readonly outcome: 'unreachable'; readonly message: string }
