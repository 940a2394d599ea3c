import type { ReportLink } from './reports.ts'

type Link = Pick<ReportLink, 'fetch' | 'fields'>

/**
 * What a real provider does by itself. Only simulators have it, and only a sandbox uses it. Its functions move no money,
 * so they may throw: the server tries again.
 */
export type Simulation = {
  /** When the next message of the account is due. Null: there is none. Needs no secret fields. */
  readonly nextMessageAt: (link: Link) => Promise<Date | null>
  /** The messages that the provider would send now, in order, for `readNotification`. They come until they are taken. */
  readonly dueMessages: (link: Link) => Promise<readonly DueMessage[]>
  readonly noteSent: (sent: { readonly id: string; readonly isTaken: boolean }, link: Link) => Promise<void>
  /** Writes what the provider would send about a payment, as it would arrive: see `Message`. */
  readonly compose: (order: MessageOrder, link: Link) => Promise<MessageAnswer>
  /** Makes a buyer's bank take a payment back, or give it back after that. */
  readonly dispute: (order: DisputeOrder, link: Link) => Promise<DisputeAnswer>
  /** Decides what happens to the next call of an operation. All that are armed hit one call each, the oldest first. */
  readonly arm: (order: LeverOrder, link: Link) => Promise<LeverAnswer>
  readonly listArmed: (link: Link) => Promise<readonly Lever[]>
  readonly disarm: (link: Link) => Promise<void>
}

export const LEVER_OPERATIONS = [
  'authorize',
  'capture',
  'void',
  'cancel',
  'refund',
  'increment',
  'payout',
  'tokenize',
] as const
/**
 * `refuse` declines or fails the call. The others are faults of the network: the answer is lost, never comes, comes after the
 * call was given up, is unreadable, or the provider cannot be reached.
 */
export const LEVER_EFFECTS = ['refuse', 'lose-answer', 'stall', 'late', 'garbage', 'unreachable'] as const

export type LeverOrder = {
  /** The simulator arms the same id once. */
  readonly id: string
  readonly operation: (typeof LEVER_OPERATIONS)[number]
  readonly effect: (typeof LEVER_EFFECTS)[number]
  /** The reason of a refusal. */
  readonly code: string | null
}

export type Lever = LeverOrder & { readonly armedAt: Date }

export type LeverAnswer =
  | { readonly outcome: 'armed'; readonly lever: Lever }
  | { readonly outcome: 'refused'; readonly why: 'unknown_code' | 'too_many' }

export type DueMessage = {
  readonly id: string
  /** As it would arrive: see `Message`. */
  readonly message: { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }
}

const ABOUT = ['authorization', 'capture', 'void', 'refund'] as const
const ENDS = ['succeeded', 'declined', 'failed'] as const
export const MESSAGE_EVENTS = ABOUT.flatMap((about) => ENDS.map((end) => `${about}.${end}` as const))

export type MessageOrder = {
  readonly transactionId: string
  /** What it says: that something ended so. Null: again what the provider said last. */
  readonly event: (typeof MESSAGE_EVENTS)[number] | null
}

export type MessageAnswer =
  | { readonly outcome: 'composed'; readonly event: string; readonly message: DueMessage['message'] }
  /** The provider has nothing to tell about the payment, or knows no such operation of it. */
  | { readonly outcome: 'refused' }

export const DISPUTE_REASONS = [
  'fraudulent',
  'not_received',
  'not_as_described',
  'duplicate',
  'credit_not_processed',
  'subscription_canceled',
] as const

export type DisputeOrder = {
  /** The simulator does the same attempt once, however often it arrives. */
  readonly attemptId: string
  /** The provider's own id of the authorization. */
  readonly reference: string
  readonly stage: 'chargeback' | 'reversal'
  /** Null: all that can be. */
  readonly amount: number | null
  /** Null: the simulator chooses. */
  readonly reason: (typeof DISPUTE_REASONS)[number] | null
}

export type DisputeAnswer =
  | {
      readonly outcome: 'disputed'
      /** The provider's own id of the movement. */
      readonly id: string
      readonly amount: number
      readonly currency: string
      readonly code: string
      readonly reason: string
      readonly postedAt: Date
    }
  | { readonly outcome: 'refused'; readonly why: 'unknown_payment' | 'not_captured' | 'no_chargeback' }
  | { readonly outcome: 'refused'; readonly why: 'over_captured' | 'over_chargeback'; readonly left: number }
