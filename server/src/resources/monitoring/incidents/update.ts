import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { MonitoringIncident, UpdateMonitoringIncident } from './schemas.ts'
import { showIncident } from './show.ts'
import * as incidents from './store.ts'

/** Samples alone open and close incidents. People write what they know about one. */
export function updateIncident(
  scope: Scope,
  id: string,
  { notes }: UpdateMonitoringIncident,
): Promise<MonitoringIncident> {
  return inTransaction(scope, async (tx) => {
    const before = await incidents.lock(tx, id)
    if (!before) throw errors.notFound()
    const after = await incidents.update(tx, before, { notes })
    await auditLogs.record(tx, 'updated', { type: 'monitoring.incident', id, name: after.display_name })
    return showIncident(after)
  })
}
