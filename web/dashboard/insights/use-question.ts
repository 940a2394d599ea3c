import { type Search, useAddress, valuesOf } from '../address.ts'
import { type Filter, type Query, queryFrom } from '../parts/list/filters.ts'
import type { Step } from '../parts/series.ts'
import { useServices } from '../payment-service-reports/use-services.ts'
import { type Chosen, chosenIn } from './drill-down.ts'
import { BREAKDOWN_DEFAULT, breakdownsOf, filtersOf } from './fields.ts'
import { type Format, formatOf, MEASURES, type Measure, measureOf } from './metrics.ts'
import { PERIOD_DEFAULT, type Span, spanOf, stepsOf } from './span.ts'
import { useModule } from './use-totals.ts'

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
