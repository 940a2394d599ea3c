import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import { laterThan } from '#domain/later-than.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { countOwn } from '#platform/database/count-own.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate, paginateAccounts } from '#platform/listing/by-age.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/moments.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
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

const COLUMNS = [
  'report_executions.id',
  'report_executions.merchant_account_id',
  'report_executions.report_id',
  'report_executions.status',
  'report_executions.reference_timestamp',
  'report_executions.reference_timezone',
  'report_executions.ranges',
  'report_executions.due_at',
  'report_executions.fence',
  'report_executions.leased_until',
  'report_executions.tries',
  'report_executions.failure_reason',
  'report_executions.stored_in',
  'report_executions.file_key',
  'report_executions.file_size',
  'report_executions.file_sha256',
  'report_executions.row_count',
  'report_executions.ended_at',
  'report_executions.created_at',
  'report_executions.updated_at',
] as const

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

/** A worker that writes a file renews its lease as it goes. If it dies, another one takes over after this time. */
const LEASE_SECONDS = 60

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
  { db }: Context,
  secrets: Secrets,
  reportId: string,
  page: Page,
): Promise<Collection<ShownExecution>> {
  const query = withReport(db).where('report_executions.report_id', '=', reportId)
  const list = {
    name: `executions of ${reportId}`,
    query,
    table: 'report_executions',
    page,
    secrets,
  } as const
  return paginate(list, (row) => row)
}

export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { cursor, limit, ...filters }: ReportExecutionFilters,
): Promise<Collection<ShownExecution>> {
  const query = filtered(withReport(db), filters)
  const page = { cursor, limit }
  const list = { name: 'report-executions', query, table: 'report_executions', page, secrets } as const
  return paginateAccounts(list, { db, reach }, (row) => row)
}

/** What one worker holds: an execution, and the fence under which alone it may be ended. */
export type Held = Pick<StoredExecution, 'id' | 'fence'>

/**
 * Takes an execution of any account for the time of a lease. Accounts take turns: first the one with the fewest files under way,
 * then the one whose last file is the oldest, so that a long queue of one account does not delay the others. Within an account,
 * the execution that has waited longest.
 */
export async function take({ db, clock }: Context): Promise<StoredExecution | undefined> {
  const now = clock()
  const { rows } = await sql<StoredExecution>`
    with recursive accounts (id) as (
      (select merchant_account_id from report_executions where due_at is not null order by 1 limit 1)
      union all
      select (
        select merchant_account_id from report_executions
        where due_at is not null and merchant_account_id > accounts.id order by 1 limit 1
      ) from accounts where accounts.id is not null
    ),
    turn as materialized (
      select accounts.id,
        (
          select count(*) from report_executions as running
          where running.merchant_account_id = accounts.id and running.due_at is not null
            and running.leased_until > now()
        ) as running,
        (
          select ended.ended_at from report_executions as ended
          where ended.merchant_account_id = accounts.id and ended.ended_at is not null
          order by ended.ended_at desc limit 1
        ) as last_ended_at
      from accounts where accounts.id is not null
    )
    update report_executions
    set status = 'dispatched', fence = fence + 1, tries = tries + 1,
      leased_until = now() + ${LEASE_SECONDS} * interval '1 second', updated_at = greatest(${now}, updated_at)
    where id = (
      select due.id
      from (select * from turn order by running, last_ended_at nulls first, id) as turn
      cross join lateral (
        select id from report_executions
        where merchant_account_id = turn.id and due_at <= ${now}
          and (leased_until is null or leased_until <= now())
        order by due_at, id limit 1
        for update skip locked
      ) as due
      limit 1
    )
    returning ${sql.raw(COLUMNS.join(', '))}
  `.execute(db)
  return rows[0]
}

/** How many executions of an account have not ended. */
export function countOpen(tx: Scope<Tx>): Promise<number> {
  return countOwn(tx, 'report_executions', sql`due_at is not null`)
}

/** Says that the worker is still at it. False if another one has taken over. */
export async function renew({ db, clock }: Context, { id, fence }: Held): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update report_executions
    set status = 'processing', leased_until = now() + ${LEASE_SECONDS} * interval '1 second',
      updated_at = greatest(${clock()}, updated_at)
    where id = ${id} and fence = ${fence} and due_at is not null
  `.execute(db)
  return numAffectedRows > 0n
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
export async function conclude(
  { db, clock }: Context<Tx>,
  held: Held & Pick<StoredExecution, 'updated_at'>,
  end: End,
): Promise<StoredExecution | undefined> {
  const now = clock()
  const times = end.status === 'pending' ? {} : { due_at: null, ended_at: now }
  return db
    .updateTable('report_executions')
    .set({ ...end, ...times, leased_until: null, updated_at: laterThan(held, now) })
    .where('id', '=', held.id)
    .where('fence', '=', held.fence)
    .where('due_at', 'is not', null)
    .returning(COLUMNS)
    .executeTakeFirst()
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

export async function nextDueAt({ db }: Context): Promise<Date | null> {
  const next = await db
    .selectFrom('report_executions')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return next?.due_at ?? null
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
