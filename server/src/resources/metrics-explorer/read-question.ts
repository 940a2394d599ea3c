import { isCurrency } from '#domain/currency.ts'
import { INTERVAL_EXPECTED, readInterval } from '#domain/interval.ts'
import { isTimeZone } from '#domain/time-zone.ts'
import { type DetailType, type ErrorDetail, errors } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import { isStorable } from '#platform/http/validation.ts'
import { DAYS_MAX, isTooLong, type Period, periodOf } from './period.ts'
import {
  FILTER_NAMES,
  type FilterName,
  type Metric,
  type ModuleQuery,
  type PresetFilters,
} from './schemas.ts'

/** What stands for payments without a value. */
export const NUL = '\0'
const ZONE_DEFAULT = 'UTC'

/** The values of a field that payments may have. */
export type Filter = {
  readonly name: FilterName
  readonly values: readonly string[]
  /** Whether payments without a value match, too. */
  readonly withNull: boolean
}

export type Question = {
  readonly metric: Metric
  readonly zone: string
  readonly period: Period
  readonly filters: readonly Filter[]
}

/** Where the filters of a request are: in its query, or in the body of a preset. */
type At = Pick<ErrorDetail, 'location'> & { readonly prefix: string }
export const IN_QUERY: At = { location: 'query', prefix: '' }
export const IN_PRESET: At = { location: 'body', prefix: '/filters' }

type Given = ModuleQuery | PresetFilters

/** What a schema cannot say about the filters of a request. */
export function complaintsAboutFilters(given: Sound<Given>, at: At, now: Date): ErrorDetail[] {
  const { datetime_range: range, timezone, metadata } = given
  const details: ErrorDetail[] = []
  const refuse = (name: string, type: DetailType, message: string) =>
    details.push({ location: at.location, pointer: `${at.prefix}/${name}`, type, message })
  const span = range === undefined ? undefined : readInterval(range, now)
  if (range !== undefined && !span)
    refuse('datetime_range', 'value_error.str.regex', `must be ${expected(range, at)}`)
  if (span && isTooLong(span)) {
    refuse('datetime_range', 'value_error.number.not_le', `must not be longer than ${DAYS_MAX} days`)
  }
  if (timezone !== undefined && !isTimeZone(timezone)) {
    refuse(
      'timezone',
      'value_error.const',
      'must be a name of the IANA time zone database, such as Europe/Berlin',
    )
  }
  for (const [index, item] of (metadata ?? []).entries()) {
    if (item === undefined || item === NUL || readPairs(item)) continue
    const message = 'must be a JSON object of text to text, such as {"channel":"web"}'
    refuse(`metadata/${index}`, 'value_error.jsondecode', message)
  }
  return details
}

/** Amounts of several currencies cannot be added up. */
export function complaintsAboutCurrency(
  metric: Metric | undefined,
  currency: readonly (string | undefined)[] | null | undefined,
  { location, prefix }: At,
): ErrorDetail[] {
  if (metric !== 'volume') return []
  const pointer = `${prefix}/currency`
  if (!currency || currency.length === 0) {
    const message = 'name the currency whose amounts to add up: volume needs exactly one'
    return [{ location, pointer, type: 'value_error.missing', message }]
  }
  const [only, ...others] = currency
  if (only !== undefined && isCurrency(only) && others.length === 0) return []
  const message = 'name one currency: amounts of several cannot be added up'
  return [{ location, pointer, type: 'value_error.conflict', message }]
}

/** The filters of a request that has passed the checks above. */
export function readQuestion(metric: Metric, given: ModuleQuery, now: Date): Question {
  const zone = given.timezone ?? ZONE_DEFAULT
  const span = readInterval(given.datetime_range, now)
  // The clock has moved since the check: an interval such as `hour_start/now` can have become empty.
  if (!span) throw errors.refused('the interval has no length: ask again')
  const filters = FILTER_NAMES.flatMap((name): Filter[] => {
    const values = given[name]
    if (!values || values.length === 0) return []
    return [{ name, values: values.filter((value) => value !== NUL), withNull: values.includes(NUL) }]
  })
  return { metric, zone, period: periodOf(zone, span), filters }
}

function expected(range: string, { location }: At): string {
  const isPlusLost = location === 'query' && /\d \d\d:\d\d/.test(range)
  return isPlusLost ? `${INTERVAL_EXPECTED}; in a URL, write + as %2B` : INTERVAL_EXPECTED
}

function readPairs(text: string): Record<string, string> | undefined {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined
    // An escape in the JSON can make a character that no column takes.
    const isText = Object.entries(found)
      .flat()
      .every((part) => typeof part === 'string' && isStorable(part))
    return isText ? (found as Record<string, string>) : undefined
  } catch {
    return undefined
  }
}
