import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { complaintsAboutCurrency, complaintsAboutFilters, IN_PRESET } from '../read-question.ts'
import { Source } from '../schemas.ts'
import { Preset, PresetCreate, Presets, PresetUpdate } from './schemas.ts'
import { showPreset, storedFilters } from './show.ts'
import * as presets from './store.ts'

/** Lists show all of them at once. */
export const PRESETS_MAX = 100

const SourcePath = Strict({ source: Source })
const Path = Strict({ source: Source, preset_id: Uuid() })
const TAG = 'Metrics explorer'

export function presetRoutes(): Operation[] {
  return [
    operation({
      id: 'list_metrics_explorer_presets',
      route: 'GET /metrics-explorer/:source/presets',
      tag: TAG,
      summary: 'List presets',
      description: 'All presets of the source, newest first.',
      scope: 'metrics-explorer.read',
      concerns: 'merchant-account',
      params: SourcePath,
      responses: { 200: Presets },
      handler: async (call) => (await presets.list(scopeOf(call), call.params.source)).map(showPreset),
    }),

    operation({
      id: 'create_metrics_explorer_preset',
      route: 'POST /metrics-explorer/:source/presets',
      tag: TAG,
      summary: 'Create preset',
      description:
        'Keeps a metric and filters under a name, for dashboards to ask with. At most 100 for each account.',
      scope: 'metrics-explorer.write',
      concerns: 'merchant-account',
      params: SourcePath,
      body: PresetCreate,
      check: ({ body }, { now, isRight }) => [
        ...complaintsAboutFilters(body.filters ?? {}, IN_PRESET, now),
        ...(isRight('/filters/currency')
          ? complaintsAboutCurrency(body.metric, body.filters?.currency, IN_PRESET)
          : []),
      ],
      responses: { 200: Preset },
      handler: (call) => createPreset(scopeOf(call), call.once, call.params.source, call.body),
    }),

    operation({
      id: 'update_metrics_explorer_preset',
      route: 'PUT /metrics-explorer/:source/presets/:preset_id',
      tag: TAG,
      summary: 'Rename preset',
      description: 'Only the name can be changed.',
      scope: 'metrics-explorer.write',
      concerns: 'merchant-account',
      params: Path,
      body: PresetUpdate,
      responses: { 200: Preset },
      handler: (call) => {
        const { source, preset_id: id } = call.params
        return updatePreset(scopeOf(call), { source, id }, call.body)
      },
    }),

    operation({
      id: 'delete_metrics_explorer_preset',
      route: 'DELETE /metrics-explorer/:source/presets/:preset_id',
      tag: TAG,
      summary: 'Delete preset',
      scope: 'metrics-explorer.write',
      concerns: 'merchant-account',
      params: Path,
      responses: { 204: null },
      handler: (call) => {
        const { source, preset_id: id } = call.params
        return deletePreset(scopeOf(call), { source, id })
      },
    }),
  ]
}

function createPreset(
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

/** Only the name changes. For another question, there is another preset. */
function updatePreset(
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

function deletePreset(scope: Scope, key: { readonly source: Source; readonly id: string }): Promise<void> {
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
