import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { complaintsAboutCurrency, complaintsAboutFilters, IN_PRESET, NUL } from '../read-question.ts'
import { Metric, PresetFilters, ShownFilters, Source } from '../schemas.ts'
import type { StoredFilters, StoredPreset } from './store.ts'
import * as presets from './store.ts'

const DisplayName = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The name under which people find it.',
})

const EXAMPLE = {
  display_name: 'Cards in Europe',
  metric: 'auth_rate',
  filters: { datetime_range: 'P7D/now', method: ['card'], country: ['DE', 'FR', 'NL'] },
}

const PresetCreate = Strict(
  { display_name: DisplayName, metric: Metric, filters: PresetFilters },
  { title: 'MetricsExplorerPresetCreate', examples: [EXAMPLE] },
)
type PresetCreate = Static<typeof PresetCreate>

const PresetUpdate = Strict(
  { display_name: DisplayName },
  { title: 'MetricsExplorerPresetUpdate', examples: [{ display_name: 'Cards in the euro area' }] },
)
type PresetUpdate = Static<typeof PresetUpdate>

const SHOWN_EXAMPLE = {
  type: 'metrics-explorer.preset',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0069',
  merchant_account_id: 'default',
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
  ...EXAMPLE,
  source: 'authorization',
}

const Preset = Strict(
  {
    type: Kind('metrics-explorer.preset'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    created_at: DateTime(),
    updated_at: DateTime(),
    display_name: DisplayName,
    source: Source,
    metric: Metric,
    filters: ShownFilters,
  },
  {
    title: 'MetricsExplorerPreset',
    examples: [SHOWN_EXAMPLE],
  },
)
type Preset = Static<typeof Preset>

const Presets = Type.Array(Preset, { examples: [[SHOWN_EXAMPLE]] })

/** Lists show all of them at once. */
export const PRESETS_MAX = 100

const SourcePath = Strict({ source: Source })
const Path = Strict({ source: Source, preset_id: Uuid() })
const operation = operationsOf({
  tag: 'Metrics explorer',
  concerns: 'merchant-account',
  scopes: 'metrics-explorer',
})

export const presetRoutes: readonly Operation[] = [
  operation({
    id: 'list_metrics_explorer_presets',
    route: 'GET /metrics-explorer/:source/presets',
    summary: 'List presets',
    description: 'All presets of the source, newest first.',
    params: SourcePath,
    responses: { 200: Presets },
    handler: async (call) =>
      (await presets.newest(scopeOf(call), { source: call.params.source })).map(showPreset),
  }),

  operation({
    id: 'create_metrics_explorer_preset',
    route: 'POST /metrics-explorer/:source/presets',
    summary: 'Create preset',
    description:
      'Keeps a metric and filters under a name, for dashboards to ask with. At most 100 for each account.',
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
    summary: 'Rename preset',
    description: 'Only the name can be changed.',
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
    summary: 'Delete preset',
    params: Path,
    responses: { 204: null },
    handler: (call) => {
      const { source, preset_id: id } = call.params
      return deletePreset(scopeOf(call), { source, id })
    },
  }),
]

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
    const before = orNotFound(await presets.lock(tx, key))
    const after = await presets.update(tx, before, { display_name })
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
    const removed = orNotFound(await presets.remove(tx, key))
    await auditLogs.record(tx, 'deleted', {
      type: 'metrics-explorer.preset',
      id: removed.id,
      name: removed.display_name,
    })
  })
}

function showPreset(row: StoredPreset): Preset {
  return {
    type: 'metrics-explorer.preset',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    display_name: row.display_name,
    source: row.source,
    metric: row.metric,
    filters: Object.fromEntries(
      Object.entries(row.filters).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : value.map((item) => item ?? NUL),
      ]),
    ) as ShownFilters,
  }
}

/** Filters that are null or have no values say nothing. */
function storedFilters(given: PresetFilters): StoredFilters {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, StoredFilters[string]][] => {
      if (typeof value === 'string') return [[name, value]]
      if (!value || value.length === 0) return []
      return [[name, value.map((item) => (item === NUL ? null : item))]]
    }),
  )
}
