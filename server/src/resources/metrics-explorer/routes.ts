import { isDatabaseAway } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Call, type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { JobNeeds, OperationNeeds, Resource } from '#resources/resource.ts'
import { Answers } from './answers.ts'
import { fillFacts, nextFill } from './facts/fill.ts'
import { filledTo } from './facts/store.ts'
import { type Period, periodBefore } from './period.ts'
import { presetRoutes } from './presets/routes.ts'
import {
  complaintsAboutCurrency,
  complaintsAboutFilters,
  IN_QUERY,
  type Question,
  readQuestion,
} from './read-question.ts'
import {
  type Metric,
  MetricPath,
  ModuleEntries,
  ModulePath,
  ModuleQuery,
  type Source,
  Total,
  TotalsQuery,
} from './schemas.ts'
import { addUp, deltaOf, measured, showModule } from './show-module.ts'
import { countBetween, type Sums } from './store.ts'

const operation = operationsOf({
  tag: 'Metrics explorer',
  scope: 'metrics-explorer.read',
  concerns: 'merchant-account',
})

function metricsExplorerRoutes({ analytics }: Pick<OperationNeeds, 'analytics'>): Operation[] {
  const answers = new Answers(analytics?.poolSize ?? 1)
  const answer = <Answer>(
    call: Asked,
    metric: Metric,
    work: (scope: Scope, question: Question) => Promise<Answer>,
  ): Promise<Answer> => {
    const wrong = complaintsAboutCurrency(metric, call.query.currency, IN_QUERY)
    if (wrong.length > 0) throw errors.invalid(...wrong)
    const scope = { ...scopeOf(call), ...(analytics && { db: analytics.db }) }
    const asked = JSON.stringify([call.params, Object.entries(call.query).sort()])
    const question = readQuestion(metric, call.query, scope.clock())
    return answers.find(scope, asked, async () => {
      await analytics?.check?.()
      return work(scope, question).catch((error: unknown) => {
        const db = analytics?.spare
        if (!db || db === scope.db || !isDatabaseAway(error)) throw error
        return work({ ...scope, db }, question)
      })
    })
  }
  return [
    operation({
      id: 'get_metrics_explorer_totals',
      route: 'GET /metrics-explorer/:source/metrics/:metric/totals',
      summary: 'Get metric totals',
      description:
        'The metric over time and in sum, and the same for the period of the same length before. An answer may be up to a minute old.',
      params: MetricPath,
      query: TotalsQuery,
      check: ({ query }, { now }) => complaintsAboutFilters(query, IN_QUERY, now),
      responses: { 200: Total },
      handler: (call) => {
        const { source, metric } = call.params
        return answer(call, metric, (scope, question) =>
          showTotals(scope, source, question, call.query.exclude_previous),
        )
      },
    }),

    operation({
      id: 'get_metrics_explorer_module',
      route: 'GET /metrics-explorer/:source/metrics/:metric/modules/:module',
      summary: 'Get metric by field',
      description:
        'At most 1,000 values: for `volume` those with the largest, else those with the most payments, in this order. An answer may ' +
        'be up to a minute old.',
      params: ModulePath,
      query: ModuleQuery,
      check: ({ query }, { now }) => complaintsAboutFilters(query, IN_QUERY, now),
      responses: { 200: ModuleEntries },
      handler: (call) => {
        const { source, metric, module } = call.params
        return answer(call, metric, (scope, question) => showModule(scope, source, question, module))
      },
    }),
  ]
}

type Asked = Pick<Call, 'context' | 'reach' | 'params'> & { readonly query: ModuleQuery }

/** The metric over time, and in the period before. One statement counts both. */
async function showTotals(
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

const metricsExplorerJobs: readonly Job<JobNeeds>[] = [
  {
    name: 'fill-payment-facts',
    everyMs: 60_000,
    run: ({ context }, stopping) => fillFacts(context, stopping),
    nextDueAt: ({ context }) => nextFill(context),
  },
]

export const metricsExplorerResource: Resource = {
  operations: (needs) => [...metricsExplorerRoutes(needs), ...presetRoutes],
  jobs: metricsExplorerJobs,
}
