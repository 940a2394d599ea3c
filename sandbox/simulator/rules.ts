import { refusalByAmount, type Verdict } from './amounts.ts'
import type { Entry, Sum } from './store.ts'

/** Merchants may capture more than was authorized, for tips and the like, but no more than this factor. */
const OVER_CAPTURE_FACTOR = 2

/** An operation on an authorization. A void releases all that is not captured, so it has no amount. */
export type FollowUp =
  | { readonly operation: 'void' }
  | { readonly operation: 'cancel' }
  | { readonly operation: 'increment' | 'refund'; readonly amount: number; readonly currency: string }
  | {
      readonly operation: 'capture'
      readonly amount: number
      readonly currency: string
      readonly isFinal: boolean
    }

/** Amounts of an authorization. `…ing` includes what is still pending, which may succeed. */
type Balance = {
  readonly authorized: number
  readonly captured: number
  readonly capturing: number
  readonly refunding: number
  /** What buyers' banks have taken back, and not given back. */
  readonly disputed: number
  /** What is authorized and not captured. */
  readonly left: number
  readonly hasCaptured: boolean
  readonly isFinished: boolean
  readonly isVoided: boolean
}

/**
 * The processor's own rules. They do not rely on checks of the merchant's system: a mistake there is refused and moves
 * no money.
 */
export function judge(request: FollowUp, authorization: Entry, sums: readonly Sum[]): Verdict {
  const balance = balanceOf(authorization, sums)
  const amount = 'amount' in request ? request.amount : balance.left
  if ('currency' in request && request.currency !== authorization.currency) {
    return refused('other_currency', 'unsupported_currency')
  }
  return (
    refusalByRule(request, authorization, balance) ??
    refusalByAmount(request.operation, amount) ?? { status: 'approved', amount }
  )
}

export function balanceOf(authorization: Entry, sums: readonly Sum[]): Balance {
  const isApproved = authorization.status === 'approved'
  const isSale = authorization.isFinal
  const of = (operation: Sum['operation'], ...statuses: Sum['status'][]) =>
    sums.filter((sum) => sum.operation === operation && statuses.includes(sum.status))
  const captures = of('capture', 'approved', 'pending')
  const captured = of('capture', 'approved')
  const sold = isSale && isApproved ? authorization.amount : 0
  const authorized = (isApproved ? authorization.amount : 0) + total(of('increment', 'approved'))
  return {
    authorized,
    captured: sold + total(captured),
    capturing: sold + total(captures),
    refunding: total(of('refund', 'approved', 'pending')),
    disputed: total(of('chargeback', 'approved')) - total(of('chargebackReversal', 'approved')),
    left: Math.max(0, authorized - sold - total(captured)),
    hasCaptured: (isSale && isApproved) || captured.length > 0,
    isFinished: isSale || captures.some(({ isFinal }) => isFinal),
    isVoided: of('void', 'approved', 'pending').length > 0,
  }
}

function refusalByRule(request: FollowUp, authorization: Entry, balance: Balance): Verdict | null {
  if (request.operation === 'cancel') {
    return authorization.status === 'pending' ? null : refused('not_pending', 'invalid_operation')
  }
  if (authorization.status !== 'approved') return refused('not_authorized', 'invalid_operation')
  if (request.operation === 'refund') return refusalOfRefund(request.amount, balance)
  if (balance.isVoided) return refused('already_voided', 'invalid_operation')
  if (request.operation === 'void') {
    const isOnItsWay = balance.capturing > balance.captured
    const isLeft = balance.left > 0 || !balance.hasCaptured
    return balance.isFinished || isOnItsWay || !isLeft
      ? refused('already_captured', 'invalid_operation')
      : null
  }
  if (balance.isFinished) return refused('already_captured', 'invalid_operation')
  if (request.amount === 0 && balance.authorized > 0) return refused('zero_amount', 'invalid_amount')
  const isTooMuch =
    request.operation === 'capture' &&
    balance.capturing + request.amount > balance.authorized * OVER_CAPTURE_FACTOR
  return isTooMuch ? refused('over_authorized', 'invalid_amount') : null
}

function refusalOfRefund(amount: number, balance: Balance): Verdict | null {
  if (!balance.hasCaptured) return refused('not_captured', 'invalid_operation')
  if (amount === 0) return refused('zero_amount', 'invalid_amount')
  const left = balance.captured - balance.refunding
  if (left === 0) return refused('nothing_left', 'refund_already_satisfied')
  if (amount > left) return refused('over_captured', 'invalid_amount')
  return amount > left - balance.disputed ? refused('disputed', 'disputed_transaction') : null
}

function refused(code: string, description: string): Verdict {
  return { status: 'refused', code, description }
}

function total(sums: readonly Sum[]): number {
  return sums.reduce((sum, { amount }) => sum + amount, 0)
}
