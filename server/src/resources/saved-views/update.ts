import type { Caller } from '#platform/access/auth.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type FindList, notYours, refuseUnfit, takenName } from './check-view.ts'
import type { SavedView, SavedViewUpdate } from './schemas.ts'
import * as savedViews from './store.ts'

type Change = { readonly id: string; readonly findList: FindList; readonly request: SavedViewUpdate }

/** Absent and null fields stay as they are. */
export async function updateSavedView(
  scope: Scope,
  caller: Caller,
  { id, findList, request }: Change,
): Promise<SavedView> {
  const { name, query, periods, columns, is_shared } = request
  const changes = {
    ...(name && { name }),
    ...(query && { query }),
    ...(periods && { periods }),
    ...(columns && { columns }),
    ...(typeof is_shared === 'boolean' && { is_shared }),
  }
  try {
    return await inTransaction(scope, async (tx) => {
      const before = await savedViews.lock(tx, caller.id, id)
      if (!before) throw errors.notFound()
      if (!before.is_own) throw notYours()
      refuseUnfit(findList, caller, { ...before, ...changes })
      await savedViews.update(tx, id, changes)
      const after = await savedViews.find(tx, caller.id, id)
      if (!after) throw errors.notFound()
      await auditLogs.record(tx, 'updated', { type: 'saved-view', id, name: after.name })
      return after
    })
  } catch (error) {
    if (violatedUnique(error) !== 'saved_views_name') throw error
    throw takenName(undefined)
  }
}
