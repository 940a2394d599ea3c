import { addDays, type CalendarDay, dayAt, firstOfMonth, mondayOf, startOfDay } from '#domain/time-zone.ts'
import type { Schedule } from './schemas.ts'
import type { DateRange, Placeholder } from './spec.ts'

type Timetable = { readonly schedule: Schedule; readonly schedule_timezone: string }

const PERIODS = { daily: 'day', weekly: 'week', monthly: 'month' } as const

/**
 * When a report runs next: as a day, a week or a month begins in its zone, where days have 23, 24 or 25 hours.
 * Null if it runs once.
 */
export function nextExecution({ schedule, schedule_timezone: zone }: Timetable, after: Date): Date | null {
  if (schedule === 'once') return null
  return startOfDay(zone, spanOf(PERIODS[schedule], dayAt(zone, after)).next)
}

/** When a report was last to run, not after now. It makes up for all runs that were missed before it. */
export function latestExecution({ schedule, schedule_timezone: zone }: Timetable, now: Date): Date {
  if (schedule === 'once') return now
  return startOfDay(zone, spanOf(PERIODS[schedule], dayAt(zone, now)).first)
}

export type ExecutionContext = { readonly reference_timestamp: Date; readonly reference_timezone: string }

/** The first and the last millisecond of a range. Null: from the beginning, or to the end. */
export type ResolvedRange = { readonly start: string | null; readonly end: string | null }

export function resolveRange({ start, end }: DateRange, context: ExecutionContext): ResolvedRange {
  const resolve = (text: string | null | undefined): string | null => {
    if (text === null || text === undefined) return null
    return (isPlaceholder(text) ? momentOf(text, context) : momentIn(text)).toISOString()
  }
  return { start: resolve(start), end: resolve(end) }
}

export function isPlaceholder(text: string): text is Placeholder {
  return /^(day|week|month)_(start|end)$/.test(text)
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/i

/** Ids of rows hold their time, and begin with 1970. */
export const YEARS = { first: 1970, last: 2099 }

/**
 * The moment of a written date and time. Without a zone, it is UTC. Invalid if there is no such moment, or if it is outside of
 * the years of payments.
 */
export function momentIn(text: string): Date {
  if (!MOMENT.test(text)) return new Date(Number.NaN)
  const hasZone = /(Z|[+-]\d\d:\d\d)$/i.test(text)
  const [date = ''] = text.split(/T/i)
  // JavaScript takes the 30th of February for the 2nd of March.
  const day = new Date(`${date}T00:00:00Z`)
  const exists = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
  const moment = new Date(exists ? (hasZone ? text : `${text}Z`) : Number.NaN)
  const year = moment.getUTCFullYear()
  return year >= YEARS.first && year <= YEARS.last ? moment : new Date(Number.NaN)
}

/**
 * If a period ends at the reference time, it is the one that is meant, or else the one that this time is in. So a report
 * that runs at midnight is about the day that is over.
 */
function momentOf(placeholder: Placeholder, context: ExecutionContext): Date {
  const { reference_timestamp: reference, reference_timezone: zone } = context
  const [period, edge] = placeholder.split('_') as [Period, 'start' | 'end']
  const { first, next } = spanOf(period, dayAt(zone, new Date(reference.getTime() - 1)))
  if (edge === 'start') return startOfDay(zone, first)
  return new Date(startOfDay(zone, next).getTime() - 1)
}

type Period = 'day' | 'week' | 'month'
type Span = { readonly first: CalendarDay; readonly next: CalendarDay }

/** The first day of the period that a day is in, and the first day of the period after it. */
function spanOf(period: Period, day: CalendarDay): Span {
  switch (period) {
    case 'day':
      return { first: day, next: addDays(day, 1) }
    case 'week':
      return { first: mondayOf(day), next: addDays(mondayOf(day), 7) }
    case 'month':
      return { first: firstOfMonth(day), next: firstOfMonth(day, 1) }
  }
}
