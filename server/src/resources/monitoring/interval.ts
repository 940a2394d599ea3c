import { INTERVAL_EXPECTED, readInterval, type Interval as Span } from '#domain/interval.ts'
import { type ErrorDetail, errors } from '#platform/http/errors.ts'
import { Type } from '#platform/http/type.ts'

const DAY_MS = 86_400_000

/** A span of time in a query. Its meaning depends on the time, so it is read when it is used. */
export function Interval(what: string, examples: readonly string[] = []) {
  return Type.String({
    minLength: 1,
    maxLength: 200,
    description: `${what} An ISO 8601 interval; \`now\`, \`hour_start\` and \`hour_end\` stand for moments. URL encoded.`,
    ...(examples.length > 0 && { examples: [...examples] }),
  })
}

type Named = { readonly name: string; readonly daysMax?: number }

/** What is wrong with an interval of a query, if anything. */
export function intervalComplaints(
  text: string | undefined,
  now: Date,
  { name, daysMax }: Named,
): ErrorDetail[] {
  if (text === undefined) return []
  const about = { location: 'query', pointer: `/${name}` } as const
  const span = readInterval(text, now)
  if (!span) {
    const hint = text.includes(' ') ? '; in a URL, write + as %2B' : ''
    return [{ ...about, type: 'value_error.str.regex', message: `must be ${INTERVAL_EXPECTED}${hint}` }]
  }
  if (daysMax === undefined || span.to.getTime() - span.from.getTime() <= daysMax * DAY_MS) return []
  const message = `ask for at most ${daysMax} days at once`
  return [{ ...about, type: 'value_error.number.not_le', message }]
}

/** An interval that `intervalComplaints` has nothing against. */
export function intervalOf(text: string, now: Date): Span {
  const span = readInterval(text, now)
  // The clock has moved since the check: an interval such as `hour_start/now` can have become empty.
  if (!span) throw errors.refused('the interval has no length: ask again')
  return span
}
