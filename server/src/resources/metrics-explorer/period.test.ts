import { describe, expect, test } from 'vitest'
import { isTooLong, periodBefore, periodOf } from './period.ts'

const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) })
const shown = (steps: readonly Date[]) => steps.map((step) => step.toISOString())

describe('a period', () => {
  test('has hours up to two days, and the first and the last may be cut', () => {
    const { steps } = periodOf('UTC', span('2026-11-15T09:20:00Z', '2026-11-15T11:20:00Z'))

    expect(shown(steps)).toEqual([
      '2026-11-15T09:00:00.000Z',
      '2026-11-15T10:00:00.000Z',
      '2026-11-15T11:00:00.000Z',
    ])
  })

  test.each([
    ['two days', '2026-11-13T00:00:00Z', 48],
    ['a moment longer', '2026-11-12T23:59:59.999Z', 3],
  ])('of %s has as many steps as it should', (_what, from, count) => {
    expect(periodOf('UTC', span(from, '2026-11-15T00:00:00Z')).steps).toHaveLength(count)
  })

  test('has the hours of its zone, also where its clocks are half an hour off', () => {
    const { steps } = periodOf('Asia/Kolkata', span('2026-11-15T09:20:00Z', '2026-11-15T09:40:00Z'))

    expect(shown(steps)).toEqual(['2026-11-15T08:30:00.000Z', '2026-11-15T09:30:00.000Z'])
  })

  test('has the days of its zone, also those of 23 and 25 hours', () => {
    const spring = periodOf('Europe/Berlin', span('2026-03-27T23:00:00Z', '2026-03-30T22:00:00Z'))
    const autumn = periodOf('Europe/Berlin', span('2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z'))

    expect(shown(spring.steps)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    expect(autumn.steps).toHaveLength(3)
  })
})

describe('the period before', () => {
  test('is as long, and ends where the other begins', () => {
    const current = periodOf('UTC', span('2026-11-15T09:20:00Z', '2026-11-15T11:20:00Z'))

    const previous = periodBefore('UTC', current)

    expect(previous).toMatchObject(span('2026-11-15T07:20:00Z', '2026-11-15T09:20:00Z'))
    expect(previous.steps).toHaveLength(current.steps.length)
  })

  test('of whole days is of as many whole days when the clocks change', () => {
    const current = periodOf('Europe/Berlin', span('2026-03-29T22:00:00Z', '2026-04-05T22:00:00Z'))

    const previous = periodBefore('Europe/Berlin', current)

    expect(previous).toMatchObject(span('2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z'))
    expect([current.steps.length, previous.steps.length]).toEqual([7, 7])
  })
})

test.each([
  ['2025-11-15T00:00:00Z', false],
  ['2025-11-13T23:00:00Z', false],
  ['2025-11-13T22:59:59Z', true],
  ['2016-11-15T00:00:00Z', true],
])('from %s to 15 November 2026 is too long: %s', (from, expected) => {
  expect(isTooLong(span(from, '2026-11-15T00:00:00Z'))).toBe(expected)
})
