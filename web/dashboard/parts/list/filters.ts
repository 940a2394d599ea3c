import { type Search, valuesOf } from '../../address.ts'
import type { Option } from '../fields.tsx'
import { dateFormat } from '../locale.ts'
import { readAmount } from '../values.tsx'

/** A way to narrow a list. `id` is its name in the address, and the parameter of the operation if nothing else is said. */
export type Filter = {
  readonly id: string
  readonly label: string
  /** Shown at once, not only among “More filters”. */
  readonly isUsual?: boolean
} & (
  | { readonly kind: 'choice'; readonly options: readonly Option[]; readonly isSingle?: boolean }
  | { readonly kind: 'text'; readonly hint?: string; readonly isMany?: boolean }
  | { readonly kind: 'flag' }
  /** `created_at` becomes `created_at_gte` and `created_at_lte`. */
  | { readonly kind: 'period' }
  /** `amount` becomes `amount_gte`, `amount_lte` or `amount_eq`, in the minor units of the filter `currency`. */
  | { readonly kind: 'amount' }
  /** The box in front of the chips. */
  | { readonly kind: 'search'; readonly hint: string }
)

type Kind = Filter['kind']
type OfKind<Name extends Kind> = Omit<Extract<Filter, { readonly kind: Name }>, 'id' | 'label' | 'kind'>

/** A line of the filters of a list: `filterBy('period', 'created_at', 'Created', { isUsual: true })`. */
export function filterBy<Name extends Kind>(
  kind: Name,
  id: string,
  label: string,
  ...[more]: object extends OfKind<Name> ? [more?: OfKind<Name>] : [more: OfKind<Name>]
): Filter {
  return { id, label, kind, ...more } as unknown as Filter
}

export type Query = Readonly<Record<string, string | number | readonly string[]>>

/** The parameters of the operation, from what stands in the address. What cannot be read is left out. */
export function queryFrom(filters: readonly Filter[], search: Search, now: Date): Query {
  return Object.assign({}, ...filters.map((filter) => parametersOf(filter, search, now)))
}

function parametersOf(filter: Filter, search: Search, now: Date): Query {
  const values = valuesOf(search, filter.id)
  const [first] = values
  if (first === undefined) return {}
  switch (filter.kind) {
    case 'period': {
      const { from, to } = readPeriod(first, now) ?? {}
      return {
        ...(from && { [`${filter.id}_gte`]: from.toISOString() }),
        ...(to && { [`${filter.id}_lte`]: to.toISOString() }),
      }
    }
    case 'amount':
      return amountParameters(filter.id, first, valuesOf(search, 'currency')[0] ?? '')
    case 'choice':
      return { [filter.id]: filter.isSingle ? first : values }
    case 'text':
      return { [filter.id]: filter.isMany ? values : first }
    default:
      return { [filter.id]: first }
  }
}

/** `10..20`, `10..`, `..20` or `10`, in major units of the currency. */
function amountParameters(id: string, text: string, currency: string): Query {
  const [from = '', to] = text.split('..')
  const least = readAmount(from, currency)
  if (to === undefined) return least === undefined ? {} : { [`${id}_eq`]: least }
  const most = readAmount(to, currency)
  return {
    ...(least !== undefined && { [`${id}_gte`]: least }),
    ...(most !== undefined && { [`${id}_lte`]: most }),
  }
}

/** What a chip says about a filter that is set. */
export function describeFilter(filter: Filter, values: readonly string[]): string {
  const [first = ''] = values
  switch (filter.kind) {
    case 'choice': {
      const labels = values.map((value) => filter.options.find((one) => one.value === value)?.label ?? value)
      return labels.length > 2 ? `${labels[0]} and ${labels.length - 1} more` : labels.join(', ')
    }
    case 'flag':
      return first === 'true' ? 'Yes' : 'No'
    case 'period':
      return describePeriod(first)
    case 'amount':
      return describeAmount(first)
    default:
      return values.join(', ')
  }
}

function describeAmount(text: string): string {
  const [from, to] = text.split('..')
  if (to === undefined) return text
  if (!from) return `up to ${to}`
  return to ? `${from} to ${to}` : `from ${from}`
}

function describePeriod(text: string): string {
  const known = PERIODS.find(({ value }) => value === text)
  if (known) return known.label
  const [from = '', to = ''] = text.split('..').map(boundText)
  if (!from) return `until ${to}`
  return to ? `${from} to ${to}` : `from ${from}`
}

const MOMENT = dateFormat({
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** A day as it is written, a moment in the zone of the person. */
function boundText(bound: string): string {
  const moment = momentOf(bound)
  return moment ? MOMENT.format(moment) : bound
}

/** Relative ones stay so in the address: a shared link shows the last day of the person who opens it. */
export const PERIODS: readonly Option[] = [
  { value: '30m', label: 'Last 30 minutes' },
  { value: '24h', label: 'Last 24 hours' },
  { value: 'today', label: 'Today' },
  { value: 'yesterday', label: 'Yesterday' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
]

type Period = { readonly from?: Date; readonly to?: Date }

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * `30m`, `24h`, `7d`, `today`, `yesterday`, days as `2026-11-01..2026-11-16`, or moments as ISO 8601 writes them. Days are those
 * of the person's zone.
 */
export function readPeriod(text: string, now: Date): Period | undefined {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? []
  if (count && unit) return { from: new Date(now.getTime() - Number(count) * (UNITS_MS[unit] ?? 0)) }
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  if (text === 'today') return { from: today }
  if (text === 'yesterday') {
    const before = new Date(today)
    before.setDate(before.getDate() - 1)
    return { from: before, to: new Date(today.getTime() - 1) }
  }
  const [first = '', last] = text.split('..')
  if (last === undefined) return undefined
  const from = dayOf(first) ?? momentOf(first)
  const to = endOf(last) ?? momentOf(last)
  return from || to ? { ...(from && { from }), ...(to && { to }) } : undefined
}

/** The whole of the last day is meant. */
function endOf(text: string): Date | undefined {
  const day = dayOf(text)
  day?.setDate(day.getDate() + 1)
  return day && new Date(day.getTime() - 1)
}

export function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00`)
  return Number.isNaN(day.getTime()) ? undefined : day
}

function momentOf(text: string): Date | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(text)) return undefined
  const moment = new Date(text)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}
