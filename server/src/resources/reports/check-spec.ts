import { isTimeZone } from '#domain/time-zone.ts'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { About, Sound } from '#platform/http/meaning.ts'
import { unknownCodes } from '#resources/transactions/wire/check-codes.ts'
import { complaintsIn } from '#resources/transactions/wire/variants.ts'
import { isPlaceholder, momentIn, YEARS } from './schedule.ts'
import type { ReportCreate } from './schemas.ts'
import {
  type DateRange,
  MODELS,
  type Model,
  PLACEHOLDERS,
  RANGE_FILTERS,
  SPECS,
  type TransactionsParams,
} from './spec.ts'

export const ONCE_HAS_NO_SCHEDULE =
  'must be false with the schedule once: such a report runs now, and never again'

/** Everything that is wrong with a report, judged by the request alone. */
export function reportComplaints(request: Sound<ReportCreate>, { isRight }: About): ErrorDetail[] {
  const { schedule, schedule_enabled, schedule_timezone, spec } = request
  const details: ErrorDetail[] = []
  if (schedule === 'once' && schedule_enabled) {
    details.push(inBody('/schedule_enabled', 'value_error.conflict', ONCE_HAS_NO_SCHEDULE))
  }
  if (schedule_timezone !== undefined && !isTimeZone(schedule_timezone)) {
    const message = 'must be a time zone of the IANA database, such as Europe/Berlin or Etc/UTC'
    details.push(inBody('/schedule_timezone', 'type_error.enum', message))
  }
  return isRight('/spec') && spec ? [...details, ...specComplaints(spec)] : details
}

function specComplaints(spec: object): ErrorDetail[] {
  const model = 'model' in spec ? spec.model : undefined
  if (model === undefined)
    return [inBody('/spec/model', 'value_error.missing', `name one of ${MODELS.join(', ')}`)]
  if (!isModel(model))
    return [inBody('/spec/model', 'type_error.enum', `must be one of ${MODELS.join(', ')}`)]
  const formal = complaintsIn('/spec', SPECS[model], spec)
  if (formal.length > 0) return formal
  const { params } = spec as { readonly params: TransactionsParams }
  return [
    ...rangeComplaints(params.filters ?? {}),
    ...(model === 'transactions' ? paymentComplaints(params) : []),
  ]
}

function isModel(value: unknown): value is Model {
  return MODELS.some((model) => model === value)
}

function rangeComplaints(filters: Readonly<Record<string, unknown>>): ErrorDetail[] {
  return RANGE_FILTERS.flatMap((name) => {
    const range = filters[name] as DateRange | undefined
    return range ? complaintsAboutRange(`/spec/params/filters/${name}`, range) : []
  })
}

function complaintsAboutRange(pointer: string, { start = null, end = null }: DateRange): ErrorDetail[] {
  if (start === null && end === null) {
    return [inBody(pointer, 'value_error.missing', 'name a start, an end, or both')]
  }
  const wrong = Object.entries({ start, end }).filter(([, text]) => text !== null && !isMoment(text))
  if (wrong.length > 0) {
    const message = `must be a date and time that exists, from ${YEARS.first} to ${YEARS.last}, such as 2026-11-15T09:30:00Z, or one of ${PLACEHOLDERS.join(', ')}`
    return wrong.map(([name]) => inBody(`${pointer}/${name}`, 'type_error.datetime', message))
  }
  if (start === null || end === null || !isAlwaysEmpty(start, end)) return []
  return [inBody(`${pointer}/end`, 'value_error.conflict', 'must not be before the start')]
}

function isMoment(text: string): boolean {
  return isPlaceholder(text) || !Number.isNaN(momentIn(text).getTime())
}

/** All placeholders of one execution are about the same moment, so none ends before another begins. */
function isAlwaysEmpty(start: string, end: string): boolean {
  if (isPlaceholder(start) !== isPlaceholder(end)) return false
  if (isPlaceholder(start)) return start.endsWith('_end') && end.endsWith('_start')
  return momentIn(start) > momentIn(end)
}

function paymentComplaints({ fields = [], filters = {}, sort = [] }: TransactionsParams): ErrorDetail[] {
  const twice = (names: readonly string[], pointerOf: (index: number) => string) =>
    names.flatMap((name, index) =>
      names.indexOf(name) === index
        ? []
        : [inBody(pointerOf(index), 'value_error.duplicate', 'is in the list already')],
    )
  return [
    ...twice(fields, (index) => `/spec/params/fields/${index}`),
    ...twice(
      sort.map(({ field }) => field),
      (index) => `/spec/params/sort/${index}/field`,
    ),
    ...(filters.currency ?? []).flatMap((currency, index) =>
      unknownCodes({ currency }, 'body', '').map((detail) => ({
        ...detail,
        pointer: `/spec/params/filters/currency/${index}`,
      })),
    ),
  ]
}
