import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import {
  ReportExecution,
  ReportExecutionFilters,
  ReportExecutions,
} from '#resources/reports/executions/schemas.ts'
import { showExecution } from '#resources/reports/executions/show.ts'
import * as executions from '#resources/reports/executions/store.ts'

const operation = operationsOf({
  tag: 'Reports: executions',
  scope: 'reports.read',
  concerns: 'merchant-account',
})

export const reportExecutionRoutes: readonly Operation[] = [
  operation({
    id: 'list_all_report_executions',
    route: 'GET /report-executions',
    summary: 'List all report executions',
    description: 'Newest first. Lists the executions that match all filters.',
    isList: true,
    query: ReportExecutionFilters,
    responses: { 200: ReportExecutions },
    handler: async ({ context, reach, query }) => {
      const page = await executions.list(context, reach, query)
      return { ...page, items: page.items.map(showExecution) }
    },
  }),

  operation({
    id: 'get_report_execution',
    route: 'GET /report-executions/:report_execution_id',
    summary: 'Get report execution',
    params: Strict({ report_execution_id: Uuid() }),
    responses: { 200: ReportExecution },
    handler: async (call) => {
      const execution = orNotFound(await executions.find(scopeOf(call), call.params.report_execution_id))
      return showExecution(execution)
    },
  }),
]
