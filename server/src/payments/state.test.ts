import { describe, expect, test } from 'vitest'
import type { Approved, Refused } from '#connectors/contract/connector.ts'
import { codeOf, type Decided, refusal } from '#processing/attempts/conclude.ts'
import { STATUSES, type Status } from '#resources/transactions/wire/transaction.ts'
import * as state from './state.ts'

const FRESH: state.Money = {
  status: 'processing',
  intent: 'authorize',
  amount: 1000,
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
const AUTHORIZED: state.Money = {
  ...FRESH,
  status: 'authorization_succeeded',
  authorized_amount: 1000,
  capture_limit: 1000,
}
const CAPTURED: state.Money = {
  ...AUTHORIZED,
  status: 'capture_succeeded',
  captured_amount: 1000,
  is_capture_final: true,
}

const APPROVED: Approved = { outcome: 'approved', reference: 'r', facts: {} }
const DECLINED: Refused = {
  outcome: 'declined',
  code: 'insufficient_funds',
  isRetriable: false,
  reference: null,
  facts: {},
}
const FAILED: Refused = { ...DECLINED, outcome: 'failed', code: 'service_error' }
const NEVER_ARRIVED = { outcome: 'not_found' } as const
const ANSWERS = [APPROVED, DECLINED, FAILED, NEVER_ARRIVED]

/** A typical payment in a status. */
function usual(status: Status): state.Money {
  switch (status) {
    case 'processing':
    case 'buyer_approval_pending':
    case 'authorization_declined':
    case 'authorization_failed':
      return { ...FRESH, status }
    case 'authorization_succeeded':
    case 'authorization_voided':
    case 'authorization_void_pending':
      return { ...AUTHORIZED, status }
    case 'capture_pending':
      return { ...AUTHORIZED, status, capturing_amount: 1000, is_capture_final: true }
    case 'capture_succeeded':
      return CAPTURED
  }
}

describe('what may be done in which status', () => {
  const ALLOWED: Readonly<Record<Status, readonly string[]>> = {
    processing: ['cancel'],
    buyer_approval_pending: ['cancel'],
    authorization_succeeded: ['capture', 'void', 'increment'],
    authorization_declined: [],
    authorization_failed: [],
    authorization_voided: [],
    authorization_void_pending: [],
    capture_pending: [],
    capture_succeeded: ['refund'],
  }
  const operations = ['capture', 'void', 'cancel', 'refund', 'increment'] as const
  const table = STATUSES.flatMap((status) => operations.map((operation) => [status, operation] as const))

  test.each(table)('%s: %s', (status, operation) => {
    const objection = state.objectionTo(operation, usual(status))

    if (ALLOWED[status].includes(operation)) expect(objection).toBeUndefined()
    else expect(objection).toContain(`its status is ${status}`)
  })

  test('during a partial capture, more can be captured, but nothing voided or added', () => {
    const money: state.Money = { ...AUTHORIZED, status: 'capture_pending', capturing_amount: 400 }

    expect(state.objectionTo('capture', money)).toBeUndefined()
    expect(state.objectionTo('void', money)).toContain('a capture is on its way')
    expect(state.objectionTo('increment', money)).toContain('capture_pending')
    expect(state.remainderOf(money)).toBe(600)
  })

  test('once part of it is captured, the rest can be captured or released', () => {
    const money: state.Money = { ...AUTHORIZED, status: 'capture_succeeded', captured_amount: 400 }

    expect(state.objectionTo('capture', money)).toBeUndefined()
    expect(state.objectionTo('void', money)).toBeUndefined()
    expect(state.objectionTo('increment', money)).toContain('capture_succeeded')
    expect(state.remainderOf(money)).toBe(600)
  })

  test('once the rest is released, only a refund is possible', () => {
    const captured: state.Money = { ...AUTHORIZED, status: 'capture_succeeded', captured_amount: 400 }
    const money = { ...captured, released_amount: 600 }

    expect(state.objectionTo('capture', money)).toContain('the rest is released')
    expect(state.objectionTo('void', money)).toContain('the rest is released')
    expect(state.objectionTo('refund', money)).toBeUndefined()
    expect(state.remainderOf(money)).toBe(0)
  })

  test.each(STATUSES)('what can be captured of a payment that is %s', (status) => {
    expect(state.remainderOf(usual(status))).toBe(status === 'authorization_succeeded' ? 1000 : 0)
  })

  test('a status that the merchant set does not undo a capture', () => {
    const money: state.Money = { ...CAPTURED, status: 'authorization_succeeded' }

    expect(state.objectionTo('capture', money)).toContain('the final capture is done')
    expect(state.objectionTo('void', money)).toContain('nothing is left to release; refund it instead')
    expect(state.objectionTo('void', { ...money, captured_amount: 0, capturing_amount: 1000 })).toContain(
      'a capture is on its way',
    )
  })

  test('an authorization of zero can be captured, but not voided', () => {
    const money = { ...AUTHORIZED, amount: 0, authorized_amount: 0, capture_limit: 0 }

    expect(state.objectionTo('void', money)).toBe('an authorization of zero holds nothing')
    expect(state.objectionTo('capture', money)).toBeUndefined()
  })
})

describe('after an authorization', () => {
  const once = { asked: 1000, isDirectCapture: false, captureFollows: false }
  const isOpen = (status: Status) => status === 'processing' || status === 'buyer_approval_pending'

  test.each(STATUSES.filter((status) => !isOpen(status)))(
    'a payment with the status %s keeps it',
    (status) => {
      for (const answer of ANSWERS) {
        expect(state.afterAuthorization(usual(status), answer, once)).toEqual({})
      }
    },
  )

  test.each(STATUSES.filter(isOpen))('a payment with the status %s is decided', (status) => {
    const changeBy = (answer: Decided) => state.afterAuthorization(usual(status), answer, once)

    expect(changeBy(APPROVED)).toEqual({
      status: 'authorization_succeeded',
      authorized_amount: 1000,
      capture_limit: 1000,
      error_code: null,
    })
    expect(changeBy(DECLINED)).toEqual({ status: 'authorization_declined', error_code: 'insufficient_funds' })
    expect(changeBy(FAILED)).toEqual({ status: 'authorization_failed', error_code: 'service_error' })
    expect(changeBy(NEVER_ARRIVED)).toEqual({
      status: 'authorization_failed',
      error_code: 'service_network_error',
    })
  })

  test('a direct capture is final', () => {
    const after = state.afterAuthorization(FRESH, APPROVED, { ...once, isDirectCapture: true })

    expect(after).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 1000,
      is_capture_final: true,
    })
  })

  test('a capture that follows counts against the limit', () => {
    const after = state.afterAuthorization(FRESH, APPROVED, { ...once, captureFollows: true })

    expect(after).toMatchObject({
      status: 'capture_pending',
      capturing_amount: 1000,
      is_capture_final: true,
    })
    expect(after).not.toHaveProperty('captured_amount')
  })

  test.each([
    ['less', 600, 600],
    ['more', 1600, 1000],
  ])('the provider may approve %s; never more than was asked for counts', (_name, amount, counts) => {
    const after = state.afterAuthorization(FRESH, { ...APPROVED, amount }, once)

    expect(after).toMatchObject({ authorized_amount: counts, capture_limit: counts })
  })
})

