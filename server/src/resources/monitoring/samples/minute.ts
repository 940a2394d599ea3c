const MINUTE_MS = 60_000

/** The start of a moment's minute. */
export function minuteOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS)
}

/** The start of the next minute. */
export function minuteAfter(moment: Date): Date {
  return new Date(minuteOf(moment).getTime() + MINUTE_MS)
}
