import { after, before, readDuration } from './duration.ts'

/** A span of time with its start and without its end. */
export type Interval = { readonly from: Date; readonly to: Date }

/** Words that stand for a moment near the present one. Hours are those of UTC. */
const PLACEHOLDERS: Readonly<Record<string, (now: Date) => Date>> = {
  now: (now) => now,
  hour_start: (now) => startOfHour(now),
  hour_end: (now) => new Date(startOfHour(now).getTime() + HOUR_MS),
}

/** What to write, for the end of a message that begins with “must be”. */
export const INTERVAL_EXPECTED =
  'an ISO 8601 interval whose start is before its end, such as PT24H/now or ' +
  '2026-11-15T00:00:00Z/2026-11-16T00:00:00Z; now, hour_start and hour_end stand for moments'

const HOUR_MS = 3_600_000
const MOMENT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:[.]\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * Reads an ISO 8601 interval: two moments, or a moment and a duration on either side of it. Undefined for
 * other text, and if it has no length. A duration alone is no interval.
 */
export function readInterval(text: string, now: Date): Interval | undefined {
  const [left, right, ...more] = text.split('/')
  if (left === undefined || right === undefined || more.length > 0) return undefined
  const from = readMoment(left, now)
  const to = readMoment(right, now)
  if (from && to) return withLength(from, to)
  const duration = readDuration(from ? right : left)
  if (!duration) return undefined
  if (from) return withLength(from, after(from, duration))
  return to && withLength(before(to, duration), to)
}

/** The moment that a word stands for. Undefined if it is not one of the words. */
function readPlaceholder(word: string, now: Date): Date | undefined {
  return Object.hasOwn(PLACEHOLDERS, word) ? PLACEHOLDERS[word]?.(now) : undefined
}

function readMoment(text: string, now: Date): Date | undefined {
  const [, day] = MOMENT.exec(text) ?? []
  if (day === undefined) return readPlaceholder(text, now)
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) || !isInCalendar(day) ? undefined : moment
}

/** JavaScript takes 30 February for 2 March. */
function isInCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

function withLength(from: Date | undefined, to: Date | undefined): Interval | undefined {
  return from && to && from < to ? { from, to } : undefined
}

function startOfHour(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS)
}
