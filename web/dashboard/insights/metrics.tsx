import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import { dayOf, type Query, readPeriod } from '../parts/list/filters.ts'
import { dateFormat, LOCALE } from '../parts/locale.ts'
import type { Step } from '../parts/series.ts'
import { decimalText, moneyText, shortMoneyText, ZONE } from '../parts/values.tsx'

type Preset = Schemas['MetricsExplorerPreset']

/** What can be asked, as people say it. */
export type Measure = {
  readonly id: string
  readonly label: string
  readonly source: Preset['source']
  readonly metric: Preset['metric']
  /** One sentence: what counts. */
  readonly says: string
}

export const MEASURES: readonly Measure[] = [
  {
    id: 'payments',
    label: 'Payments',
    source: 'authorization',
    metric: 'transactions',
    says: 'Approved, declined and failed payments.',
  },
  {
    id: 'volume',
    label: 'Volume',
    source: 'authorization',
    metric: 'volume',
    says: 'Requested amount of approved, declined and failed payments, in one currency. The filter Approved narrows it.',
  },
  {
    id: 'approval',
    label: 'Approval rate',
    source: 'authorization',
    metric: 'auth_rate',
    says: 'Approved payments as a share of all approved, declined and failed payments.',
  },
  {
    id: 'authentication',
    label: '3-D Secure rate',
    source: 'authentication',
    metric: 'auth_rate',
    says: 'Share of 3-D Secure payments that were authenticated or attempted.',
  },
]

export function measureOf(id: string | undefined): Measure {
  return MEASURES.find((one) => one.id === id) ?? (MEASURES[0] as Measure)
}

export type Format = {
  readonly format: (value: number) => string
  readonly formatShort: (value: number) => string
  readonly plain?: (value: number) => string
  readonly top?: number
}

const COUNT = new Intl.NumberFormat(LOCALE)
const SHORT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 })
const RATE = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const WHOLE_RATE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 })

/** How values of a metric are written. Amounts are of one currency. */
export function formatOf(metric: Measure['metric'], currency: string | undefined): Format {
  if (metric === 'auth_rate')
    return {
      format: rateText,
      formatShort: (value) => `${WHOLE_RATE.format(value * 100)} %`,
      top: 1,
    }
  if (metric === 'volume' && currency)
    return {
      format: (value) => moneyText(value, currency),
      formatShort: (value) => shortMoneyText(value, currency),
      plain: (value) => decimalText(value, currency),
    }
  return { format: countText, formatShort: (value) => SHORT.format(value) }
}

export function countText(value: number): string {
  return COUNT.format(value)
}

export function rateText(value: number): string {
  return `${RATE.format(value * 100)} %`
}

type Change = { readonly text: string; readonly direction: 'up' | 'down' | 'same' }

/** The difference to an earlier value: in percent or, of a rate, in points. Undefined without something to compare with. */
function changeOf(
  metric: Measure['metric'],
  now: number | null | undefined,
  before: number | null | undefined,
): Change | undefined {
  if (typeof now !== 'number' || typeof before !== 'number') return undefined
  if (metric !== 'auth_rate' && before === 0) return undefined
  const difference = metric === 'auth_rate' ? (now - before) * 100 : ((now - before) / before) * 100
  const size = RATE.format(Math.abs(difference))
  const unit = metric === 'auth_rate' ? 'points' : '%'
  if (size === RATE.format(0)) return { text: 'the same', direction: 'same' }
  return {
    text: `${difference > 0 ? '+' : '−'}${size} ${unit}`,
    direction: difference > 0 ? 'up' : 'down',
  }
}

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
function timesFrom(first: string, count: number, step: 'hour' | 'day'): string[] {
  const start = new Date(first)
  return Array.from({ length: count }, (_none, index) =>
    (step === 'hour' ? new Date(start.getTime() + index * HOUR_MS) : daysBefore(start, -index)).toISOString(),
  )
}

/** The day, week or month that a moment is in, by its beginning. */
function startOf(time: string, step: Step): string {
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

type Total = Schemas['MetricsExplorerTotalResponse']

type Question = {
  readonly measure: Pick<Measure, 'source' | 'metric'>
  readonly span: Span
  readonly query?: Query
  readonly isWanted?: boolean
}

/** A metric over time. The period to compare with is a question of its own: it has the same hours of its days. */
export function useTotals({ measure, span, query = {}, isWanted = true }: Question) {
  return useRead('GET /metrics-explorer/{source}/metrics/{metric}/totals', {
    path: { source: measure.source, metric: measure.metric },
    query: { ...query, datetime_range: rangeOf(span), timezone: ZONE, exclude_previous: true },
    isWanted,
  })
}

/** A metric for each value of a field. */
export function useModule(module: string, { measure, span, query = {}, isWanted = true }: Question) {
  return useRead('GET /metrics-explorer/{source}/metrics/{metric}/modules/{module}', {
    path: { source: measure.source, metric: measure.metric, module: module as 'currency' },
    query: { ...query, datetime_range: rangeOf(span), timezone: ZONE },
    isWanted,
  })
}

type Shape = { readonly span: Span; readonly step: Step; readonly weights?: Total | undefined }

export type Line = { readonly times: readonly string[]; readonly values: readonly (number | null)[] }

/**
 * The values of an answer, by hours or days as the server counts, or added up to weeks or months. A rate is not added up: it
 * is the mean of its days, each with the weight of its payments.
 */
export function lineOf(total: Total, { span, step, weights: payments }: Shape): Line {
  const { first_interval, values } = total.series.current
  const times = timesFrom(first_interval, values.length, stepOf(span))
  if (step === stepOf(span)) return { times, values }
  const weights = payments?.series.current.values
  const groups = Map.groupBy(times.keys(), (index) => startOf(times[index] ?? '', step))
  return {
    times: [...groups.keys()],
    values: [...groups.values()].map((indexes) =>
      weights ? meanOf(indexes, values, weights) : sumOf(indexes, values),
    ),
  }
}

type Values = readonly (number | null)[]

function sumOf(indexes: readonly number[], values: Values): number {
  return indexes.reduce((sum, index) => sum + (values[index] ?? 0), 0)
}

function meanOf(indexes: readonly number[], values: Values, weights: Values): number | null {
  const weight = sumOf(indexes, weights)
  if (weight === 0) return null
  return indexes.reduce((sum, index) => sum + (values[index] ?? 0) * (weights[index] ?? 0), 0) / weight
}

type Props = {
  readonly metric: Measure['metric']
  readonly now: number | null | undefined
  readonly before: number | null | undefined
  /** More is neither better nor worse, as of payments that were refused for one reason. */
  readonly isPlain?: boolean
}

/** Up or down, by shape and sign as well as by colour. */
export function ChangeMark({ metric, now, before, isPlain }: Props) {
  const change = changeOf(metric, now, before)
  if (!change) return null
  return (
    <span className={isPlain ? 'change' : `change ${change.direction}`}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <path d={{ up: 'M5 2 9 8H1z', down: 'M5 8 1 2h8z', same: 'M1 4h8v2H1z' }[change.direction]} />
      </svg>
      {change.text}
    </span>
  )
}
