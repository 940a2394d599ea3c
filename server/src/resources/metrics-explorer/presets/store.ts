import type { Selectable } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { countOwn } from '#platform/database/sql.ts'
import { laterThan } from '#platform/process/clock.ts'
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

export type StoredPreset = Selectable<Tables['metrics_explorer_presets']>

const COLUMNS = [
  'id',
  'merchant_account_id',
  'source',
  'metric',
  'display_name',
  'filters',
  'created_at',
  'updated_at',
] as const

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  preset: Pick<StoredPreset, 'source' | 'metric' | 'display_name' | 'filters'>,
): Promise<StoredPreset> {
  const now = clock()
  return db
    .insertInto('metrics_explorer_presets')
    .values({
      ...preset,
      filters: JSON.stringify(preset.filters) as never,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function count(tx: Scope<Tx>): Promise<number> {
  return countOwn(tx, 'metrics_explorer_presets')
}

/** Newest first. */
export function list({ db, merchantAccountId }: Scope, source: Source): Promise<StoredPreset[]> {
  return db
    .selectFrom('metrics_explorer_presets')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('source', '=', source)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

type Key = { readonly source: Source; readonly id: string }

/** Locks the row, so that changes of one preset are applied in turn. */
export function lock(
  { db, merchantAccountId }: Scope<Tx>,
  { source, id }: Key,
): Promise<StoredPreset | undefined> {
  return db
    .selectFrom('metrics_explorer_presets')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('source', '=', source)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export function rename(
  { db, clock }: Scope<Tx>,
  before: StoredPreset,
  display_name: string,
): Promise<StoredPreset> {
  return db
    .updateTable('metrics_explorer_presets')
    .set({ display_name, updated_at: laterThan(before, clock()) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function remove(
  { db, merchantAccountId }: Scope<Tx>,
  { source, id }: Key,
): Promise<StoredPreset | undefined> {
  return db
    .deleteFrom('metrics_explorer_presets')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('source', '=', source)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
}
