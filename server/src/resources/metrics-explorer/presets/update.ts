import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Source } from '../schemas.ts'
import type { Preset, PresetUpdate } from './schemas.ts'
import { showPreset } from './show.ts'
import * as presets from './store.ts'

/** Only the name changes. For another question, there is another preset. */
export function updatePreset(
  scope: Scope,
  key: { readonly source: Source; readonly id: string },
  { display_name }: PresetUpdate,
): Promise<Preset> {
  return inTransaction(scope, async (tx) => {
    const before = await presets.lock(tx, key)
    if (!before) throw errors.notFound()
    const after = await presets.rename(tx, before, display_name)
    await auditLogs.record(tx, 'updated', {
      type: 'metrics-explorer.preset',
      id: after.id,
      name: display_name,
    })
    return showPreset(after)
  })
}
