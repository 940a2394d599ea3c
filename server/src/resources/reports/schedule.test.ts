import { expect, test } from 'vitest'
import { latestExecution, momentIn, nextExecution, resolveRange } from './schedule.ts'

const at = (text: string) => new Date(text)

test.each([
  ['once', 'Etc/UTC', '2026-11-16T09:30:00Z', null],
  ['daily', 'Etc/UTC', '2026-11-16T09:30:00Z', '2026-11-17T00:00:00.000Z'],
  ['daily', 'Etc/UTC', '2026-11-16T00:00:00Z', '2026-11-17T00:00:00.000Z'],
  ['daily', 'Etc/UTC', '2026-11-15T23:59:59.999Z', '2026-11-16T00:00:00.000Z'],
  ['daily', 'Asia/Tokyo', '2026-11-16T14:59:00Z', '2026-11-16T15:00:00.000Z'],
  // The clocks are put forward: the day has 23 hours.
  ['daily', 'Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00.000Z'],
  // They are put back: it has 25.
  ['daily', 'Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z'],
  // There is no midnight on that day.
  ['daily', 'Africa/Cairo', '2026-04-23T12:00:00Z', '2026-04-23T22:00:00.000Z'],
  ['daily', 'Africa/Cairo', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00.000Z'],
  ['weekly', 'Etc/UTC', '2026-11-16T00:00:00Z', '2026-11-23T00:00:00.000Z'],
  ['weekly', 'Etc/UTC', '2026-11-15T23:00:00Z', '2026-11-16T00:00:00.000Z'],
  ['weekly', 'America/New_York', '2026-03-08T12:00:00Z', '2026-03-09T04:00:00.000Z'],
  ['monthly', 'Etc/UTC', '2026-11-01T00:00:00Z', '2026-12-01T00:00:00.000Z'],
  ['monthly', 'Etc/UTC', '2026-12-31T23:00:00Z', '2027-01-01T00:00:00.000Z'],
  ['monthly', 'America/Los_Angeles', '2026-11-01T06:00:00Z', '2026-11-01T07:00:00.000Z'],
  ['monthly', 'America/Los_Angeles', '2026-11-01T07:00:00Z', '2026-12-01T08:00:00.000Z'],
  ['monthly', 'Europe/Berlin', '2028-02-29T12:00:00Z', '2028-02-29T23:00:00.000Z'],
] as const)('%s in %s after %s is %s', (schedule, zone, after, expected) => {
  const next = nextExecution({ schedule, schedule_timezone: zone }, at(after))

  expect(next?.toISOString() ?? null).toBe(expected)
})

test.each([
  ['daily', 'Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-24T22:00:00.000Z'],
  ['daily', 'Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-25T23:00:00.000Z'],
  ['weekly', 'Etc/UTC', '2026-11-22T23:00:00Z', '2026-11-16T00:00:00.000Z'],
  ['monthly', 'Etc/UTC', '2026-11-30T23:00:00Z', '2026-11-01T00:00:00.000Z'],
] as const)('the last run of %s in %s until %s was due at %s', (schedule, zone, now, expected) => {
  expect(latestExecution({ schedule, schedule_timezone: zone }, at(now)).toISOString()).toBe(expected)
})

const DAY = ['day_start', 'day_end'] as const
const WEEK = ['week_start', 'week_end'] as const
const MONTH = ['month_start', 'month_end'] as const

test.each([
  // At midnight: the period that is over.
  [DAY, 'Etc/UTC', '2026-11-16T00:00:00Z', '2026-11-15T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
  [WEEK, 'Etc/UTC', '2026-11-16T00:00:00Z', '2026-11-09T00:00:00.000Z', '2026-11-15T23:59:59.999Z'],
  [MONTH, 'Etc/UTC', '2026-12-01T00:00:00Z', '2026-11-01T00:00:00.000Z', '2026-11-30T23:59:59.999Z'],
  // At another time: the period that is under way.
  [DAY, 'Etc/UTC', '2026-11-16T09:30:00Z', '2026-11-16T00:00:00.000Z', '2026-11-16T23:59:59.999Z'],
  [WEEK, 'Etc/UTC', '2026-11-18T09:30:00Z', '2026-11-16T00:00:00.000Z', '2026-11-22T23:59:59.999Z'],
  [MONTH, 'Asia/Tokyo', '2026-11-18T09:30:00Z', '2026-10-31T15:00:00.000Z', '2026-11-30T14:59:59.999Z'],
  // Days of 23 and 25 hours.
  [DAY, 'Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  [DAY, 'Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
])('%s in %s at %s', ([start, end], zone, reference, ...expected) => {
  const context = { reference_timestamp: at(reference), reference_timezone: zone }

  expect(resolveRange({ start, end }, context)).toEqual({
    start: expected[0],
    end: expected[1],
  })
})

test('times that are written out do not depend on the context', () => {
  const context = { reference_timestamp: at('2026-11-16T00:00:00Z'), reference_timezone: 'Asia/Tokyo' }

  expect(resolveRange({ start: '2026-11-01T00:00:00', end: null }, context)).toEqual({
    start: '2026-11-01T00:00:00.000Z',
    end: null,
  })
  expect(resolveRange({ start: '2026-11-01T00:00:00+02:00', end: 'day_end' }, context)).toEqual({
    start: '2026-10-31T22:00:00.000Z',
    end: '2026-11-16T14:59:59.999Z',
  })
})

test.each(['2026-02-30T00:00:00Z', '2026-11-01', 'yesterday', '2026-11-01 00:00', '2026-13-01T00:00', ''])(
  'there is no moment %j',
  (text) => {
    expect(momentIn(text).getTime()).toBeNaN()
  },
)
