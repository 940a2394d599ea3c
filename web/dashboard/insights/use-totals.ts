import type { Schemas } from '../../api/schema.d.ts'
import { useRead } from '../api/client.ts'
import type { Query } from '../parts/list/filters.ts'
import type { Step } from '../parts/series.ts'
import { ZONE } from '../parts/values.tsx'
import type { Measure } from './metrics.ts'
import { rangeOf, type Span, startOf, stepOf, timesFrom } from './span.ts'

type Total = Schemas['MetricsExplorerTotalResponse']

export type Question = {
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
