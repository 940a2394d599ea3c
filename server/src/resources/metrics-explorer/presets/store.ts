import { accountRows } from '#platform/database/account-rows.ts'
import type { Tables } from '#platform/database/db.ts'
import type { Metric, Source } from '../schemas.ts'

/** Filters as they are stored. In a list, null stands for payments without a value: no column takes a NUL. */
export type StoredFilters = Readonly<Record<string, string | readonly (string | null)[]>>

declare module '#platform/database/db.ts' {
  interface Tables {
    metrics_explorer_presets: {
      id: string
      merchant_account_id: string
      source: Source
      metric: Metric
      display_name: string
      filters: StoredFilters
      created_at: Date
      updated_at: Date
    }
  }
}

const rows = accountRows('metrics_explorer_presets', ['source', 'metric', 'display_name', 'filters'])

export const { insert, count, newest, lock, update, remove } = rows

export type StoredPreset = Tables['metrics_explorer_presets']
