import { realTime } from '#platform/clock.ts'
import type { Scope } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { fileName } from './file-name.ts'
import { findFile } from './find-file.ts'
import type { ReportExecutionUrl } from './schemas.ts'
import * as executions from './store.ts'

type Wanted = { readonly reportId: string; readonly executionId: string; readonly minutes: number }

/** Anyone who has the URL gets the file, so the audit log says who asked for it. */
export async function createUrl(
  scope: Scope,
  once: Once,
  storage: FileStorage,
  { reportId, executionId, minutes }: Wanted,
): Promise<Finished<ReportExecutionUrl>> {
  const execution = await executions.find(scope, executionId)
  if (execution?.report_id !== reportId) throw errors.notFound()
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
