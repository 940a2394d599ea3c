import type { AuthorizeAnswer } from '#connectors/contract/connector.ts'
import { codeOf, type Decided } from '#processing/attempts/answer.ts'
import { AMOUNT_MAX, type Intent } from './wire/order.ts'
import type { Status } from './wire/transaction.ts'

/** The figures of a payment that decide what may be done with it. */
export type Money = {
  readonly status: Status
  readonly intent: Intent
  readonly amount: number
  readonly authorized_amount: number
  readonly capture_limit: number
  readonly captured_amount: number
  readonly capturing_amount: number
  readonly refunded_amount: number
  readonly refunding_amount: number
  readonly released_amount: number
  readonly uncollected_amount: number
  readonly is_capture_final: boolean
}

/** The payment method's part: the amount without what gift cards pay. */
export function amountForMethod(row: { readonly amount: number; readonly gift_card_amount: number }): number {
  return row.amount - row.gift_card_amount
}

type Change = Partial<Money> & { readonly error_code?: string | null }

/** Statuses that we set ourselves. Providers' answers are below. No other file names a status. */
export const PROCESSING = { status: 'processing' } as const
export const BUYER_ASKED = { status: 'buyer_approval_pending' } as const
export const FAILED = { status: 'authorization_failed' } as const
export const DECLINED = { status: 'authorization_declined' } as const
export const VOIDING = { status: 'authorization_void_pending' } as const
export const VOIDED = { status: 'authorization_voided' } as const
/** Set directly when gift cards pay alone: no provider captures them. */
export const CAPTURED = { status: 'capture_succeeded' } as const
export const AUTHORIZED = { status: 'authorization_succeeded' } as const

type Standing = Pick<Money, 'status'>

export function isProcessing({ status }: Standing): boolean {
  return status === 'processing'
}

export function isBuyerAsked({ status }: Standing): boolean {
  return status === 'buyer_approval_pending'
}

/** The payment waits to be authorized. */
export const UNDECIDED: readonly Status[] = [PROCESSING.status, BUYER_ASKED.status]
/** The payment has failed: no money was taken, and none is held for it. */
export const UNPAID: readonly Status[] = [DECLINED.status, FAILED.status]

export function isUndecided({ status }: Standing): boolean {
  return UNDECIDED.includes(status)
}

export function isAuthorized({ status }: Standing): boolean {
  return status === 'authorization_succeeded'
}

export function isCapturing({ status }: Standing): boolean {
  return status === 'capture_pending'
}

export function isCaptured({ status }: Standing): boolean {
  return status === 'capture_succeeded'
}

export function isVoiding({ status }: Standing): boolean {
  return status === 'authorization_void_pending'
}

export function isVoided({ status }: Standing): boolean {
  return status === 'authorization_voided'
}

export function isDeclined({ status }: Standing): boolean {
  return status === 'authorization_declined'
}

export function isFailed({ status }: Standing): boolean {
  return status === 'authorization_failed'
}

export function isUnpaid({ status }: Standing): boolean {
  return UNPAID.includes(status)
}

/** The only place that says what a provider's answer does to a payment that waits to be authorized. */
export function afterAuthorization(
  before: Money,
  answer: Decided,
  {
    asked,
    isDirectCapture,
    captureFollows,
  }: { readonly asked: number; readonly isDirectCapture: boolean; readonly captureFollows: boolean },
): Change {
  // A notification, or the merchant's own correction, may have moved the payment while we waited.
  if (before.status !== 'processing' && before.status !== 'buyer_approval_pending') return {}
  if (answer.outcome !== 'approved') {
    const status = answer.outcome === 'declined' ? 'authorization_declined' : 'authorization_failed'
    return { status, error_code: codeOf(answer) }
  }
  const authorized = Math.min(answer.amount ?? asked, asked)
  const held = { authorized_amount: authorized, capture_limit: authorized, error_code: null }
  if (isDirectCapture) {
    return { ...held, status: 'capture_succeeded', captured_amount: authorized, is_capture_final: true }
  }
  if (captureFollows) {
    return { ...held, status: 'capture_pending', capturing_amount: authorized, is_capture_final: true }
  }
  return { ...held, status: 'authorization_succeeded' }
}

/** All gift cards have paid: the payment gets the status it would have without them. */
export function afterRedemptions(
  before: Money,
  { hasPaymentMethod, isHeldBack }: { readonly hasPaymentMethod: boolean; readonly isHeldBack: boolean },
): Change {
  if (isHeldBack) return { status: 'authorization_succeeded' }
  if (!hasPaymentMethod) return { status: 'capture_succeeded' }
  return before.intent === 'capture' ? captureAll(before) : { status: 'authorization_succeeded' }
}

