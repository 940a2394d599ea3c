import { describe, expect, test } from 'vitest'
import {
  judgeActivation,
  judgeGivingBack,
  judgeLoad,
  judgeTaking,
  judgeTakingHeld,
  judgeUse,
  type Verdict,
} from './rules.ts'

const NOW = new Date('2030-06-01T12:00:00Z')
const CARD = { status: 'active', expiresAt: new Date('2031-06-01'), currency: 'EUR', balance: 500 } as const
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const said = (verdict: Verdict) => (verdict.status === 'refused' ? verdict.rawCode : 'approved')

describe('use', () => {
  test.each([
    ['an active card', CARD, 'approved'],
    ['a blank', { ...CARD, status: 'inactive', expiresAt: null }, 'inactive'],
    ['a card that has expired', { ...CARD, status: 'expired' }, 'expired'],
    ['a card that expires now', { ...CARD, expiresAt: NOW }, 'expired'],
    ['a card that expires in a moment', { ...CARD, expiresAt: new Date(NOW.getTime() + 1) }, 'approved'],
  ] as const)('of %s', (_name, card, expected) => {
    expect(said(judgeUse(card, NOW))).toBe(expected)
  })
})

describe('taking', () => {
  test.each([
    ['all there is', CARD, euros(500), 'approved'],
    ['more than there is', CARD, euros(501), 'over_balance'],
    ['nothing', CARD, euros(0), 'zero_amount'],
    ['another currency', CARD, { amount: 1, currency: 'USD' }, 'other_currency'],
    ['from an expired card', { ...CARD, status: 'expired' }, euros(1), 'expired'],
  ] as const)('%s', (_name, card, money, expected) => {
    expect(said(judgeTaking(card, money, NOW))).toBe(expected)
  })

  test.each([
    [300, euros(300), 'approved'],
    [300, euros(301), 'over_hold'],
    [0, euros(1), 'over_hold'],
    [300, euros(0), 'zero_amount'],
  ] as const)('of %i that are held: %j', (held, money, expected) => {
    expect(said(judgeTakingHeld(held, 'EUR', money))).toBe(expected)
  })
})

describe('putting on', () => {
  const BLANK = { ...CARD, status: 'inactive', expiresAt: null, balance: 0 } as const

  test.each([
    ['a blank, with value', BLANK, euros(100), 'approved'],
    ['a blank, without', BLANK, null, 'approved'],
    ['a blank, with a value of nothing', BLANK, euros(0), 'zero_amount'],
    ['a blank, in another currency', BLANK, { amount: 1, currency: 'USD' }, 'other_currency'],
    ['an active card', CARD, null, 'already_active'],
    ['an expired card', { ...CARD, status: 'expired' }, null, 'already_active'],
  ] as const)('activates %s', (_name, card, money, expected) => {
    expect(said(judgeActivation(card, money))).toBe(expected)
  })

  test.each([
    ['an active card', CARD, euros(100), 'approved'],
    ['a blank', BLANK, euros(100), 'inactive'],
    ['an expired card', { ...CARD, expiresAt: NOW }, euros(100), 'expired'],
    ['with nothing', CARD, euros(0), 'zero_amount'],
  ] as const)('loads %s', (_name, card, money, expected) => {
    expect(said(judgeLoad(card, money, NOW))).toBe(expected)
  })
})

test.each([
  [500, euros(500), 'approved'],
  [500, euros(501), 'over_redeemed'],
  [0, euros(1), 'over_redeemed'],
  [500, euros(0), 'zero_amount'],
  [500, { amount: 1, currency: 'USD' }, 'other_currency'],
] as const)('of %i that are left, giving back %j', (left, money, expected) => {
  expect(said(judgeGivingBack('EUR', left, money))).toBe(expected)
})
