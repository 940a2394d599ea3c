import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { closeIncident } from '../incidents/change.ts'
import * as incidents from '../incidents/store.ts'
import { toAudited } from './create.ts'
import * as metrics from './store.ts'

/** Its samples go with it. Its incidents stay, and one that is open is closed: no sample could close it. */
export function deleteMetric(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const metric = await metrics.lock(tx, id)
    if (!metric) throw errors.notFound()
    const open = await incidents.lockOpen(tx, id)
    if (open) await closeIncident(tx, open)
    await metrics.remove(tx, metric)
    await auditLogs.record(tx, 'deleted', toAudited(metric))
  })
}
