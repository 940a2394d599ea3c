import type { Link, Unknown } from './connector.ts'
import type { AccountManifest } from './manifest.ts'
import type { Secret } from './orders.ts'

/**
 * What the server asks of a provider of gift cards. Like a connector for payments, it never throws because of
 * the provider. An error, or a call that takes too long, counts as `unknown`.
 */
export type GiftCardConnector = {
  readonly manifest: AccountManifest
  readonly balance: Ask<GiftCardOrder, BalanceAnswer>
  /** Takes an amount from a card. The same attempt id takes it once, however often it is sent. */
  readonly redeem: Ask<RedeemOrder, GiftCardAnswer>
  /** Refunds a part or all of a redemption, because the buyer returned something. */
  readonly refund: Ask<GiveBackOrder, GiftCardAnswer>
  /**
   * Undoes a redemption whose payment failed. A redemption that was refused, or that has not arrived and is
   * named by its attempt, is approved, too: it will not take place any more.
   */
  readonly reverse: Ask<GiveBackOrder, GiftCardAnswer>
  readonly activate?: Ask<ActivateOrder, ActivateAnswer>
  readonly issue?: Ask<IssueOrder, IssueAnswer>
  /**
   * The outcome of an earlier attempt. `not_found` promises that the attempt will be refused if it still
   * arrives.
   */
  readonly sync: Ask<GiftCardInquiry, GiftCardSyncAnswer>
}

type Ask<Order, Result> = (order: Order, link: Link) => Promise<Result>

export const GIFT_CARD_ERROR_CODES = [
  'invalid_gift_card',
  'expired_card',
  'inactive_card',
  'invalid_service_credentials',
  'invalid_amount',
  'incorrect_currency',
  'insufficient_funds',
  'invalid_service_configuration',
  'operation_canceled',
  'service_error',
  'service_network_error',
  'unknown_error',
  'max_gift_cards_reached',
  'suspected_fraud',
  'canceled_payment_method',
  'duplicate_transaction',
  'unexpected_state',
] as const
export type GiftCardErrorCode = (typeof GIFT_CARD_ERROR_CODES)[number]

export type PresentedCard = { readonly number: Secret; readonly pin: Secret | null }

export type GiftCardOrder = { readonly card: PresentedCard }

type Money = { readonly amount: number; readonly currency: string }

/** Sent to the provider as its idempotency key. */
type Attempt = { readonly attemptId: string }

export type RedeemOrder = Attempt & Money & { readonly card: PresentedCard; readonly transactionId: string }

/**
 * `reference` is the provider's id of the redemption. It is null if the answer was lost; then
 * `redeemAttemptId` names the redemption.
 */
export type GiveBackOrder = Attempt &
  Money & {
    readonly transactionId: string
    readonly reference: string | null
    readonly redeemAttemptId: string
  }

export type ActivateOrder = Attempt & {
  readonly card: PresentedCard
  readonly amount: number | null
  readonly currency: string | null
  readonly externalIdentifier: string | null
}

export type IssueOrder = Attempt &
  Money & { readonly theme: string; readonly externalIdentifier: string | null }

export type GiftCardInquiry = Attempt & {
  readonly operation: 'redeem' | 'refund' | 'reverse' | 'activate' | 'issue'
}

/** The provider refuses. No money moved. */
export type GiftCardRefused = {
  readonly outcome: 'refused'
  readonly code: GiftCardErrorCode
  readonly rawCode: string | null
  readonly rawMessage: string | null
}

export type GiftCardAnswer =
  | { readonly outcome: 'approved'; readonly reference: string }
  | GiftCardRefused
  | Unknown

export type BalanceAnswer =
  | {
      readonly outcome: 'known'
      readonly balance: number
      readonly currency: string
      /** ISO 8601 */
      readonly expiresAt: string | null
    }
  | GiftCardRefused
  | Unknown

export type ActivateAnswer =
  | { readonly outcome: 'approved'; readonly reference: string; readonly expiresAt: string | null }
  | GiftCardRefused
  | Unknown

/** `url` shows the new card to its buyer. Its number and PIN are nowhere else. */
export type IssueAnswer =
  | { readonly outcome: 'approved'; readonly reference: string; readonly url: string }
  | GiftCardRefused
  | Unknown

/** The same answer as that of the operation itself, for example with the `url` of an issued card. */
export type GiftCardSyncAnswer =
  | GiftCardAnswer
  | ActivateAnswer
  | IssueAnswer
  | { readonly outcome: 'not_found' }
