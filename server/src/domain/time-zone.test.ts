import { expect, test } from 'vitest'
import { addDays, dayAt, firstOfMonth, isTimeZone, mondayOf, startOfDay } from './time-zone.ts'

test.each([
  ['UTC', 'Etc/UTC', '2026-11-16', '2026-11-16T00:00:00.000Z'],
  ['east of UTC', 'Asia/Tokyo', '2026-11-16', '2026-11-15T15:00:00.000Z'],
  ['half an hour', 'Asia/Kolkata', '2026-11-16', '2026-11-15T18:30:00.000Z'],
  ['west of UTC', 'America/New_York', '2026-11-16', '2026-11-16T05:00:00.000Z'],
  ['the farthest east', 'Pacific/Kiritimati', '2026-11-16', '2026-11-15T10:00:00.000Z'],
  ['the farthest west', 'Pacific/Pago_Pago', '2026-11-16', '2026-11-16T11:00:00.000Z'],
  ['the day of 23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['the day after it', 'Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['the day of 25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['the day after that', 'Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['a day without midnight', 'Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  ['a day that the clocks reach twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['midnight put back to the day before', 'America/Sao_Paulo', '2019-02-17', '2019-02-17T03:00:00.000Z'],
  ['a day that never was', 'Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['the day after it', 'Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
  ['a day before 1970', 'Europe/Berlin', '1969-12-31', '1969-12-30T23:00:00.000Z'],
])('%s begins where its zone says', (_name, zone, text, expected) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)

  expect(startOfDay(zone, { year, month, day }).toISOString()).toBe(expected)
})

test('days of 23 and 25 hours are as long as that', () => {
  const hours = (year: number, month: number, day: number) => {
    const start = startOfDay('America/New_York', { year, month, day })
    const end = startOfDay('America/New_York', addDays({ year, month, day }, 1))
    return (end.getTime() - start.getTime()) / 3_600_000
  }

  expect([hours(2026, 3, 8), hours(2026, 3, 9), hours(2026, 11, 1)]).toEqual([23, 24, 25])
})

test('each day of three years begins when the day before ends, in zones of all kinds', () => {
  const zones = ['Europe/Berlin', 'America/Havana', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Kathmandu']
  for (const zone of zones) {
    let day = { year: 2025, month: 1, day: 1 }
    while (day.year < 2028) {
      const start = startOfDay(zone, day)
      const before = new Date(start.getTime() - 1)

      expect([dayAt(zone, start), dayAt(zone, before)], `${zone} ${start.toISOString()}`).toEqual([
        day,
        addDays(day, -1),
      ])
      day = addDays(day, 1)
    }
  }
})

test('knows the day in a zone, its Monday, and the first of its month', () => {
  const at = new Date('2026-11-01T02:30:00Z')

  expect(dayAt('America/New_York', at)).toEqual({ year: 2026, month: 10, day: 31 })
  expect(dayAt('Asia/Tokyo', at)).toEqual({ year: 2026, month: 11, day: 1 })
  expect(mondayOf({ year: 2026, month: 11, day: 1 })).toEqual({ year: 2026, month: 10, day: 26 })
  expect(mondayOf({ year: 2026, month: 10, day: 26 })).toEqual({ year: 2026, month: 10, day: 26 })
  expect(firstOfMonth({ year: 2026, month: 12, day: 31 }, 1)).toEqual({ year: 2027, month: 1, day: 1 })
})

test.each([
  ['Europe/Berlin', true],
  ['Etc/UTC', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Atlantis', false],
  ['+01:00', false],
  ['-0500', false],
  ['', false],
  ['Europe/Berlin\0', false],
  ['CEST', false],
])('%s is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected)
})
