import { codeOf, type Decided } from '#processing/attempts/conclude.ts'
import { AMOUNT_MAX, type Intent } from '#resources/transactions/wire/order.ts'
import type { AntiFraudDecision, Status } from '#resources/transactions/wire/transaction.ts'

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

type WithStatus = Pick<Money, 'status'>

export function isProcessing({ status }: WithStatus): boolean {
  return status === 'processing'
}

export function isBuyerAsked({ status }: WithStatus): boolean {
  return status === 'buyer_approval_pending'
}

/** The payment waits to be authorized. */
export const UNDECIDED: readonly Status[] = [PROCESSING.status, BUYER_ASKED.status]
/** The payment has failed: no money was taken, and none is held for it. */
export const UNPAID: readonly Status[] = [DECLINED.status, FAILED.status]

export function isUndecided({ status }: WithStatus): boolean {
  return UNDECIDED.includes(status)
}

export function isAuthorized({ status }: WithStatus): boolean {
  return status === 'authorization_succeeded'
}

export function isCapturing({ status }: WithStatus): boolean {
  return status === 'capture_pending'
}

export function isCaptured({ status }: WithStatus): boolean {
  return status === 'capture_succeeded'
}

export function isVoiding({ status }: WithStatus): boolean {
  return status === 'authorization_void_pending'
}

export function isVoided({ status }: WithStatus): boolean {
  return status === 'authorization_voided'
}

export function isDeclined({ status }: WithStatus): boolean {
  return status === 'authorization_declined'
}

export function isFailed({ status }: WithStatus): boolean {
  return status === 'authorization_failed'
}

export function isUnpaid({ status }: WithStatus): boolean {
  return UNPAID.includes(status)
}

/** Nothing is taken or held for the payment, and nothing will be. */
export function isOver(payment: WithStatus): boolean {
  return isUnpaid(payment) || isVoided(payment)
}

/** Money is held at the provider, as far as we know, and no capture of it has begun. */
export function isHeld(payment: Money): boolean {
  const isThere = isAuthorized(payment) || isVoiding(payment)
  return isThere && payment.captured_amount + payment.capturing_amount === 0
}

/** Money is held or on its way, so the payment may still need what it knows of its buyer. */
export function isOpen(payment: Money): boolean {
  return (
    isUndecided(payment) ||
    isCapturing(payment) ||
    isVoiding(payment) ||
    payment.capturing_amount > 0 ||
    payment.refunding_amount > 0 ||
    // An authorization of nothing only checked the card.
    (isAuthorized(payment) && payment.amount > 0)
  )
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
  const is_capture_final = isFinal ? false : before.is_capture_final
  // Of two captures of nothing, the first answer ends the wait: no amount tells of the other one.
  if (amount === 0 && before.status !== 'capture_pending')
    return answer.outcome === 'approved' ? {} : { is_capture_final }
  if (answer.outcome === 'approved') {
    const status = isWaiting ? 'capture_pending' : 'capture_succeeded'
    // Clears `expired_authorization`, which a refused void leaves behind.
    return { status, capturing_amount, ...withCaptured(before, amount), error_code: null }
  }
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
  if (answer.outcome !== 'approved') return undone(before, { refunding_amount })
  return { refunding_amount, refunded_amount: before.refunded_amount + amount }
}

type LateFailure = {
  readonly amount: number
  readonly isFinal: boolean
  /** The sum of the captures that have not failed. */
  readonly others: number
}

/**
 * A capture that had succeeded fails later: its amount goes back, and the payment with it, as after a refused capture. The
 * merchant may have corrected the captured amount already: then what the other captures took stays.
 */
export function afterLateCaptureFailure(before: Money, { amount, isFinal, others }: LateFailure): Change {
  const is_capture_final = isFinal ? false : before.is_capture_final
  const collected = collectedOf(before)
  const left = Math.max(collected - amount, Math.min(collected, others))
  return undone(before, { is_capture_final, ...withCollected(before, left) })
}

/** A refund that had succeeded fails later: its amount can be refunded again. */
export function afterLateRefundFailure(before: Money, amount: number): Change {
  return undone(before, { refunded_amount: before.refunded_amount - amount })
}

