import type { Scope, Tx } from '#platform/database/db.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { begin } from './executions/begin.ts'
import { refuseTooManyOpen, refuseTooManyScheduled } from './limits.ts'
import { nextExecution } from './schedule.ts'
import type { Report, ReportCreate } from './schemas.ts'
import { showReport } from './show.ts'
import * as reports from './store.ts'

/** A report that runs once begins to run now. All others wait for their time. */
export function createReport(scope: Scope, once: Once, request: ReportCreate): Promise<Finished<Report>> {
  return inFinalTransaction(scope, once, async (tx) => {
    if (request.schedule === 'once') await refuseTooManyOpen(tx)
    if (request.schedule_enabled) await refuseTooManyScheduled(tx)
    const report = await insert(tx, request)
    if (report.schedule === 'once')
      await begin(tx, report, { reference: report.created_at, dueAt: report.created_at })
    await auditLogs.record(tx, 'created', { type: 'report', id: report.id, name: report.name })
    return showReport(tx, report)
  })
}

function insert(tx: Scope<Tx>, request: ReportCreate): Promise<reports.StoredReport> {
  const { name, description = null, schedule, schedule_enabled, schedule_timezone, spec } = request
  return reports.insert(tx, {
    name,
    description,
    schedule,
    schedule_enabled,
    schedule_timezone,
    model: spec.model,
    params: spec.params,
    next_execution_at: nextExecution({ schedule, schedule_timezone }, tx.clock()),
  })
}
