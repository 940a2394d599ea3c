import { isDatabaseAway } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Call, type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { OperationNeeds } from '../resource.ts'
import { Answers } from './answers.ts'
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
  Total,
  TotalsQuery,
} from './schemas.ts'
import { showModule } from './show-module.ts'
import { showTotals } from './show-totals.ts'

const TAG = 'Metrics explorer'

export function metricsExplorerRoutes({ analytics }: Pick<OperationNeeds, 'analytics'>): Operation[] {
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
      tag: TAG,
      summary: 'Get metric totals',
      description:
        'The metric over time and in sum, and the same for the period of the same length before. An answer may be up to a minute old.',
      scope: 'metrics-explorer.read',
      concerns: 'merchant-account',
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
      tag: TAG,
      summary: 'Get metric by field',
      description:
        'At most 1,000 values: for `volume` those with the largest, else those with the most payments, in this order. An answer may ' +
        'be up to a minute old.',
      scope: 'metrics-explorer.read',
      concerns: 'merchant-account',
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
