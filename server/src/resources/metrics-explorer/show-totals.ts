import type { Scope } from '#platform/database/db.ts'
import { filledTo } from './facts/store.ts'
import { addUp, deltaOf, measured } from './measure.ts'
import { type Period, periodBefore } from './period.ts'
import type { Question } from './read-question.ts'
import type { Metric, Source, Total } from './schemas.ts'
import { countBetween, type Sums } from './store.ts'

/** The metric over time, and in the period before. One statement counts both. */
export async function showTotals(
  scope: Scope,
  source: Source,
  { metric, zone, period, filters }: Question,
  isPreviousExcluded: boolean,
): Promise<Total> {
  const previous = isPreviousExcluded ? null : periodBefore(zone, period)
  const span = { from: previous?.from ?? period.from, to: period.to }
  const before = previous ? startsOf(previous) : []
  const moments = [...before, ...startsOf(period)]
  const selection = { source, span, filters, filledTo: await filledTo(scope, scope.merchantAccountId) }
  const counted = await countBetween(scope, selection, moments)
  const at = (first: number, { steps }: Period) => steps.map((_step, index) => counted.get(first + index))
  const now = shown(metric, period, at(before.length, period))
  const then = previous && shown(metric, previous, at(0, previous))
  return {
    type: 'metrics-explorer.total',
    series: { current: now.series, previous: then?.series ?? null },
    summary: {
      current: now.summary,
      previous: then?.summary ?? null,
      delta: then && deltaOf(metric, now.summary.value, then.summary.value),
    },
  }
}

/** The first hour or day may begin before the period: only what is in the period counts. */
function startsOf({ from, steps }: Period): Date[] {
  return [from, ...steps.slice(1)]
}

function shown(metric: Metric, { from, steps }: Period, counted: readonly (Sums | undefined)[]) {
  const sums = addUp(counted.filter((one) => one !== undefined))
  return {
    series: {
      first_interval: (steps[0] ?? from).toISOString(),
      values: counted.map((one) => measured(metric, one)),
    },
    summary: { value: measured(metric, sums) },
  }
}
