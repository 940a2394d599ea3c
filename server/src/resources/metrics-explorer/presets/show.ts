import { NUL } from '../read-question.ts'
import type { PresetFilters, ShownFilters } from '../schemas.ts'
import type { Preset } from './schemas.ts'
import type { StoredFilters, StoredPreset } from './store.ts'

export function showPreset(row: StoredPreset): Preset {
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
export function storedFilters(given: PresetFilters): StoredFilters {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, StoredFilters[string]][] => {
      if (typeof value === 'string') return [[name, value]]
      if (!value || value.length === 0) return []
      return [[name, value.map((item) => (item === NUL ? null : item))]]
    }),
  )
}
