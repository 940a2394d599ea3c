import { type Search, useAddress, valuesOf } from '../address.ts'
import type { Option } from '../parts/fields.tsx'
import { type Filter, filterBy, type Query, queryFrom } from '../parts/list/filters.ts'
import { capital } from '../parts/locale.ts'
import type { Step } from '../parts/series.ts'
import { useServices } from '../payment-service-reports/use-services.ts'
import { filtersOf as listFilters } from '../transactions/filters.ts'
import {
  type Format,
  formatOf,
  MEASURES,
  type Measure,
  measureOf,
  PERIOD_DEFAULT,
  periodOf,
  type Span,
  spanOf,
  stepsOf,
  useModule,
} from './metrics.tsx'

/** What the address asks. */
export type Asked = {
  readonly measure: Measure
  readonly period: string
  readonly span: Span
  readonly step: Step
  readonly by: string
  readonly isCompared: boolean
  readonly filters: readonly Filter[]
  readonly chosen: Chosen
  readonly query: Query
  /** Of a volume. Undefined: none is known yet. */
  readonly currency: string | undefined
  readonly currencies: readonly string[]
  /** Why there is no currency to choose, unless there are no payments. */
  readonly currencyProblem: 'loading' | Error | undefined
  readonly format: Format
}

/** A time for pages that have to show something while the address names none. */
const NOTHING: Span = { from: new Date(0), to: new Date(1) }

/** Reads the address. `isRight` is false if its period cannot be read. */
export function useAsked(now: Date): Asked & { readonly isRight: boolean } {
  const { search } = useAddress()
  const measure = measureOf(one(search, 'metric'))
  const period = one(search, 'period') ?? PERIOD_DEFAULT
  const found = spanOf(period, now)
  const span = found ?? NOTHING
  const filters = filtersOf(useServices().options).filter(
    ({ id }) => measure.metric !== 'volume' || id !== 'currency',
  )
  const { currency, currencies, currencyProblem } = useCurrency(measure, span, found !== undefined)
  const inCurrency = currency === undefined ? {} : { currency: [currency] }
  const step = stepsOf(span).find((name) => name === one(search, 'each')) ?? stepsOf(span)[0] ?? 'day'
  const by =
    breakdownsOf(measure).find(({ value }) => value === one(search, 'by'))?.value ?? BREAKDOWN_DEFAULT
  return {
    isRight: found !== undefined,
    measure,
    period,
    span,
    step,
    by,
    isCompared: one(search, 'compare') !== 'no',
    filters,
    chosen: {
      ...chosenIn(
        search,
        filters.map(({ id }) => id),
      ),
      ...inCurrency,
    },
    query: { ...queryFrom(filters, search, now), ...inCurrency },
    currency,
    currencies,
    currencyProblem,
    format: formatOf(measure.metric, currency),
  }
}

function one(search: Search, name: string): string | undefined {
  return valuesOf(search, name)[0]
}

/** Amounts of several currencies are never added up: a volume is of the one with the most payments, or of another. */
function useCurrency({ metric }: Measure, span: Span, isRight: boolean) {
  const { search } = useAddress()
  const isWanted = metric === 'volume' && isRight
  const found = useModule('currency', { measure: MEASURES[0] as Measure, span, isWanted })
  if (metric !== 'volume') return { currency: undefined, currencies: [], currencyProblem: undefined }
  const set = one(search, 'currency')
  const used = (found.data ?? []).map(({ key }) => key)
  return {
    currency: set ?? used[0],
    currencies: [...new Set([...(set ? [set] : []), ...used])],
    currencyProblem: found.error ?? (found.data ? undefined : ('loading' as const)),
  }
}

/** What a metric can be broken down by: modules of the explorer, with the filter that takes their values. */
export const BREAKDOWNS: readonly (Option & { readonly filter?: string })[] = [
  { value: 'payment_service', label: 'Payment service', filter: 'payment_service_id' },
  { value: 'method', label: 'Method' },
  { value: 'payment_method_scheme', label: 'Card scheme' },
  { value: 'currency', label: 'Currency' },
  { value: 'country', label: 'Country' },
  { value: 'error_code', label: 'Decline reason' },
  { value: 'raw_response_code', label: 'Service response code' },
  { value: 'authorized', label: 'Approved' },
  { value: 'payment_source', label: 'Source' },
  { value: 'merchant_initiated', label: 'Merchant-initiated' },
  { value: 'is_subsequent_payment', label: 'Subsequent payment' },
  { value: 'payment_method_bin', label: 'Card BIN' },
  { value: 'payment_method_card_issuer_name', label: 'Card issuer' },
  { value: 'payment_method_card_type', label: 'Card type' },
  { value: 'payment_method_country', label: 'Card country' },
  { value: 'instrument_type', label: 'Instrument' },
  { value: 'metadata', label: 'Metadata' },
  { value: 'rule_route_transaction', label: 'Rule: route', filter: 'rule_id_route_transaction' },
  { value: 'rule_variant_id', label: 'Rule: service chosen' },
  { value: 'rule_skip_3ds', label: 'Rule: 3-D Secure', filter: 'rule_id_skip_3ds' },
  { value: 'authentication_outcome', label: '3-D Secure: outcome' },
  { value: 'three_d_secure_method', label: '3-D Secure: method' },
  { value: 'three_d_secure_auth_resp', label: '3-D Secure: response' },
  { value: 'three_d_secure_eci', label: '3-D Secure: ECI' },
  { value: 'liability_shifted', label: '3-D Secure: liability shifted' },
]

