import type { Interval } from '#domain/interval.ts'
import { addDays, dayAt, startOfDay } from '#domain/time-zone.ts'

/** A span of time, and the hours or days that it touches. The first of them may begin before the span does. */
export type Period = Interval & { readonly steps: readonly Date[] }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
export const DAYS_MAX = 366
/** Spans up to this long are shown hour by hour, longer ones day by day. */
const HOURLY_MAX_MS = 2 * DAY_MS

/** An hour more is allowed: clocks may be put back within the span. */
export function isTooLong({ from, to }: Interval): boolean {
  return to.getTime() - from.getTime() > DAYS_MAX * DAY_MS + HOUR_MS
}

export function periodOf(zone: string, { from, to }: Interval): Period {
  const steps = isHourly({ from, to }) ? hoursIn(zone, { from, to }) : daysIn(zone, { from, to })
  return { from, to, steps }
}

/**
 * The period of the same length that ends where this one begins. Whole days are compared with as many whole
 * days, also where one of them has 23 or 25 hours.
 */
export function periodBefore(zone: string, { from, to, steps }: Period): Period {
  const isWhole = !isHourly({ from, to }) && isStartOfDay(zone, from) && isStartOfDay(zone, to)
  const start = isWhole
    ? startOfDay(zone, addDays(dayAt(zone, from), -steps.length))
    : new Date(2 * from.getTime() - to.getTime())
  return periodOf(zone, { from: start, to: from })
}

function isHourly({ from, to }: Interval): boolean {
  return to.getTime() - from.getTime() <= HOURLY_MAX_MS
}

function isStartOfDay(zone: string, at: Date): boolean {
  return startOfDay(zone, dayAt(zone, at)).getTime() === at.getTime()
}

/** Hours count from midnight in the zone: its clocks may be half an hour off those of UTC. */
function hoursIn(zone: string, { from, to }: Interval): Date[] {
  const midnight = startOfDay(zone, dayAt(zone, from)).getTime()
  const steps: Date[] = []
  let at = midnight + Math.floor((from.getTime() - midnight) / HOUR_MS) * HOUR_MS
  for (; at < to.getTime(); at += HOUR_MS) steps.push(new Date(at))
  return steps
}

function daysIn(zone: string, { from, to }: Interval): Date[] {
  const steps: Date[] = []
  let day = dayAt(zone, from)
  for (let at = startOfDay(zone, day); at < to; at = startOfDay(zone, day)) {
    steps.push(at)
    day = addDays(day, 1)
  }
  return steps
}
