import { type Selectable, sql } from 'kysely'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { countOwn } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import * as queue from '#platform/queue/queue.ts'
import type { CREATOR_TYPES, ReportFilters, Schedule } from './schemas.ts'
import type { Model } from './spec.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    reports: {
      id: string
      merchant_account_id: string
      name: string
      description: string | null
      creator_id: string | null
      creator_display_name: string | null
      creator_type: (typeof CREATOR_TYPES)[number] | null
      schedule: Schedule
      schedule_enabled: boolean
      schedule_timezone: string
      model: Model
      params: Readonly<Record<string, unknown>>
      next_execution_at: Date | null
      created_at: Date
      updated_at: Date
    }
  }
}

const rows = accountRows('reports', [
  'name',
  'description',
  'creator_id',
  'creator_display_name',
  'creator_type',
  'schedule',
  'schedule_enabled',
  'schedule_timezone',
  'model',
  'params',
  'next_execution_at',
])

export const { find, lock, update } = rows

export type StoredReport = Selectable<Tables['reports']>

type NewReport = Omit<
  StoredReport,
  | 'id'
  | 'merchant_account_id'
  | 'creator_id'
  | 'creator_display_name'
  | 'creator_type'
  | 'created_at'
  | 'updated_at'
>

export function insert(tx: Scope<Tx>, report: NewReport): Promise<StoredReport> {
  const { actor } = tx
  return rows.insert(tx, {
    ...report,
    creator_id: actor.id,
    creator_display_name: actor.id === null ? null : actor.name,
    creator_type: actor.id === null ? null : actor.kind === 'user' ? 'user' : 'private_key',
  })
}

/** Says when a report runs next. That is no change of the report itself. */
export async function scheduleNext({ db }: Context<Tx>, id: string, next: Date | null): Promise<void> {
  await db.updateTable('reports').set({ next_execution_at: next }).where('id', '=', id).execute()
}

/**
 * Locks the report of any account that has waited longest for its time, but for these. Two processes lock different ones.
 */
export async function lockDue(tx: Context<Tx>, except: readonly string[]): Promise<StoredReport | undefined> {
  const where = sql`id <> all(${except}::uuid[])`
  const [due] = await queue.lockDue<StoredReport>(tx, QUEUE, { limit: 1, where })
  return due
}

const QUEUE = {
  table: 'reports',
  columns: rows.columns,
  open: sql`schedule_enabled`,
  due: 'next_execution_at',
  order: ['next_execution_at', 'id'],
} as const

/** How many reports of an account run by their schedule. */
export function countScheduled(tx: Scope<Tx>): Promise<number> {
  return countOwn(tx, 'reports', sql`schedule_enabled`)
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return queue.nextDueAt(context, QUEUE)
}

export function list(
  context: Context,
  reach: Reach,
  { schedule, schedule_enabled, name, ...page }: ReportFilters,
): Promise<Collection<StoredReport>> {
  let query = rows.select(context.db)
  if (schedule !== undefined) query = query.where('reports.schedule', 'in', schedule)
  if (schedule_enabled !== undefined) query = query.where('reports.schedule_enabled', '=', schedule_enabled)
  if (name !== undefined) query = query.where(containsText('reports.name', name))
  return rows.list(context, reach, { ...page, query })
}

/** Whether a column contains a text, in upper or lower case. */
export function containsText(column: string, text: string) {
  return sql<boolean>`position(lower(${text}) in lower(${sql.ref(column)})) > 0`
}
