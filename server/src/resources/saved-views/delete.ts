import type { Caller } from '#platform/access/auth.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { notYours } from './check-view.ts'
import * as savedViews from './store.ts'

export function deleteSavedView(scope: Scope, caller: Caller, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const view = await savedViews.lock(tx, caller.id, id)
    if (!view) throw errors.notFound()
    if (!view.is_own) throw notYours()
    await savedViews.remove(tx, id)
    await auditLogs.record(tx, 'deleted', { type: 'saved-view', id, name: view.name })
  })
}
