import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Source } from '../schemas.ts'
import type { Preset, PresetCreate } from './schemas.ts'
import { showPreset, storedFilters } from './show.ts'
import * as presets from './store.ts'

/** Lists show all of them at once. */
export const PRESETS_MAX = 100

export function createPreset(
  scope: Scope,
  once: Once,
  source: Source,
  { display_name, metric, filters }: PresetCreate,
): Promise<Finished<Preset>> {
  return inFinalTransaction(scope, once, async (tx) => {
    if ((await presets.count(tx)) >= PRESETS_MAX) {
      throw errors.refused(
        `this merchant account already has ${PRESETS_MAX} presets, the most allowed; delete one first`,
      )
    }
    const stored = await presets.insert(tx, { source, metric, display_name, filters: storedFilters(filters) })
    await auditLogs.record(tx, 'created', {
      type: 'metrics-explorer.preset',
      id: stored.id,
      name: display_name,
    })
    return showPreset(stored)
  })
}
