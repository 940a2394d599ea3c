import type { Approved, Refused } from '#connectors/contract/connector.ts'
import * as state from '#payments/state.ts'
import type { Decided } from '#processing/attempts/conclude.ts'
import { type Move, machine } from './table.ts'

/*
 * Every history of a payment of a few cents: all that `state.ts` makes of it, from each state that it can come to. What a payment's row
 * does not know, such as its captures, is kept beside it.
 */

/** A capture or a refund. Those that came to nothing are left out. */
type Part = { readonly amount: number; readonly isFinal: boolean; readonly is: 'asked' | 'done' }

export type History = {
  readonly money: state.Money
  readonly captures: readonly Part[]
  readonly refunds: readonly Part[]
  readonly increment: 'none' | 'asked'
  readonly release: 'none' | 'asked'
  /** Gift cards pay a part, or all. */
  readonly giftCards: 'none' | 'some' | 'all'
}

type Step = { readonly by: string; readonly after: History }

export type Made = Pick<Move, 'from' | 'to' | 'by'>

const AMOUNT = 2
const CAPTURES_MAX = 2
const REFUNDS_MAX = 2
/** By how much captures may be above what is authorized. */
const OVER = 1

const APPROVED: Approved = { outcome: 'approved', reference: 'r', facts: {} }
const DECLINED: Refused = {
  outcome: 'declined',
  code: 'insufficient_funds',
  isRetriable: false,
  reference: null,
  facts: {},
}
const FAILED: Refused = { ...DECLINED, outcome: 'failed', code: 'service_error' }
const ANSWERS: readonly Decided[] = [APPROVED, DECLINED, FAILED, { outcome: 'not_found' }]

const nameOf = (answer: Decided) => (answer.outcome === 'approved' ? 'approved' : 'refused')

/** What the functions of `state.ts` do: all moves by these are found here. The acts make the others. */
export function isOfState({ by }: Pick<Move, 'by'>): boolean {
  return OF_STATE.has(by)
}

const OF_STATE = new Set(
  machine('payment')
    .moves.map(({ by }) => by)
    .filter((by) =>
      /^(authorization|gift cards redeemed|review accepted|cancel|capture|void (approved|refused)|release|refund|increment)/.test(
        by,
      ),
    ),
)

/** All moves, and all histories that they lead through. */
export function everyMove(): { readonly moves: Made[]; readonly histories: History[] } {
  const made = new Map<string, Made>()
  const seen = new Map<string, History>()
  const next: History[] = []
  const see = (history: History) => {
    const [captures, refunds] = [sorted(history.captures), sorted(history.refunds)]
    const name = JSON.stringify({ ...history, captures, refunds })
    if (seen.has(name)) return
    seen.set(name, history)
    next.push(history)
  }
  for (const first of FIRST) see(first)
  for (let history = next.pop(); history; history = next.pop()) {
    for (const { by, after } of [...stepsOfState(history), ...stepsOfActs(history)]) {
      const move = { from: history.money.status, to: after.money.status, by }
      made.set(JSON.stringify(move), move)
      see(after)
    }
  }
  return { moves: [...made.values()].filter(isOfState), histories: [...seen.values()] }
}

const FRESH: state.Money = {
  status: 'processing',
  intent: 'authorize',
  amount: AMOUNT,
  authorized_amount: 0,
  capture_limit: 0,
  captured_amount: 0,
  capturing_amount: 0,
  refunded_amount: 0,
  refunding_amount: 0,
  released_amount: 0,
  uncollected_amount: 0,
  is_capture_final: false,
}

const FIRST: readonly History[] = (['authorize', 'capture'] as const).flatMap((intent) =>
  [0, AMOUNT].flatMap((amount) =>
    (['none', 'some', 'all'] as const).map((giftCards) => ({
      money: { ...FRESH, intent, amount },
      captures: [],
      refunds: [],
      increment: 'none',
      release: 'none',
      giftCards,
    })),
  ),
)