/** A reviewer has accepted a payment that was held back. */
export function afterReview(before: Money): Change {
  return captureAll(before)
}

function captureAll({ authorized_amount }: Money): Change {
  return { status: 'capture_pending', capturing_amount: authorized_amount, is_capture_final: true }
}

/** A capture counts against the limit from the moment it is sent until it is decided. */
export function beforeCapture(
  before: Money,
  { amount, isFinal, limit }: { readonly amount: number; readonly isFinal: boolean; readonly limit: number },
): Change {
  return {
    status: 'capture_pending',
    capture_limit: limit,
    capturing_amount: before.capturing_amount + amount,
    is_capture_final: isFinal,
  }
}

export function afterCapture(
  before: Money,
  {
    amount,
    isFinal,
    answer,
  }: { readonly amount: number; readonly isFinal: boolean; readonly answer: Decided },
): Change {
  const capturing_amount = before.capturing_amount - amount
  const isWaiting = capturing_amount > 0
  if (answer.outcome === 'approved') {
    const captured_amount = before.captured_amount + amount
    const status = isWaiting ? 'capture_pending' : 'capture_succeeded'
    // Clears `expired_authorization`, which a refused void leaves behind.
    return { status, capturing_amount, captured_amount, error_code: null }
  }
  const is_capture_final = isFinal ? false : before.is_capture_final
  if (isWaiting) return { capturing_amount, is_capture_final }
  if (before.captured_amount > 0) return { status: 'capture_succeeded', capturing_amount, is_capture_final }
  if (before.intent === 'authorize') {
    return { status: 'authorization_succeeded', capturing_amount, is_capture_final }
  }
  const error_code = codeOf(answer)
  return { status: 'authorization_failed', capturing_amount, is_capture_final, error_code }
}

/** A void that is refused leaves the payment as it was. */
export function afterVoid(before: Money, answer: Decided): Change {
  if (before.status !== 'authorization_void_pending') return {}
  return { status: answer.outcome === 'approved' ? 'authorization_voided' : 'authorization_succeeded' }
}

/** Released money counts as gone from the request on. A refusal brings it back. */
export function afterRelease(answer: Decided): Change {
  return answer.outcome === 'approved' ? {} : { released_amount: 0 }
}

export function afterCancel(before: Money, answer: Decided): Change {
  const isPending = before.status === 'processing' || before.status === 'buyer_approval_pending'
  if (!isPending || answer.outcome !== 'approved') return {}
  return { status: 'authorization_failed', error_code: 'canceled' }
}

export function afterRefund(before: Money, amount: number, answer: Decided): Change {
  const refunding_amount = before.refunding_amount - amount
  if (answer.outcome !== 'approved') return withoutUncollected(before, { refunding_amount })
  return { refunding_amount, refunded_amount: before.refunded_amount + amount }
}

/**
 * A capture that had succeeded fails later: its amount goes back, and the payment with it, as after a refused capture.
 * What was refunded of it before stays captured, because refunds never exceed captures, and is counted as uncollected.
 */
export function afterLateCaptureFailure(
  before: Money,
  { amount, isFinal, code }: { readonly amount: number; readonly isFinal: boolean; readonly code: string },
): Change {
  const rest = before.captured_amount - amount
  const captured_amount = Math.max(rest, before.refunded_amount + before.refunding_amount)
  const uncollected_amount = before.uncollected_amount + captured_amount - rest
  const is_capture_final = isFinal ? false : before.is_capture_final
  const status = statusWith(before, captured_amount)
  const isFailed = status === 'authorization_failed'
  return {
    status,
    captured_amount,
    uncollected_amount,
    is_capture_final,
    ...(isFailed && { error_code: code }),
  }
}

/** A refund that had succeeded fails later: its amount can be refunded again. */
export function afterLateRefundFailure(before: Money, amount: number): Change {
  return withoutUncollected(before, { refunded_amount: before.refunded_amount - amount })
}

/** A refund that came to nothing no longer keeps a capture that failed among the captured amounts. */
function withoutUncollected(before: Money, change: Change): Change {
  const after = { ...before, ...change }
  const free = after.captured_amount - after.refunded_amount - after.refunding_amount
  const gone = Math.min(before.uncollected_amount, free)
  if (gone === 0) return change
  const captured_amount = after.captured_amount - gone
  const uncollected_amount = before.uncollected_amount - gone
  return { ...change, captured_amount, uncollected_amount, status: statusWith(before, captured_amount) }
}

