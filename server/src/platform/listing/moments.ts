import { errors } from '../http/errors.ts'

/** The first whole millisecond that is not before the moment. Stored times have no smaller parts. */
export function firstMsOf(text: string, name: string, location: 'query' | 'body' = 'query'): number {
  const ms = lastMsOf(text, name, location)
  return /[.]\d{3}\d*[1-9]/.test(text) ? ms + 1 : ms
}

/** The last whole millisecond that is not after the moment. */
export function lastMsOf(text: string, name: string, location: 'query' | 'body' = 'query'): number {
  // RFC 3339 allows a leap second, and ISO 8601 an offset of whole hours. JavaScript reads neither.
  const isLeap = /:60([.]|[Zz+-])/.test(text)
  const plain = text.replace(/:60(?=[.Zz+-])/, ':59').replace(/([+-]\d\d)$/, '$1:00')
  const ms = Date.parse(plain)
  if (!Number.isNaN(ms)) return isLeap ? ms + 1_000 : ms
  throw errors.invalid({
    location,
    pointer: `/${name}`,
    type: 'type_error.datetime',
    message: 'must be a date and time that exists',
  })
}

export const MINUTE_MS = 60_000

/** The beginning of the minute of a time. */
export function minuteOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % MINUTE_MS))
}

/** Whether a table of updates has to learn of an update. It knows the minute: most payments are decided in the one in which they begin. */
export function isOtherMinute(before: Date, after: Date): boolean {
  return minuteOf(before).getTime() !== minuteOf(after).getTime()
}
