import { expect, test } from 'vitest'
import { after, before, readDuration } from './duration.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

test.each([
  ['PT60M', 0, HOUR_MS],
  ['PT1H', 0, HOUR_MS],
  ['PT1H30M5S', 0, 90 * MINUTE_MS + 5_000],
  ['P3D', 0, 3 * DAY_MS],
  ['P2W', 0, 14 * DAY_MS],
  ['P1DT12H', 0, 36 * HOUR_MS],
  ['P1M', 1, 0],
  ['P1Y6M', 18, 0],
  ['PT0S', 0, 0],
])('reads %s', (text, months, ms) => {
  expect(readDuration(text)).toEqual({ months, ms })
})

test.each([
  '',
  'P',
  'PT',
  'P1DT',
  '60M',
  'PT60',
  'P60M5',
  'PT-5M',
  '-PT5M',
  'PT1.5H',
  'PT5M ',
  'pt5m',
  'P1D1Y',
  'PT1234567890S',
])('refuses "%s"', (text) => {
  expect(readDuration(text)).toBeUndefined()
})

test.each([
  ['2026-01-31T10:00:00.000Z', 'P1M', '2026-02-28T10:00:00.000Z'],
  ['2024-02-29T10:00:00.000Z', 'P1Y', '2025-02-28T10:00:00.000Z'],
  ['2026-12-15T10:00:00.000Z', 'P1MT1H', '2027-01-15T11:00:00.000Z'],
  ['2026-11-15T10:00:00.000Z', 'P3D', '2026-11-18T10:00:00.000Z'],
])('%s and %s is %s', (moment, text, expected) => {
  const duration = readDuration(text)

  expect(duration && after(new Date(moment), duration)?.toISOString()).toBe(expected)
})

test('goes back by the calendar, too', () => {
  const moment = new Date('2026-03-31T10:00:00.000Z')

  expect(before(moment, { months: 1, ms: 0 })?.toISOString()).toBe('2026-02-28T10:00:00.000Z')
  expect(before(moment, { months: 0, ms: HOUR_MS })?.toISOString()).toBe('2026-03-31T09:00:00.000Z')
})

test('there is no moment beyond what a date can hold', () => {
  const ages = readDuration('P999999999Y')

  expect(ages && after(new Date(0), ages)).toBeUndefined()
  expect(ages && before(new Date(0), ages)).toBeUndefined()
})
