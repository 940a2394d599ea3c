const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A day of a calendar, without a place or a time. Months start at 1. */
export type CalendarDay = { readonly year: number; readonly month: number; readonly day: number }

/** Whether it is a name of the IANA time zone database, such as Europe/Berlin. */
export function isTimeZone(name: string): boolean {
  // JavaScript also takes offsets such as +01:00, which know no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    // Not kept: a caller may spell a name in a thousand ways.
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The day of the calendar in a zone at this moment. */
export function dayAt(zone: string, at: Date): CalendarDay {
  return dayOf(wallClock(zone, at.getTime()))
}

/** The day this many days later, or earlier. */
export function addDays({ year, month, day }: CalendarDay, days: number): CalendarDay {
  return dayOf(Date.UTC(year, month - 1, day + days))
}

/** The first day of the month this many months later. */
export function firstOfMonth({ year, month }: CalendarDay, monthsLater = 0): CalendarDay {
  return dayOf(Date.UTC(year, month - 1 + monthsLater, 1))
}

/** The Monday of the week. */
export function mondayOf(day: CalendarDay): CalendarDay {
  const weekday = new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/**
 * The first moment of a day in a zone. That is not always midnight: where clocks are put forward at midnight, the day
 * begins at one o'clock. Where they are put back over midnight, it begins at the first of the two.
 */
export function startOfDay(zone: string, { year, month, day }: CalendarDay): Date {
  const midnight = Date.UTC(year, month - 1, day)
  // No zone is a day away from UTC, so one of these is before the day begins, and one after.
  const before = midnight - offsetAt(zone, midnight - DAY_MS)
  const after = midnight - offsetAt(zone, midnight + DAY_MS)
  const found = [before, after].find((ms) => wallClock(zone, ms) === midnight)
  // There is no midnight: with the offset until then, it is the moment at which the clocks are put forward.
  return new Date(found ?? before)
}

function dayOf(ms: number): CalendarDay {
  const date = new Date(ms)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function offsetAt(zone: string, ms: number): number {
  return wallClock(zone, ms) - Math.floor(ms / 1000) * 1000
}

/** What clocks in the zone show, as if it were UTC. Whole seconds. */
function wallClock(zone: string, ms: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(ms)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Making a format takes longer than using it a hundred times. One for all spellings of a name, so that the map has an end. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const key = zone.toLowerCase()
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(key, made)
  return made
}
