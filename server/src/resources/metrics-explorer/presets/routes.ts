import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { complaintsAboutCurrency, complaintsAboutFilters, IN_PRESET } from '../read-question.ts'
import { Source } from '../schemas.ts'
import { createPreset } from './create.ts'
import { deletePreset } from './delete.ts'
import { Preset, PresetCreate, Presets, PresetUpdate } from './schemas.ts'
import { showPreset } from './show.ts'
import * as presets from './store.ts'
import { updatePreset } from './update.ts'

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
