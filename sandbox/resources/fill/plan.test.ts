import { describe, expect, test } from 'vitest'
import { passesLuhn } from '#domain/card.ts'
import { type Act, planHistory } from './plan.ts'

const DAY_MS = 86_400_000
const WISH = { seed: 7, days: 90, payments: 2_000, start: new Date('2026-11-17T00:00:00Z') }
const acts = planHistory(WISH)
const pays = acts.filter((act) => act.kind === 'pay')

function shareOf(matches: (act: Act) => boolean): number {
  return pays.filter(matches).length / pays.length
}

describe('a planned history', () => {
  test('is the same for the same seed, and another one for another', () => {
    expect(planHistory(WISH)).toEqual(acts)
    expect(planHistory({ ...WISH, seed: 8 })).not.toEqual(acts)
  })

  test('has as many payments as were asked for, within its days, in order of time', () => {
    const times = acts.map(({ at }) => at.getTime())

    expect(pays).toHaveLength(WISH.payments)
    expect(times.toSorted((one, other) => one - other)).toEqual(times)
    expect(times[0]).toBeGreaterThanOrEqual(WISH.start.getTime())
    expect(times.at(-1)).toBeLessThan(WISH.start.getTime() + WISH.days * DAY_MS)
  })

  test('has several currencies, cards that can exist, and no amount that is not meant to be refused', () => {
    expect(new Set(pays.map(({ payment }) => payment.market.currency)).size).toBe(6)
    for (const { payment } of pays) expect(passesLuhn(payment.card.number)).toBe(true)
    for (const { payment } of pays) expect(payment.amount).toBeGreaterThan(0)
    expect(shareOf(({ payment }) => payment.amount >= 200_000)).toBeGreaterThan(0.05)
    expect(shareOf(({ payment }) => payment.amount >= 200_000)).toBeLessThan(0.15)
  })

  test('has buyers who come back, subscribers, 3-D Secure, captures, voids and refunds', () => {
    expect(shareOf(({ payment }) => payment.buyer !== null)).toBeGreaterThan(0.5)
    expect(shareOf(({ payment }) => payment.isRenewal)).toBeGreaterThan(0.05)
    expect(shareOf(({ payment }) => payment.isChecked)).toBeGreaterThan(0.03)
    const kinds = new Set(acts.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(['pay', 'capture', 'void', 'refund']))
  })

  test('captures, voids and refunds only after it has paid', () => {
    const paidAt = new Map(pays.map(({ payment, at }) => [payment.number, at]))

    for (const { payment, at } of acts) {
      expect(paidAt.get(payment.number)?.getTime()).toBeLessThanOrEqual(at.getTime())
    }
  })
})
