import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { ONCE_HAS_NO_SCHEDULE } from './check-spec.ts'
import { refuseTooManyScheduled } from './limits.ts'
import { nextExecution } from './schedule.ts'
import type { Report, ReportUpdate } from './schemas.ts'
import { showReport } from './show.ts'
import * as reports from './store.ts'

/** What is left out stays. A schedule that is enabled again makes up for no run that it missed meanwhile. */
export function updateReport(scope: Scope, id: string, request: ReportUpdate): Promise<Report> {
  return inTransaction(scope, async (tx) => {
    const before = await reports.lock(tx, id)
    if (!before) throw errors.notFound()
    const schedule_enabled = request.schedule_enabled ?? before.schedule_enabled
    if (schedule_enabled && before.schedule === 'once') {
      throw errors.invalid(inBody('/schedule_enabled', 'value_error.conflict', ONCE_HAS_NO_SCHEDULE))
    }
    if (schedule_enabled && !before.schedule_enabled) await refuseTooManyScheduled(tx)
    const now = tx.clock()
    const isMissed = before.next_execution_at !== null && before.next_execution_at <= now
    const after = await reports.update(tx, before, {
      name: request.name ?? before.name,
      description: request.description === undefined ? before.description : request.description,
      schedule_enabled,
      ...(schedule_enabled &&
        !before.schedule_enabled &&
        isMissed && { next_execution_at: nextExecution(before, now) }),
    })
    await auditLogs.record(tx, 'updated', { type: 'report', id, name: after.name })
    return showReport(tx, after)
  })
}