function* stepsOfState(history: History): Generator<Step> {
  yield* authorizations(history)
  yield* reviews(history)
  yield* captures(history)
  yield* releases(history)
  yield* refunds(history)
  yield* increments(history)
}

function changed(history: History, change: object, more: Partial<History> = {}): History {
  const { error_code: _, ...money } = change as Partial<state.Money> & { error_code?: unknown }
  return { ...history, ...more, money: { ...history.money, ...money } }
}

function* authorizations(history: History): Generator<Step> {
  const { money, giftCards } = history
  if (!state.isUndecided(money)) return
  const asked = money.amount
  if (giftCards === 'none') {
    const ways = [
      { isDirectCapture: false, captureFollows: false },
      ...(money.intent === 'capture'
        ? [
            { isDirectCapture: true, captureFollows: false },
            { isDirectCapture: false, captureFollows: true },
          ]
        : []),
    ]
    for (const way of ways)
      for (const answer of [...ANSWERS, { ...APPROVED, amount: Math.max(0, asked - 1) }]) {
        const after = changed(history, state.afterAuthorization(money, answer, { asked, ...way }))
        const { captured_amount, capturing_amount, status } = after.money
        const isCaptured = state.isCapturing(after.money) || state.isCaptured(after.money)
        const amount = captured_amount + capturing_amount
        const is = state.isCaptured({ status }) ? 'done' : 'asked'
        yield {
          by: `authorization ${answer.outcome === 'not_found' ? 'failed' : answer.outcome}`,
          after: isCaptured ? { ...after, captures: [{ amount, isFinal: true, is }] } : after,
        }
      }
  }
  for (const answer of ANSWERS)
    if (answer.outcome === 'approved')
      yield { by: 'cancel approved', after: changed(history, state.afterCancel(money, answer)) }
}

function* reviews(history: History): Generator<Step> {
  const { money, giftCards } = history
  const captureAll: Part = { amount: money.authorized_amount, isFinal: true, is: 'asked' }
  if (state.isProcessing(money) && giftCards !== 'none' && (giftCards === 'all' || money.capture_limit > 0))
    for (const isHeldBack of [false, true]) {
      const after = changed(
        history,
        state.afterRedemptions(money, { hasPaymentMethod: giftCards === 'some', isHeldBack }),
      )
      const captures = state.isCapturing(after.money) ? [captureAll] : []
      yield { by: 'gift cards redeemed', after: { ...after, captures } }
    }
  const isUntouched = history.captures.length === 0
  if (state.isAuthorized(money) && money.intent === 'capture' && isUntouched && giftCards !== 'all')
    yield {
      by: 'review accepted',
      after: changed(history, state.afterReview(money), { captures: [captureAll] }),
    }
}

function* captures(history: History): Generator<Step> {
  const { money } = history
  if (state.objectionTo('capture', money) === undefined && history.captures.length < CAPTURES_MAX)
    for (const isFinal of [false, true])
      for (const amount of upTo(state.capturable(money, money.authorized_amount + OVER))) {
        if (amount === 0 && money.authorized_amount > 0) continue
        const limit = money.authorized_amount + OVER
        const change = state.beforeCapture(money, { amount, isFinal, limit })
        const captures: readonly Part[] = [...history.captures, { amount, isFinal, is: 'asked' }]
        yield { by: 'capture asked', after: changed(history, change, { captures }) }
      }
  for (const { part, put } of partsOf(history.captures, 'asked'))
    for (const answer of ANSWERS) {
      const is = answer.outcome === 'approved' ? 'done' : 'failed'
      const after = changed(history, state.afterCapture(money, { ...part, answer }), { captures: put(is) })
      yield { by: `capture ${nameOf(answer)}`, after }
    }
  for (const { part, others, put } of partsOf(history.captures, 'done')) {
    const change = state.afterLateCaptureFailure(money, { ...part, others })
    yield { by: 'capture failed late', after: changed(history, change, { captures: put('failed') }) }
  }
}

