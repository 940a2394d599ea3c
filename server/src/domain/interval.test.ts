import { expect, test } from 'vitest'
import { INTERVAL_EXPECTED, readInterval } from './interval.ts'

const NOW = new Date('2026-11-15T09:42:07.500Z')

test.each([
  ['PT60M/now', '2026-11-15T08:42:07.500Z', '2026-11-15T09:42:07.500Z'],
  ['PT60M/hour_start', '2026-11-15T08:00:00.000Z', '2026-11-15T09:00:00.000Z'],
  ['hour_start/hour_end', '2026-11-15T09:00:00.000Z', '2026-11-15T10:00:00.000Z'],
  ['hour_start/PT30M', '2026-11-15T09:00:00.000Z', '2026-11-15T09:30:00.000Z'],
  ['P1M/2026-03-31T00:00:00Z', '2026-02-28T00:00:00.000Z', '2026-03-31T00:00:00.000Z'],
  ['2026-11-15T10:00:00+01:00/P1D', '2026-11-15T09:00:00.000Z', '2026-11-16T09:00:00.000Z'],
  ['2026-11-14T00:00Z/2026-11-15T00:00:00.25Z', '2026-11-14T00:00:00.000Z', '2026-11-15T00:00:00.250Z'],
  ['2026-11-15T00:00:00Z/now', '2026-11-15T00:00:00.000Z', '2026-11-15T09:42:07.500Z'],
])('reads %s', (text, from, to) => {
  expect(readInterval(text, NOW)).toEqual({ from: new Date(from), to: new Date(to) })
})

test.each([
  '',
  '/',
  'now',
  'PT60M',
  'PT60M/',
  '/now',
  'PT60M/PT60M',
  'now/now',
  'now/hour_start',
  'PT0S/now',
  'PT60M/now/now',
  'PT60M/yesterday',
  'PT60M/toString',
  '2026-11-16T00:00:00Z/2026-11-15T00:00:00Z',
  '2026-11-15/2026-11-16',
  '2026-11-15T00:00:00/2026-11-16T00:00:00',
  '2026-02-30T00:00:00Z/now',
  '2026-13-01T00:00:00Z/now',
  '2026-11-15T25:00:00Z/now',
  'P999999999Y/now',
])('refuses "%s"', (text) => {
  expect(readInterval(text, NOW)).toBeUndefined()
})

test('the message shows intervals that can be read', () => {
  const shown = INTERVAL_EXPECTED.match(/\S+\/[^\s;]+/g) ?? []

  expect(shown.length).toBe(2)
  for (const text of shown) expect(readInterval(text, NOW)).toBeDefined()
})
