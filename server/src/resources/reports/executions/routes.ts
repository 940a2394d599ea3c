import type { Secrets } from '#platform/access/secrets.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import * as reports from '../store.ts'
import { createUrl } from './create-url.ts'
import {
  ExecutionsOfReport,
  ReportExecutions,
  ReportExecutionUrl,
  ReportExecutionUrlGenerate,
} from './schemas.ts'
import { showExecution } from './show.ts'
import * as executions from './store.ts'

const TAG = 'Reports: executions'
const MINUTES_DEFAULT = 5
/** In place of the URL, when a request is repeated some minutes later. */
const HIDDEN = '***'

type Needs = { readonly secrets: Secrets; readonly reportFiles: FileStorage }

export function executionRoutes({ secrets, reportFiles }: Needs): Operation[] {
  return [
    operation({
      id: 'list_report_executions',
      route: 'GET /reports/:report_id/executions',
      tag: TAG,
      summary: 'List report executions',
      description: 'Newest first.',
      scope: 'reports.read',
      concerns: 'merchant-account',
      params: Strict({ report_id: Uuid() }),
      query: ExecutionsOfReport,
      responses: { 200: ReportExecutions },
      handler: async (call) => {
        const report = await reports.find(scopeOf(call), call.params.report_id)
        if (!report) throw errors.notFound()
        const page = await executions.listOf(call.context, secrets, report.id, call.query)
        return { ...page, items: page.items.map(showExecution) }
      },
    }),

    operation({
      id: 'create_report_execution_url',
      route: 'POST /reports/:report_id/executions/:report_execution_id/url',
      tag: TAG,
      summary: 'Create report execution URL',
      description:
        'The file can be downloaded there without a token, for the given minutes. A file with names and addresses of buyers also ' +
        'takes the scope `buyers.billing-details.read`.',
      scope: 'reports.read',
      concerns: 'merchant-account',
      needsFreshProof: true,
      params: Strict({ report_id: Uuid(), report_execution_id: Uuid() }),
      body: ReportExecutionUrlGenerate,
      isBodyOptional: true,
      shownOnce: { url: HIDDEN },
      responses: { 200: ReportExecutionUrl },
      handler: (call) =>
        createUrl(scopeOf(call), call.once, reportFiles, {
          reportId: call.params.report_id,
          executionId: call.params.report_execution_id,
          minutes: call.body?.expires_in ?? MINUTES_DEFAULT,
          caller: call.caller,
        }),
    }),
  ]
}
