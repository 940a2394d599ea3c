import pg from 'pg'
import { expect, test } from 'vitest'
import { readTime, TIME_OID } from './read-rows.ts'

const byDriver = pg.types.getTypeParser(TIME_OID, 'text')

test.each([
  '2026-01-31 10:20:30+00',
  '2026-01-31 10:20:30.1+00',
  '2026-01-31 10:20:30.05+00',
  '2026-01-31 10:20:30.123+00',
  '2026-12-31 23:59:59.999999+00',
  '2024-02-29 00:00:00+00',
  '1969-12-31 23:59:59.9999+00',
  '9999-12-31 23:59:59+00',
  '1000-01-01 00:00:00+00',
  '0999-01-01 00:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '12026-01-31 10:20:30+00',
  '2026-01-31 10:20:30.12+02',
  '2026-01-31 10:20:30+05:30',
  '1800-01-31 10:20:30.5-00:01:15',
  'infinity',
  '-infinity',
])('reads %s as the driver does', (text) => {
  expect(readTime(text)).toEqual(byDriver(text))
})

test('reads days of years with and without a leap day as the driver does', () => {
  const texts = Array.from({ length: 2_000 }, (_none, at) => {
    const time = new Date(Date.UTC(1999, 11, 1) + at * 86_399_877)
    return `${time.toISOString().replace('T', ' ').slice(0, -1)}+00`
  })
  const other = texts.filter((text) => readTime(text).getTime() !== byDriver(text).getTime())
  expect(other).toEqual([])
})