describe('a capture', () => {
  const begun = { ...AUTHORIZED, ...state.beforeCapture(AUTHORIZED, partOf(1000, true)) } as state.Money
  function partOf(amount: number, isFinal: boolean, limit = 1000) {
    return { amount, isFinal, limit }
  }

  test('counts against the limit from the moment it is sent', () => {
    expect(begun).toMatchObject({ status: 'capture_pending', capturing_amount: 1000, is_capture_final: true })
    expect(state.capturable(begun, 1000)).toBe(0)
  })

  test('that is approved moves its amount from capturing to captured', () => {
    const after = state.afterCapture(begun, { amount: 1000, isFinal: true, answer: APPROVED })

    expect(after).toEqual({
      status: 'capture_succeeded',
      capturing_amount: 0,
      captured_amount: 1000,
      uncollected_amount: 0,
      error_code: null,
    })
  })

  test.each([
    ['declined', DECLINED],
    ['failed', FAILED],
    ['never seen', NEVER_ARRIVED],
  ])('that is %s gives back what it reserved', (_name, answer) => {
    const before = { ...begun, captured_amount: 0 }

    const after = state.afterCapture(before, { amount: 1000, isFinal: true, answer })
    const afterSale = state.afterCapture(
      { ...before, intent: 'capture' },
      { amount: 1000, isFinal: true, answer },
    )

    expect(after).toEqual({
      status: 'authorization_succeeded',
      capturing_amount: 0,
      is_capture_final: false,
    })
    expect(afterSale).toMatchObject({ status: 'authorization_failed', error_code: codeOf(answer) })
  })

  test('that fails after others succeeded leaves the payment captured', () => {
    const before: state.Money = {
      ...AUTHORIZED,
      status: 'capture_pending',
      captured_amount: 300,
      capturing_amount: 200,
    }

    const after = state.afterCapture(before, { amount: 200, isFinal: false, answer: DECLINED })

    expect(after).toEqual({ status: 'capture_succeeded', capturing_amount: 0, is_capture_final: false })
  })

  test.each([
    [
      'approved',
      APPROVED,
      {
        status: 'capture_pending',
        captured_amount: 200,
        uncollected_amount: 0,
        capturing_amount: 500,
        error_code: null,
      },
    ],
    ['declined', DECLINED, { capturing_amount: 500, is_capture_final: true }],
  ])('that is %s while another is on its way leaves the payment waiting', (_name, answer, expected) => {
    const before: state.Money = {
      ...AUTHORIZED,
      status: 'capture_pending',
      capturing_amount: 700,
      is_capture_final: true,
    }

    expect(state.afterCapture(before, { amount: 200, isFinal: false, answer })).toEqual(expected)
  })

  test.each([
    ['approved', APPROVED, {}],
    ['declined', DECLINED, { is_capture_final: false }],
  ])('of nothing that is %s after another one was decided moves no status', (_name, answer, expected) => {
    const before: state.Money = { ...FRESH, status: 'authorization_failed', intent: 'capture', amount: 0 }

    expect(state.afterCapture(before, { amount: 0, isFinal: false, answer })).toEqual(expected)
  })

  test.each([
    ['neither limit', null, null, 1000],
    ['an amount', 250, null, 1250],
    ['an amount of none', 0, null, 1000],
    ['a percentage', null, 15, 1150],
    ['both, the amount smaller', 100, 15, 1100],
    ['both, the percentage smaller', 250, 15, 1150],
  ])('may reach, with %s', (_name, amount, percentage, limit) => {
    expect(state.captureLimit(1000, { amount, percentage })).toBe(limit)
  })

  test('a percentage is rounded down', () => {
    expect(state.captureLimit(999, { amount: null, percentage: 15 })).toBe(1148)
  })

  test.each([
    [99_999_999, { amount: null, percentage: 99_999_999 }],
    [5_000_000, { amount: null, percentage: 2048 }],
    [99_999_999, { amount: 99_999_999, percentage: null }],
  ])('never reaches beyond what an amount can be: %i, %o', (authorized, over) => {
    expect(state.captureLimit(authorized, over)).toBe(99_999_999)
  })
})

