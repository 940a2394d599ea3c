import type { Caller } from '#platform/access/auth.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type FindList, refuseUnfit, takenName } from './check-view.ts'
import type { SavedView, SavedViewCreate } from './schemas.ts'
import * as savedViews from './store.ts'

const VIEWS_MAX = 100

export async function createSavedView(
  scope: Scope,
  once: Once,
  caller: Caller,
  { findList, request }: { readonly findList: FindList; readonly request: SavedViewCreate },
): Promise<Finished<SavedView>> {
  const { resource, name, query, periods = {}, columns = [], is_shared = false } = request
  refuseUnfit(findList, caller, { resource, query, periods })
  if ((await savedViews.countOf(scope, caller.id)) >= VIEWS_MAX) {
    throw errors.refused(`delete a view first: you have ${VIEWS_MAX} in this merchant account`)
  }
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const id = await savedViews.insert(tx, caller.id, {
        resource,
        name,
        query,
        periods,
        columns,
        is_shared,
      })
      await auditLogs.record(tx, 'created', { type: 'saved-view', id, name })
      const saved = await savedViews.find(tx, caller.id, id)
      if (!saved) throw new Error('a new saved view is missing in its own transaction')
      return saved
    })
  } catch (error) {
    if (violatedUnique(error) !== 'saved_views_name') throw error
    throw takenName(await savedViews.findNamed(scope, caller.id, request))
  }
}
