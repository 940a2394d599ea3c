import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Source } from '../schemas.ts'
import * as presets from './store.ts'

export function deletePreset(
  scope: Scope,
  key: { readonly source: Source; readonly id: string },
): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const removed = await presets.remove(tx, key)
    if (!removed) throw errors.notFound()
    await auditLogs.record(tx, 'deleted', {
      type: 'metrics-explorer.preset',
      id: removed.id,
      name: removed.display_name,
    })
  })
}
