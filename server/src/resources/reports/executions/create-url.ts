import type { Caller } from '#platform/access/auth.ts'
import type { Scope } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { REPORT_MODELS } from '../models/models.ts'
import * as reports from '../store.ts'
import { fileName } from './file-name.ts'
import { findFile } from './find-file.ts'
import type { ReportExecutionUrl } from './schemas.ts'
import * as executions from './store.ts'

type Wanted = {
  readonly reportId: string
  readonly executionId: string
  readonly minutes: number
  readonly caller: Pick<Caller, 'may'>
}

/** What else a caller must be allowed to read, if the file has columns about buyers. */
const OF_BUYERS = 'buyers.billing-details.read'

/** Anyone who has the URL gets the file, so the audit log says who asked for it. */
export async function createUrl(
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
  const url = storage.url(key, { until, fileName: fileName(execution) })
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
