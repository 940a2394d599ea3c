import { type Static, Type } from 'typebox'
import { DateTime, Kind, Strict, Uuid } from '#platform/http/schemas.ts'
import { Metric, PresetFilters, ShownFilters, Source } from '../schemas.ts'

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

export const PresetCreate = Strict(
  { display_name: DisplayName, metric: Metric, filters: PresetFilters },
  { title: 'MetricsExplorerPresetCreate', examples: [EXAMPLE] },
)
export type PresetCreate = Static<typeof PresetCreate>

export const PresetUpdate = Strict(
  { display_name: DisplayName },
  { title: 'MetricsExplorerPresetUpdate', examples: [{ display_name: 'Cards in the euro area' }] },
)
export type PresetUpdate = Static<typeof PresetUpdate>

const SHOWN_EXAMPLE = {
  type: 'metrics-explorer.preset',
  id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0069',
  merchant_account_id: 'default',
  created_at: '2026-11-15T09:30:00.000Z',
  updated_at: '2026-11-15T09:30:00.000Z',
  ...EXAMPLE,
  source: 'authorization',
}

export const Preset = Strict(
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
export type Preset = Static<typeof Preset>

export const Presets = Type.Array(Preset, { examples: [[SHOWN_EXAMPLE]] })
