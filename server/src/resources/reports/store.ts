import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { countOwn } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import { laterThan } from '#platform/process/clock.ts'
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

const NAMES = [
  'id',
  'merchant_account_id',
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
  'created_at',
  'updated_at',
] as const
const COLUMNS = NAMES.map((name) => `reports.${name}` as const)

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
  const { db, actor, merchantAccountId } = tx
  const now = tx.clock()
  return db
    .insertInto('reports')
    .values({
      ...report,
      params: JSON.stringify(report.params) as never,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      creator_id: actor.id,
      creator_display_name: actor.id === null ? null : actor.name,
      creator_type: actor.id === null ? null : actor.kind === 'user' ? 'user' : 'private_key',
      created_at: now,
      updated_at: now,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function find(scope: Scope, id: string): Promise<StoredReport | undefined> {
  return own(scope, id).executeTakeFirst()
}

/** Locks the row, so that changes of one report are applied in turn. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredReport | undefined> {
  return own(scope, id).forUpdate().executeTakeFirst()
}

type Change = Partial<Pick<StoredReport, 'name' | 'description' | 'schedule_enabled' | 'next_execution_at'>>

export function update(
  { db, clock }: Context<Tx>,
  before: StoredReport,
  change: Change,
): Promise<StoredReport> {
  return db
    .updateTable('reports')
    .set({ ...change, updated_at: laterThan(before, clock()) })
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
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
  columns: NAMES,
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
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { cursor, limit, ...filters }: ReportFilters,
): Promise<Collection<StoredReport>> {
  const query = filtered(db.selectFrom('reports').select(COLUMNS), filters)
  const list = { name: 'reports', query, table: 'reports', page: { cursor, limit }, secrets } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

type Query = SelectQueryBuilder<Tables, 'reports', StoredReport>

function filtered(
  query: Query,
  { schedule, schedule_enabled, name }: Omit<ReportFilters, 'cursor' | 'limit'>,
): Query {
  let narrowed = query
  if (schedule !== undefined) narrowed = narrowed.where('reports.schedule', 'in', schedule)
  if (schedule_enabled !== undefined) {
    narrowed = narrowed.where('reports.schedule_enabled', '=', schedule_enabled)
  }
  if (name !== undefined) narrowed = narrowed.where(containsText('reports.name', name))
  return narrowed
}

/** Whether a column contains a text, in upper or lower case. */
export function containsText(column: string, text: string) {
  return sql<boolean>`position(lower(${text}) in lower(${sql.ref(column)})) > 0`
}

function own({ db, merchantAccountId }: Scope, id: string) {
  return db
    .selectFrom('reports')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
}
