import { readDuration } from '#domain/duration.ts'

const MINUTE_MS = 60_000
const MINUTES_MIN = 5
const MINUTES_MAX = 60
const ENDS: readonly string[] = ['now', 'hour_start', 'hour_end']

export const PERIOD_EXPECTED =
  'a duration of 5 to 60 whole minutes, a slash, and its end, now, hour_start or hour_end, such as PT60M/now'

type Period = { readonly minutes: number; readonly end: string }

/**
 * The period of a metric, such as `PT60M/hour_start`. Undefined for other text, also for an interval that does not
 * move with the time.
 */
export function readPeriod(text: string): Period | undefined {
  const [length = '', end = '', ...more] = text.split('/')
  const duration = readDuration(length)
  if (!duration || more.length > 0 || duration.months !== 0 || !ENDS.includes(end)) return undefined
  const minutes = duration.ms / MINUTE_MS
  const isAllowed = Number.isInteger(minutes) && minutes >= MINUTES_MIN && minutes <= MINUTES_MAX
  return isAllowed ? { minutes, end } : undefined
}
