import { dayOf, readPeriod } from '../parts/list/filters.ts'
import { dateFormat } from '../parts/locale.ts'
import type { Step } from '../parts/series.ts'

/** A time with its start, and without its end. */
export type Span = { readonly from: Date; readonly to: Date }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The server counts by hours up to this length, else by days. */
const HOURLY_MAX_MS = 2 * DAY_MS

export const PERIODS = [
  { value: '24h', label: 'Last 24 hours' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: '365d', label: 'Last 12 months' },
] as const

export const PERIOD_DEFAULT = '7d'

/**
 * What a period means now. Days are whole: the last seven are today and the six before, so that no bar at the beginning is
 * cut. Undefined if the address has something else, or no first day.
 */
export function spanOf(text: string, now: Date): Span | undefined {
  const [, days] = /^(\d{1,3})d$/.exec(text) ?? []
  // It is the end of a minute, which may be that of a day.
  const present = new Date(now.getTime() - 1)
  if (days && Number(days) > 0) return { from: daysBefore(startOfDay(present), Number(days) - 1), to: now }
  const { from, to } = readPeriod(text, present) ?? {}
  const end = to ? new Date(Math.min(to.getTime() + 1, now.getTime())) : now
  return from && from < end ? { from, to: end } : undefined
}

/** Days that a person has chosen. */
export function daysOf(text: string): readonly [string, string] {
  const [first = '', last = ''] = text.split('..')
  return [dayOf(first) ? first : '', dayOf(last) ? last : '']
}

/**
 * The time to compare with: as many days earlier, with the same hours of them. So a day that is under way is compared with as
 * much of an earlier one.
 */
export function spanBefore({ from, to }: Span): Span {
  const isDays = from.getTime() === startOfDay(from).getTime()
  if (!isDays) return { from: new Date(2 * from.getTime() - to.getTime()), to: from }
  const last = startOfDay(new Date(to.getTime() - 1))
  const days = Math.round((last.getTime() - from.getTime()) / DAY_MS) + 1
  return { from: daysBefore(from, days), to: daysBefore(to, days) }
}

/** The same hours of the same weekday. */
export function weekBefore({ from, to }: Span): Span {
  return { from: daysBefore(from, 7), to: daysBefore(to, 7) }
}

export function dayFrom(from: Date): Span {
  return { from, to: daysBefore(from, -1) }
}

export function startOfDay(at: Date): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate())
}

function daysBefore(at: Date, days: number): Date {
  const moved = new Date(at)
  moved.setDate(moved.getDate() - days)
  return moved
}

/** As the metrics explorer takes it. */
export function rangeOf({ from, to }: Span): string {
  return `${from.toISOString()}/${to.toISOString()}`
}

/** As a list of the dashboard takes it. */
export function periodOf({ from, to }: Span): string {
  return `${from.toISOString()}..${new Date(to.getTime() - 1).toISOString()}`
}

export function stepOf({ from, to }: Span): 'hour' | 'day' {
  return to.getTime() - from.getTime() <= HOURLY_MAX_MS ? 'hour' : 'day'
}

/** Those that are at least as long as what the server counts by, and of which there are two or more. */
export function stepsOf(span: Span): readonly Step[] {
  const days = (span.to.getTime() - span.from.getTime()) / DAY_MS
  const finest = stepOf(span)
  return [
    finest,
    ...(finest === 'hour' && days > 1 ? (['day'] as const) : []),
    ...(days > 13 ? (['week'] as const) : []),
    ...(days > 58 ? (['month'] as const) : []),
  ]
}

/** When each of so many hours or days begins. */
export function timesFrom(first: string, count: number, step: 'hour' | 'day'): string[] {
  const start = new Date(first)
  return Array.from({ length: count }, (_none, index) =>
    (step === 'hour' ? new Date(start.getTime() + index * HOUR_MS) : daysBefore(start, -index)).toISOString(),
  )
}

/** The day, week or month that a moment is in, by its beginning. */
export function startOf(time: string, step: Step): string {
  const day = startOfDay(new Date(time))
  if (step === 'hour' || step === 'minute') return time
  if (step === 'week') return daysBefore(day, (day.getDay() + 6) % 7).toISOString()
  if (step === 'month') return new Date(day.getFullYear(), day.getMonth(), 1).toISOString()
  return day.toISOString()
}

const DAY = dateFormat({ month: 'short', day: 'numeric', year: 'numeric' })
const HOUR = dateFormat({
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Nov 10 – 16, 2026. */
export function spanText(span: Span): string {
  const format = stepOf(span) === 'hour' ? HOUR : DAY
  return format.formatRange(span.from, new Date(span.to.getTime() - 1))
}