/** Those that say something about a metric: a volume has one currency, and only refused payments have a reason of refusal. */
export function breakdownsOf({ metric, source }: Measure): readonly Option[] {
  const without =
    metric === 'volume'
      ? ['currency']
      : metric === 'auth_rate' && source === 'authorization'
        ? ['error_code', 'raw_response_code', 'authorized']
        : []
  return BREAKDOWNS.filter(({ value }) => !without.includes(value))
}

const BREAKDOWN_DEFAULT = 'payment_service'

export function filterNameOf(module: string): string {
  return BREAKDOWNS.find(({ value }) => value === module)?.filter ?? module
}

const USUAL = ['method', 'payment_service_id', 'country', 'payment_method_scheme']
const FROM_LIST = [
  ...USUAL,
  'currency',
  'error_code',
  'payment_source',
  'merchant_initiated',
  'is_subsequent_payment',
  'metadata',
  'payment_method_bin',
  'payment_method_country',
]

/** Everything that a question can be narrowed by. What the list of payments has too looks the same here. */
function filtersOf(services: readonly Option[]): readonly Filter[] {
  const known = listFilters(services)
  const shared = FROM_LIST.flatMap((id) => known.filter((filter) => filter.id === id))
  return [
    filterBy('flag', 'authorized', 'Approved', { isUsual: true }),
    ...shared.map(
      (filter): Filter => ({
        ...filter,
        isUsual: USUAL.includes(filter.id),
        ...(filter.kind === 'text' && { isMany: true }),
      }),
    ),
    ...OWN,
  ]
}

const OWN: readonly Filter[] = [
  filterBy('text', 'raw_response_code', 'Service response code', { isMany: true, hint: '05' }),
  filterBy('choice', 'payment_method_card_type', 'Card type', { options: named('credit debit prepaid') }),
  filterBy('text', 'payment_method_card_issuer_name', 'Card issuer', {
    isMany: true,
    hint: 'As shown in the table',
  }),
  filterBy('text', 'instrument_type', 'Instrument', { isMany: true, hint: 'pan, network_token' }),
  filterBy('choice', 'authentication_outcome', '3-D Secure: outcome', {
    options: named('authenticated attempted unavailable failed cancelled abandoned error'),
  }),
  filterBy('choice', 'three_d_secure_method', '3-D Secure: method', {
    options: named('challenge frictionless'),
  }),
  filterBy('text', 'three_d_secure_auth_resp', '3-D Secure: response', { isMany: true, hint: 'Y' }),
  filterBy('text', 'three_d_secure_eci', '3-D Secure: ECI', { isMany: true, hint: '05' }),
  filterBy('flag', 'liability_shifted', '3-D Secure: liability shifted'),
  filterBy('text', 'rule_id_route_transaction', 'Rule: route', { isMany: true, hint: 'Its id' }),
  filterBy('text', 'rule_variant_id', 'Rule: service chosen', { isMany: true, hint: 'Its id' }),
  filterBy('text', 'rule_id_skip_3ds', 'Rule: 3-D Secure', { isMany: true, hint: 'Its id' }),
]

function named(words: string): Option[] {
  return words.split(' ').map((value) => ({ value, label: capital(value) }))
}

/** The explorer counts payments whose authorization is decided. */
const APPROVED = [
  'authorization_succeeded',
  'capture_pending',
  'capture_succeeded',
  'authorization_void_pending',
  'authorization_voided',
]
const REFUSED = ['authorization_declined', 'authorization_failed']

/** Filters that the list of payments has, too, under the same name. */
const SHARED = [
  'country',
  'currency',
  'error_code',
  'metadata',
  'method',
  'payment_service_id',
  'payment_source',
]
/** Those of which it takes one value. */
const SINGLE = ['is_subsequent_payment', 'merchant_initiated', 'payment_method_bin', 'payment_method_country']
const SEVERAL = [...SHARED, 'payment_method_scheme']

/** What stands for payments without a value. */
export const NUL = '\0'

type Chosen = Readonly<Record<string, readonly string[]>>

/** The filters of the explorer that are set in an address. */
function chosenIn(search: Search, names: readonly string[]): Chosen {
  const set = names.map((name) => [name, valuesOf(search, name)] as const)
  return Object.fromEntries(set.filter(([, values]) => values.length > 0))
}

/** The list of exactly the payments that are counted. Undefined if the list cannot be narrowed to them. */
export function listOf(chosen: Chosen, span: Span, isAuthentication: boolean): Search | undefined {
  const search: Record<string, readonly string[] | string> = {
    status: [...APPROVED, ...REFUSED],
    created_at: periodOf(span),
    ...(isAuthentication && { used_3ds: 'true' }),
  }
  for (const [name, values] of Object.entries(chosen)) {
    if (values.includes(NUL)) return undefined
    if (name === 'authorized') search['status'] = statusesOf(values)
    else if (SEVERAL.includes(name)) search[name] = values
    else if (SINGLE.includes(name) && values.length === 1) search[name] = values
    else return undefined
  }
  return search
}

function statusesOf(values: readonly string[]): readonly string[] {
  return [...(values.includes('true') ? APPROVED : []), ...(values.includes('false') ? REFUSED : [])]
}