function* releases(history: History): Generator<Step> {
  const { money, release } = history
  if (state.isVoiding(money))
    for (const answer of ANSWERS)
      yield { by: `void ${nameOf(answer)}`, after: changed(history, state.afterVoid(money, answer)) }
  if (release === 'asked' && !state.isVoided(money))
    for (const answer of ANSWERS)
      yield {
        by: `release ${nameOf(answer)}`,
        after: changed(history, state.afterRelease(answer), { release: 'none' }),
      }
}

function* refunds(history: History): Generator<Step> {
  const { money } = history
  for (const { part, put } of partsOf(history.refunds, 'asked'))
    for (const answer of ANSWERS) {
      const is = answer.outcome === 'approved' ? 'done' : 'failed'
      const after = changed(history, state.afterRefund(money, part.amount, answer), { refunds: put(is) })
      yield { by: `refund ${nameOf(answer)}`, after }
    }
  for (const { part, put } of partsOf(history.refunds, 'done')) {
    const change = state.afterLateRefundFailure(money, part.amount)
    yield { by: 'refund failed late', after: changed(history, change, { refunds: put('failed') }) }
  }
}

function* increments(history: History): Generator<Step> {
  if (history.increment === 'asked')
    yield {
      by: 'increment approved',
      after: changed(history, state.afterIncrement(history.money, 1, APPROVED), { increment: 'none' }),
    }
}

/** What the acts do around them, as far as it leads to other states. They check the same. */
function* stepsOfActs(history: History): Generator<Step> {
  const { money, giftCards } = history
  const set = (by: string, change: object, more?: Partial<History>) => ({
    by,
    after: changed(history, change, more),
  })
  if (state.isProcessing(money) && giftCards !== 'all') yield set('buyer asked', state.BUYER_ASKED)
  if (state.isBuyerAsked(money)) yield set('buyer approved', state.PROCESSING)
  if (state.isUndecided(money) && giftCards === 'some' && money.amount > 0)
    yield set('gift cards asked', { ...state.PROCESSING, authorized_amount: 1, capture_limit: 1 })
  if (state.objectionTo('void', money) === undefined && giftCards !== 'all')
    yield money.captured_amount > 0
      ? set(
          'rest released',
          {
            released_amount: state.remainderOf(money),
            capture_limit: money.authorized_amount,
          },
          { release: 'asked' },
        )
      : set('void asked', state.VOIDING)
  if (state.isHeld(money)) yield set('hold ended', state.VOIDED)
  if (state.isAuthorized(money) && giftCards === 'all') yield set('gift cards kept', state.CAPTURED)
  if (state.objectionTo('refund', money) === undefined && history.refunds.length < REFUNDS_MAX)
    for (const amount of upTo(state.refundable(money)).slice(1))
      yield set(
        'refund asked',
        { refunding_amount: money.refunding_amount + amount },
        { refunds: [...history.refunds, { amount, isFinal: false, is: 'asked' }] },
      )
  if (state.objectionTo('increment', money) === undefined && money.amount === AMOUNT)
    yield { by: 'increment asked', after: { ...history, increment: 'asked' } }
}

/** In which order they were asked makes no difference. */
function sorted(parts: readonly Part[]): string[] {
  return parts.map((part) => JSON.stringify(part)).sort()
}

function upTo(most: number): number[] {
  return Array.from({ length: most + 1 }, (_, amount) => amount)
}

/** Each part in a state, the sum of the others that have succeeded, and a way to put it into another state. */
function partsOf(all: readonly Part[], is: Part['is']) {
  return all
    .map((part, place) => ({
      part,
      others: all.reduce((sum, one, at) => sum + (at !== place && one.is === 'done' ? one.amount : 0), 0),
      put: (state: Part['is'] | 'failed'): readonly Part[] =>
        all.flatMap((one, at) => (at !== place ? [one] : state === 'failed' ? [] : [{ ...one, is: state }])),
    }))
    .filter((one) => one.part.is === is)
}