describe('a capture that fails after it succeeded', () => {
  /** 400 and 600 were captured and 500 refunded, then the 600 failed. */
  const short = {
    ...CAPTURED,
    refunded_amount: 500,
    ...state.afterLateCaptureFailure(
      { ...CAPTURED, refunded_amount: 500 },
      { amount: 600, isFinal: true, others: 400 },
    ),
  } as state.Money

  test('leaves captured what was refunded, and counts it as uncollected', () => {
    expect(short).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 500,
      uncollected_amount: 100,
    })
    expect(state.collectedOf(short)).toBe(400)
    expect(state.refundable(short)).toBe(0)
  })

  test('can be captured again as a whole', () => {
    expect(state.capturable(short, 1000)).toBe(600)
    expect(state.remainderOf(short)).toBe(600)
  })

  test.each([
    [50, { captured_amount: 500, uncollected_amount: 50 }, 0],
    [500, { captured_amount: 900, uncollected_amount: 0 }, 400],
    [600, { captured_amount: 1000, uncollected_amount: 0 }, 500],
  ])('is made good by a later capture of %i first', (amount, expected, refundable) => {
    const waiting = { ...short, ...state.beforeCapture(short, { amount, isFinal: true, limit: 1000 }) }

    const after = { ...waiting, ...state.afterCapture(waiting, { amount, isFinal: true, answer: APPROVED }) }

    expect(after).toMatchObject({ status: 'capture_succeeded', ...expected })
    expect(state.refundable(after as state.Money)).toBe(refundable)
  })

  test('no longer counts as captured once the refund comes to nothing', () => {
    const expected = { status: 'capture_succeeded', captured_amount: 400, uncollected_amount: 0 }
    const refunding = { ...short, refunded_amount: 0, refunding_amount: 500 }

    expect(state.afterLateRefundFailure(short, 500)).toMatchObject({ refunded_amount: 0, ...expected })
    expect(state.afterRefund(refunding, 500, DECLINED)).toMatchObject({ refunding_amount: 0, ...expected })
  })

  test.each([
    ['authorize', 0, 'authorization_succeeded'],
    ['authorize', 600, 'authorization_voided'],
    ['capture', 0, 'authorization_failed'],
  ] as const)('and was the only one: intent %s, %i released', (intent, released_amount, status) => {
    const before: state.Money = { ...CAPTURED, intent, captured_amount: 400, released_amount }

    const after = state.afterLateCaptureFailure(before, { amount: 400, isFinal: false, others: 0 })

    expect(after).toMatchObject({ status, captured_amount: 0, uncollected_amount: 0 })
  })

  test('takes no more than the merchant says was captured', () => {
    const corrected: state.Money = { ...CAPTURED, captured_amount: 400 }

    const after = state.afterLateCaptureFailure(corrected, { amount: 1000, isFinal: true, others: 0 })

    expect(after).toMatchObject({ captured_amount: 0, uncollected_amount: 0 })
  })

  test.each([
    ['by all of it', 400, 400],
    ['by a part of it', 700, 400],
    ['by more', 300, 300],
    ['not at all', 1000, 400],
  ])('is not taken off twice if the merchant has corrected the amount %s', (_how, captured_amount, left) => {
    // 400 and 600 were captured, and the 600 fail.
    const corrected: state.Money = { ...CAPTURED, captured_amount }

    const after = state.afterLateCaptureFailure(corrected, { amount: 600, isFinal: true, others: 400 })

    expect(after).toMatchObject({ captured_amount: left, uncollected_amount: 0 })
  })

  test('leaves the status that the merchant has set meanwhile', () => {
    const corrected: state.Money = { ...AUTHORIZED, status: 'authorization_voided' }

    const after = state.afterLateCaptureFailure(corrected, { amount: 1000, isFinal: true, others: 0 })

    expect(after.status).toBe('authorization_voided')
  })
})