/** The status that fits what is captured, if captures were undone. */
function statusWith({ status, intent, capturing_amount }: Money, captured: number): Status {
  if (capturing_amount > 0 || captured > 0) return status
  return intent === 'authorize' ? 'authorization_succeeded' : 'authorization_failed'
}

export function afterIncrement(before: Money, amount: number, answer: Decided): Change {
  if (answer.outcome !== 'approved') return {}
  return {
    amount: before.amount + amount,
    authorized_amount: before.authorized_amount + amount,
    capture_limit: before.capture_limit + amount,
  }
}

/**
 * The most that captures may reach: the smaller of the account's two over-capture limits, or the authorized
 * amount if neither is set. Never above the highest amount.
 */
export function captureLimit(
  authorized: number,
  over: { readonly amount: number | null; readonly percentage: number | null },
): number {
  const ceilings = [
    over.amount === null ? [] : [authorized + over.amount],
    over.percentage === null ? [] : [authorized + Math.floor((authorized * over.percentage) / 100)],
  ].flat()
  return ceilings.length === 0 ? authorized : Math.min(...ceilings, AMOUNT_MAX)
}

/** Why this state does not allow an operation; undefined when it does. */
export function objectionTo(
  operation: 'capture' | 'void' | 'cancel' | 'refund' | 'increment',
  money: Money,
): string | undefined {
  switch (operation) {
    case 'capture':
      return (
        inState(money, CAPTURABLE) ??
        (money.is_capture_final ? `${statusOf(money)}, and the final capture is done` : undefined) ??
        (money.released_amount > 0 ? `${statusOf(money)}, and the rest is released` : undefined)
      )
    case 'void':
      if (money.capturing_amount > 0) return `${statusOf(money)}, and a capture is on its way`
      if (money.captured_amount > 0) return objectionToRelease(money)
      if (money.status === 'authorization_succeeded' && money.authorized_amount === 0)
        return 'an authorization of zero holds nothing'
      return inState(money, ['authorization_succeeded'])
    case 'cancel':
      return inState(money, ['processing', 'buyer_approval_pending'])
    case 'refund':
      if (money.captured_amount === 0) return `${statusOf(money)}, and nothing is captured`
      return undefined
    case 'increment':
      if (money.captured_amount + money.capturing_amount > 0) return `${statusOf(money)}, and it is captured`
      return inState(money, ['authorization_succeeded'])
  }
}

/** Captures leave a rest that is held, unless the last one was final or a void has released it. */
function objectionToRelease(money: Money): string | undefined {
  if (money.released_amount > 0) return `${statusOf(money)}, and the rest is released`
  if (remainderOf(money) === 0) return `${statusOf(money)}, and nothing is left to release; refund it instead`
  return inState(money, ['capture_succeeded'])
}

const CAPTURABLE: readonly Money['status'][] = [
  'authorization_succeeded',
  'capture_succeeded',
  'capture_pending',
]

/** The part of the authorized amount that can still be captured. Over-capture is not included. */
export function remainderOf(money: Money): number {
  const isOver = !CAPTURABLE.includes(money.status) || money.is_capture_final || money.released_amount > 0
  return isOver ? 0 : Math.max(0, money.authorized_amount - money.captured_amount - money.capturing_amount)
}

function inState(money: Money, allowed: readonly Money['status'][]): string | undefined {
  return allowed.includes(money.status) ? undefined : statusOf(money)
}

function statusOf({ status }: Money): string {
  return `its status is ${status}`
}

export function refundable(money: Money): number {
  return money.captured_amount - money.refunded_amount - money.refunding_amount
}

/** Uses the current limit: the authorized amount may have been corrected, and over-capture switched off. */
export function capturable(money: Money, limit: number): number {
  return Math.max(0, limit - money.captured_amount - money.capturing_amount)
}

/** Whether the next payment service may be asked after this answer. */
export function mayTryNext(answer: AuthorizeAnswer): boolean {
  return (answer.outcome === 'declined' || answer.outcome === 'failed') && answer.isRetriable
}

/** How all instruments of a payment fared. Later voids and refunds do not change it. */
export function intentOutcome({ status, captured_amount }: Money): 'pending' | 'succeeded' | 'failed' {
  if (captured_amount > 0) return 'succeeded'
  switch (status) {
    case 'processing':
    case 'buyer_approval_pending':
      return 'pending'
    case 'authorization_declined':
    case 'authorization_failed':
      return 'failed'
    case 'capture_pending':
    case 'authorization_succeeded':
    case 'authorization_voided':
    case 'authorization_void_pending':
    case 'capture_succeeded':
      return 'succeeded'
  }
}
