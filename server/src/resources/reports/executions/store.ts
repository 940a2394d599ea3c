import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import { countOwn } from '#platform/database/sql.ts'
import type { Reach } from '#platform/http/operation.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/bounds.ts'
import { paginate, paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { laterThan, realTime } from '#platform/process/clock.ts'
import * as queue from '#platform/queue/queue.ts'
import type { ResolvedRange } from '../schedule.ts'
import { containsText, type StoredReport } from '../store.ts'
import type { ExecutionStatus, ReportExecutionFilters } from './schemas.ts'

/** The dates that an execution is about, by the name of their filter. */
export type Ranges = Readonly<Record<string, ResolvedRange>>

declare module '#platform/database/db.ts' {
  interface Tables {
    report_executions: {
      id: string
      merchant_account_id: string
      report_id: string
      status: ExecutionStatus
      reference_timestamp: Date
      reference_timezone: string
      ranges: Ranges
      due_at: Date | null
      fence: number
      leased_until: Date | null
      tries: number
      failure_reason: string | null
      stored_in: string | null
      file_key: string | null
      file_size: string | null
      file_sha256: string | null
      row_count: string | null
      ended_at: Date | null
      created_at: Date
      updated_at: Date
    }
  }
}

const NAMES = [
  'id',
  'merchant_account_id',
  'report_id',
  'status',
  'reference_timestamp',
  'reference_timezone',
  'ranges',
  'due_at',
  'fence',
  'leased_until',
  'tries',
  'failure_reason',
  'stored_in',
  'file_key',
  'file_size',
  'file_sha256',
  'row_count',
  'ended_at',
  'created_at',
  'updated_at',
] as const
const COLUMNS = NAMES.map((name) => `report_executions.${name}` as const)

const REPORT_COLUMNS = [
  'reports.name as report_name',
  'reports.creator_id as creator_id',
  'reports.creator_display_name as creator_display_name',
  'reports.creator_type as creator_type',
] as const

export type StoredExecution = Selectable<Tables['report_executions']>

/** With what is shown of its report. */
export type ShownExecution = StoredExecution &
  Pick<StoredReport, 'creator_id' | 'creator_display_name' | 'creator_type'> & {
    readonly report_name: string
  }

type NewExecution = Pick<
  StoredExecution,
  'report_id' | 'reference_timestamp' | 'reference_timezone' | 'ranges' | 'due_at'
>

/** Undefined if the report has an execution for this time already. */
export function insert(tx: Scope<Tx>, execution: NewExecution): Promise<StoredExecution | undefined> {
  const now = tx.clock()
  return tx.db
    .insertInto('report_executions')
    .values({
      ...execution,
      ranges: JSON.stringify(execution.ranges) as never,
      id: newId(now.getTime()),
      merchant_account_id: tx.merchantAccountId,
      status: 'pending',
      fence: 0,
      tries: 0,
      created_at: now,
      updated_at: now,
    } as never)
    .onConflict((conflict) => conflict.columns(['report_id', 'reference_timestamp']).doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

export function find({ db, merchantAccountId }: Scope, id: string): Promise<ShownExecution | undefined> {
  return withReport(db)
    .where('report_executions.merchant_account_id', '=', merchantAccountId)
    .where('report_executions.id', '=', id)
    .executeTakeFirst()
}

/** Of any account: for downloads, whose URL says which. */
export function findAnywhere({ db }: Context, id: string): Promise<ShownExecution | undefined> {
  return withReport(db).where('report_executions.id', '=', id).executeTakeFirst()
}

/** The newest execution of each report. */
export async function latestOf(
  { db }: Context,
  reportIds: readonly string[],
): Promise<ReadonlyMap<string, StoredExecution>> {
  const { rows } = await sql<StoredExecution>`
    select latest.* from unnest(${reportIds}::uuid[]) as report (id)
    cross join lateral (
      select ${sql.raw(COLUMNS.join(', '))} from report_executions
      where report_executions.report_id = report.id order by created_at desc, id desc limit 1
    ) as latest
  `.execute(db)
  return new Map(rows.map((row) => [row.report_id, row]))
}

export function listOf(
  { db, mac }: Context,
  reportId: string,
  page: Page,
): Promise<Collection<ShownExecution>> {
  const query = withReport(db).where('report_executions.report_id', '=', reportId)
  const list = {
    name: `executions of ${reportId}`,
    query,
    table: 'report_executions',
    page,
    mac,
  } as const
  return paginate(list, (row) => row)
}

export function list(
  { db, mac }: Context,
  reach: Reach,
  { cursor, limit, ...filters }: ReportExecutionFilters,
): Promise<Collection<ShownExecution>> {
  const query = filtered(withReport(db), filters)
  const page = { cursor, limit }
  const list = { name: 'report-executions', query, table: 'report_executions', page, mac } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

/** What one worker holds: an execution, and the fence under which alone it may be ended. */
export type Held = Pick<StoredExecution, 'id' | 'fence'>

const QUEUE: queue.Queue<StoredExecution, keyof Held> & queue.Lanes & { readonly leaseMs: number } = {
  table: 'report_executions',
  key: ['id'],
  columns: NAMES,
  open: sql`due_at is not null`,
  due: 'due_at',
  order: ['due_at', 'id'],
  lane: { column: 'merchant_account_id', type: 'text' },
  // A worker that writes a file renews its lease as it goes. If it dies, another one takes over after this time.
  leaseMs: 60_000,
  fence: ['fence'],
}

/**
 * Takes an execution of any account for the time of a lease. Accounts take turns: first the one with the fewest files under way,
 * then the one whose last file is the oldest, so that a long queue of one account does not delay the others. Within an account,
 * the execution that has waited longest.
 */
export async function take(context: Context): Promise<StoredExecution | undefined> {
  const order = sql`(
      select count(*) from report_executions
      where merchant_account_id = lane.id and due_at is not null and leased_until > ${realTime(context.clock)}
    ), (
      select ended_at from report_executions
      where merchant_account_id = lane.id and ended_at is not null order by ended_at desc limit 1
    ) nulls first, lane.id`
  const set = sql`status = 'dispatched', fence = fence + 1, tries = tries + 1, updated_at = ${noEarlier(context)}`
  const [taken] = await queue.takeByTurns(context, QUEUE, { limit: 1, width: 1, order, set })
  return taken
}

function noEarlier({ clock }: Context) {
  return sql<Date>`greatest(${clock()}, updated_at)`
}

/** How many executions of an account have not ended. */
export function countOpen(tx: Scope<Tx>): Promise<number> {
  return countOwn(tx, 'report_executions', sql`due_at is not null`)
}

/** Says that the worker is still at it. False if another one has taken over. */
export function renew(context: Context, held: Held): Promise<boolean> {
  return queue.keep(context, QUEUE, held, { status: 'processing', updated_at: noEarlier(context) })
}

type End =
  | (Pick<StoredExecution, 'stored_in' | 'file_key' | 'file_size' | 'file_sha256' | 'row_count'> & {
      readonly status: 'succeeded'
    })
  | { readonly status: 'failed'; readonly failure_reason: string }
  | {
      readonly status: 'pending'
      readonly failure_reason: string | null
      readonly due_at: Date
      readonly tries: number
    }

/** What became of an execution. Undefined if another worker has taken over: it alone may say so. */
export function conclude(
  tx: Context<Tx>,
  held: Held & Pick<StoredExecution, 'updated_at'>,
  end: End,
): Promise<StoredExecution | undefined> {
  const now = tx.clock()
  const times = end.status === 'pending' ? {} : { due_at: null, ended_at: now }
  return queue.giveBack(tx, QUEUE, held, { ...end, ...times, updated_at: laterThan(held, now) })
}

/** Where a file stands among those of its place, the oldest first. */
export type FilePosition = { readonly id: string; readonly ended_at: Date }

type OldFiles = {
  readonly storedIn: string
  readonly before: Date
  readonly after: FilePosition | undefined
  readonly limit: number
}

/** Executions of all accounts that ended before a time and still have a file at this place, the oldest first. */
export async function withFile(
  { db }: Context,
  { storedIn, before, after, limit }: OldFiles,
): Promise<(FilePosition & { readonly file_key: string })[]> {
  let query = files(db, storedIn).select(['id', 'ended_at', 'file_key']).where('ended_at', '<', before)
  if (after) {
    const { ended_at, id } = after
    query = query.where((eb) => eb(eb.refTuple('ended_at', 'id'), '>', eb.tuple(ended_at, id)))
  }
  return query.$narrowType<{ ended_at: Date; file_key: string }>().limit(limit).execute()
}

/**
 * Executions of an account's reports on payments that began before a time and may still show what the payments said then:
 * files, also at other places, and files that are being written.
 */
export async function showingPayments(
  { db, merchantAccountId }: Scope,
  before: Date,
): Promise<Pick<StoredExecution, 'id' | 'stored_in' | 'file_key'>[]> {
  return db
    .selectFrom('report_executions')
    .innerJoin('reports', 'reports.id', 'report_executions.report_id')
    .select(['report_executions.id', 'stored_in', 'file_key'])
    .where('report_executions.merchant_account_id', '=', merchantAccountId)
    .where('reports.model', '=', 'transactions')
    .where('report_executions.created_at', '<=', before)
    .where((eb) =>
      eb.or([
        eb('file_key', 'is not', null),
        eb('report_executions.status', 'in', ['dispatched', 'processing']),
      ]),
    )
    .execute()
}

/** The row stays for ever. */
export async function forgetFile({ db }: Context, id: string): Promise<void> {
  await db
    .updateTable('report_executions')
    .set({ file_key: null, stored_in: null })
    .where('id', '=', id)
    .execute()
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return queue.nextDueAt(context, QUEUE)
}

export async function oldestFileAt({ db }: Context, storedIn: string): Promise<Date | null> {
  const oldest = await files(db, storedIn).select('ended_at').limit(1).executeTakeFirst()
  return oldest?.ended_at ?? null
}

function files(db: Db, storedIn: string) {
  return db
    .selectFrom('report_executions')
    .where('file_key', 'is not', null)
    .where('stored_in', '=', storedIn)
    .orderBy('ended_at')
    .orderBy('id')
}

type Query = SelectQueryBuilder<Tables, 'report_executions' | 'reports', ShownExecution>

function withReport(db: Db): Query {
  return db
    .selectFrom('report_executions')
    .innerJoin('reports', 'reports.id', 'report_executions.report_id')
    .select([...COLUMNS, ...REPORT_COLUMNS])
}

function filtered(query: Query, given: Omit<ReportExecutionFilters, 'cursor' | 'limit'>): Query {
  const { report_name, created_at_gte, created_at_lte, status, creator_id } = given
  let narrowed = query
  if (report_name !== undefined) narrowed = narrowed.where(containsText('reports.name', report_name))
  if (status !== undefined) narrowed = narrowed.where('report_executions.status', 'in', status)
  if (creator_id !== undefined) narrowed = narrowed.where('reports.creator_id', 'in', creator_id)
  if (created_at_gte !== undefined) {
    const from = new Date(firstMsOf(created_at_gte, 'created_at_gte'))
    narrowed = narrowed.where('report_executions.created_at', '>=', from)
  }
  if (created_at_lte !== undefined) {
    const to = new Date(lastMsOf(created_at_lte, 'created_at_lte'))
    narrowed = narrowed.where('report_executions.created_at', '<=', to)
  }
  return narrowed
}