describe('other operations', () => {
  test.each([
    [APPROVED, { status: 'authorization_voided' }],
    [DECLINED, { status: 'authorization_succeeded' }],
    [FAILED, { status: 'authorization_succeeded' }],
    [NEVER_ARRIVED, { status: 'authorization_succeeded' }],
  ])('a void: %o', (answer, expected) => {
    expect(state.afterVoid(usual('authorization_void_pending'), answer)).toEqual(expected)
  })

  test('a refused release restores the capturable amount', () => {
    expect(ANSWERS.map(state.afterRelease)).toEqual([{}, ...Array(3).fill({ released_amount: 0 })])
  })

  test.each(STATUSES.filter((status) => status !== 'authorization_void_pending'))(
    'a void says nothing about a payment that is %s',
    (status) => {
      for (const answer of ANSWERS) expect(state.afterVoid(usual(status), answer)).toEqual({})
    },
  )

  test.each(STATUSES)('is held only while nothing is captured: %s', (status) => {
    const holds = status === 'authorization_succeeded' || status === 'authorization_void_pending'

    expect(state.isHeld(usual(status))).toBe(holds)
    expect(state.isHeld({ ...usual(status), captured_amount: 1 })).toBe(false)
    expect(state.isHeld({ ...usual(status), capturing_amount: 1 })).toBe(false)
  })

  test.each(STATUSES)('a cancel ends only an undecided payment: %s', (status) => {
    const waits = status === 'processing' || status === 'buyer_approval_pending'
    const canceled = { status: 'authorization_failed', error_code: 'canceled' }

    expect(state.afterCancel(usual(status), APPROVED)).toEqual(waits ? canceled : {})
    expect(state.afterCancel(usual(status), DECLINED)).toEqual({})
    expect(state.afterCancel(usual(status), NEVER_ARRIVED)).toEqual({})
  })

  test.each([
    [APPROVED, { refunding_amount: 100, refunded_amount: 600 }],
    [DECLINED, { refunding_amount: 100, captured_amount: 1000, status: 'capture_succeeded' }],
    [NEVER_ARRIVED, { refunding_amount: 100, captured_amount: 1000, status: 'capture_succeeded' }],
  ])('a refund: %o', (answer, expected) => {
    const before = { ...CAPTURED, refunded_amount: 300, refunding_amount: 400 }

    expect(state.refundable(before)).toBe(300)
    expect(state.afterRefund(before, 300, answer)).toMatchObject(expected)
  })

  test('an increment raises the amount, the authorized amount and the limit', () => {
    expect(state.afterIncrement(AUTHORIZED, 200, APPROVED)).toEqual({
      amount: 1200,
      authorized_amount: 1200,
      capture_limit: 1200,
    })
    expect(state.afterIncrement(AUTHORIZED, 200, DECLINED)).toEqual({})
  })
})

test.each([
  ['processing', 'pending'],
  ['buyer_approval_pending', 'pending'],
  ['authorization_succeeded', 'succeeded'],
  ['authorization_declined', 'failed'],
  ['authorization_failed', 'failed'],
  ['authorization_voided', 'succeeded'],
  ['authorization_void_pending', 'succeeded'],
  ['capture_pending', 'succeeded'],
  ['capture_succeeded', 'succeeded'],
] as const)('the outcome of the intent while %s is %s', (status, outcome) => {
  expect(state.intentOutcome(usual(status))).toBe(outcome)
})

test.each([
  ['cancelled_buyer_approval', 'failed'],
  ['issuer_decline', 'declined'],
] as const)('a refusal of our own with %s is %s', (code, outcome) => {
  expect(refusal(code)).toMatchObject({ outcome, code, reference: null })
})

test.each([
  [1000, 0, 1000],
  [1000, 400, 600],
  [1000, 1000, 0],
])('of %i, of which gift cards pay %i, the payment method pays %i', (amount, gift_card_amount, expected) => {
  expect(state.amountForMethod({ amount, gift_card_amount })).toBe(expected)
})
