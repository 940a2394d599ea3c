import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { REPORT_MODELS } from '../models/models.ts'
import * as reports from '../store.ts'
import {
  ExecutionsOfReport,
  ReportExecutions,
  ReportExecutionUrl,
  ReportExecutionUrlGenerate,
} from './schemas.ts'
import { fileName, findFile } from './serve-file.ts'
import { showExecution } from './show.ts'
import * as executions from './store.ts'

/** What else a caller must be allowed to read, if the file has columns about buyers. */
const OF_BUYERS = 'buyers.billing-details.read'

const operation = operationsOf({
  tag: 'Reports: executions',
  scope: 'reports.read',
  concerns: 'merchant-account',
})
const MINUTES_DEFAULT = 5
/** In place of the URL, when a request is repeated some minutes later. */
const HIDDEN = '***'

type Needs = { readonly reportFiles: FileStorage }

export function executionRoutes({ reportFiles }: Needs): Operation[] {
  return [
    operation({
      id: 'list_report_executions',
      route: 'GET /reports/:report_id/executions',
      summary: 'List report executions',
      description: 'Newest first.',
      params: Strict({ report_id: Uuid() }),
      query: ExecutionsOfReport,
      responses: { 200: ReportExecutions },
      handler: async (call) => {
        const report = orNotFound(await reports.find(scopeOf(call), call.params.report_id))
        const page = await executions.listOf(call.context, report.id, call.query)
        return { ...page, items: page.items.map(showExecution) }
      },
    }),

    operation({
      id: 'create_report_execution_url',
      route: 'POST /reports/:report_id/executions/:report_execution_id/url',
      summary: 'Create report execution URL',
      description:
        'The file can be downloaded there without a token, for the given minutes. A file with names and addresses of buyers also ' +
        'takes the scope `buyers.billing-details.read`.',
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

type Wanted = {
  readonly reportId: string
  readonly executionId: string
  readonly minutes: number
  readonly caller: Pick<Caller, 'may'>
}

/** Anyone who has the URL gets the file, so the audit log says who asked for it. */
async function createUrl(
  scope: Scope,
  once: Once,
  storage: FileStorage,
  { reportId, executionId, minutes, caller }: Wanted,
): Promise<Finished<ReportExecutionUrl>> {
  const execution = await executions.find(scope, executionId)
  if (execution?.report_id !== reportId) throw errors.notFound()
  const report = await reports.find(scope, reportId)
  if (report && isAboutBuyers(report) && !caller.may(OF_BUYERS)) throw buyersAreHidden()
  const key = await findFile(storage, execution)
  // Real time: a person who downloads the file does not live by the clock of a sandbox.
  const nowSeconds = Math.floor(realTime(scope.clock).getTime() / 1000)
  const until = new Date((nowSeconds + minutes * 60) * 1000)
  const url = await storage.url(key, { until, fileName: fileName(execution) })
  return inFinalTransaction(scope, once, async (tx) => {
    const resource = { type: 'report-execution-url', id: executionId, name: execution.report_name }
    await auditLogs.record(tx, 'created', resource)
    return { url, expires_at: until.toISOString() }
  })
}

function isAboutBuyers({ model, params }: reports.StoredReport): boolean {
  return REPORT_MODELS[model].columnsOf(params).some((name) => name.startsWith('billing_details_'))
}

function buyersAreHidden() {
  return errors.forbidden({
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.missing',
    message: `the file has names and addresses of buyers, which needs the scope ${OF_BUYERS} as well: add it to the token, and to a role of the key, or create a report without the fields billing_details_…`,
  })
}
