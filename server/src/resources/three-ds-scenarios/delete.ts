import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { nameOf } from './show.ts'
import * as scenarios from './store.ts'

/** Payments that wait for their buyer keep the answers that they began with. */
export function deleteScenario(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const removed = await scenarios.remove(tx, id)
    if (!removed) throw errors.notFound()
    await auditLogs.record(tx, 'deleted', { type: 'three-d-secure-scenario', id, name: nameOf(removed) })
  })
}