/**
 * What captures have brought. It is less than `captured_amount` if a capture failed later of which a part was refunded
 * before: that part stays captured, because refunds never exceed captures, and is counted as uncollected.
 */
export function collectedOf(money: Pick<Money, 'captured_amount' | 'uncollected_amount'>): number {
  return money.captured_amount - money.uncollected_amount
}

/** The amounts after captures have brought so much more. */
export function withCaptured(before: Money, amount: number) {
  return withCollected(before, collectedOf(before) + amount)
}

/** A merchant may have corrected the captured amount below what a capture took. Nothing is collected then. */
function withCollected({ refunded_amount, refunding_amount }: Money, wanted: number) {
  const collected = Math.max(0, wanted)
  const captured_amount = Math.max(collected, refunded_amount + refunding_amount)
  return { captured_amount, uncollected_amount: captured_amount - collected }
}

/** A capture or a refund came to nothing. A refund no longer keeps a capture that failed among the captured amounts. */
function undone(before: Money, change: Change): Change {
  const after = { ...before, ...change }
  const amounts = withCollected(after, collectedOf(after))
  return { ...change, ...amounts, status: statusWith(before, amounts.captured_amount) }
}

/** The status that fits what is captured, if captures were undone. */
function statusWith({ status, intent, released_amount }: Money, captured: number): Status {
  if (status !== 'capture_succeeded' || captured > 0) return status
  if (intent === 'capture') return 'authorization_failed'
  // The rest of the hold is given up.
  return released_amount > 0 ? 'authorization_voided' : 'authorization_succeeded'
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

/** A capture or a void is not decided yet, and its outcome decides whether the operation will be possible. */
export function isTooEarly(operation: Parameters<typeof objectionTo>[0], money: Money): boolean {
  if (operation === 'cancel') return false
  return money.capturing_amount > 0 || (operation !== 'refund' && isVoiding(money))
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
  return isOver ? 0 : capturable(money, money.authorized_amount)
}

function inState(money: Money, allowed: readonly Money['status'][]): string | undefined {
  return allowed.includes(money.status) ? undefined : statusOf(money)
}

function statusOf({ status }: Money): string {
  return `its status is ${status}`
}

export function refundable(money: Money): number {
  return Math.max(0, collectedOf(money) - money.refunded_amount - money.refunding_amount)
}

/** What captures may still take under a limit. The amounts may be above it by now: limits can be corrected. */
export function capturable(money: Money, limit: number): number {
  return Math.max(0, limit - collectedOf(money) - money.capturing_amount)
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

/** What an anti-fraud service said about a payment, and what a reviewer has decided since. */
export type AntiFraud = {
  readonly service_id: string
  readonly decision: AntiFraudDecision
  /** Null: no reviewer has to look at it. */
  readonly review: 'awaited' | 'accepted' | 'rejected' | null
}

type Payment = { readonly outcome: { readonly anti_fraud?: AntiFraud } }

/** Whether the money is held first, then captured or released when a reviewer has decided. */
export function isForReview({ outcome }: Payment): boolean {
  return (outcome.anti_fraud?.review ?? null) !== null
}

/** Whether no money may be taken, at least for now. */
export function isHeldBack({ outcome }: Payment): boolean {
  return outcome.anti_fraud?.review === 'awaited' || isRejected({ outcome })
}

export function isRejected({ outcome }: Payment): boolean {
  return outcome.anti_fraud?.review === 'rejected'
}

/** Only a payment whose money is held waits for a reviewer. */
export function isPendingReview({ status, outcome }: Payment & { readonly status: Status }): boolean {
  return isAuthorized({ status }) && outcome.anti_fraud?.review === 'awaited'
}

/** What became of a payment, as far as payment services decide it. Voids and refunds come later, and change nothing here. */
export function serviceDecisionOn(payment: {
  readonly status: Status
}): 'approved' | 'refused' | 'undecided' {
  if (isUndecided(payment)) return 'undecided'
  return isUnpaid(payment) ? 'refused' : 'approved'
}
