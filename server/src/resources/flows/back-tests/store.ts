import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import type { StoredRule } from '../schemas.ts'
import { type BackTestStatus, FAILED, OPEN, PENDING, RUNNING, SUCCEEDED } from './state.ts'
import { emptyTally, type Tally } from './tally.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    flow_back_tests: {
      id: string
      merchant_account_id: string
      status: BackTestStatus
      version: number | null
      rules: readonly StoredRule[]
      created_at_gte: Date
      created_at_lte: Date
      /** Large numbers, which the driver reads as text. Null: not counted yet. */
      total: string | null
      done: string
      done_through: string | null
      tally: Tally
      failure_reason: string | null
      tries: number
      leased_until: Date | null
      created_at: Date
      finished_at: Date | null
    }
  }
}

const COLUMNS = [
  'id',
  'merchant_account_id',
  'status',
  'version',
  'rules',
  'created_at_gte',
  'created_at_lte',
  'total',
  'done',
  'done_through',
  'tally',
  'failure_reason',
  'tries',
  'created_at',
  'finished_at',
] as const

export type StoredBackTest = Awaited<ReturnType<typeof list>>['items'][number]

type New = Pick<StoredBackTest, 'version' | 'rules' | 'created_at_gte' | 'created_at_lte'>

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  test: New,
): Promise<StoredBackTest> {
  const now = clock()
  return db
    .insertInto('flow_back_tests')
    .values({
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      status: PENDING,
      ...test,
      rules: JSON.stringify(test.rules) as never,
      total: null,
      done: '0',
      done_through: null,
      tally: JSON.stringify(emptyTally()) as never,
      failure_reason: null,
      tries: 0,
      leased_until: null,
      created_at: now,
      finished_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function find({ db, merchantAccountId }: Scope, id: string): Promise<StoredBackTest | undefined> {
  return db
    .selectFrom('flow_back_tests')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function countOpen({ db, merchantAccountId }: Scope): Promise<number> {
  const { count } = await db
    .selectFrom('flow_back_tests')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('status', '=', sql<BackTestStatus>`any(${OPEN})`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Newest first. */
export function list({ db, merchantAccountId }: Scope, secrets: Secrets, page: Page) {
  const query = db
    .selectFrom('flow_back_tests')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
  return paginate(
    { name: 'flow-back-tests', query, table: 'flow_back_tests', page, secrets },
    (row) => row,
  ) satisfies Promise<Collection<unknown>>
}

const LEASE_SECONDS = 60

/** Takes the oldest that waits, or whose worker has died. */
export async function take({ db }: Context): Promise<StoredBackTest | undefined> {
  const { rows } = await sql<StoredBackTest>`
    update flow_back_tests
    set status = ${RUNNING}, tries = tries + 1, leased_until = ${LEASE}
    where id = (
      select id from flow_back_tests
      where status = any(${OPEN}) and (leased_until is null or leased_until <= now())
      order by created_at limit 1 for update skip locked
    )
    returning ${sql.join(COLUMNS.map((column) => sql.ref(column)))}
  `.execute(db)
  return rows[0]
}

const LEASE = sql`now() + ${sql.lit(LEASE_SECONDS)} * interval '1 second'`

/** Written only by the worker that has read what it changes. False: another worker has gone on. */
export async function note(
  { db }: Context,
  { id, done_through }: StoredBackTest,
  progress: {
    readonly total: number
    readonly done: number
    readonly through: string
    readonly tally: Tally
  },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update flow_back_tests
    set total = ${progress.total}, done = ${progress.done}, done_through = ${progress.through},
      tally = ${JSON.stringify(progress.tally)}::jsonb, leased_until = ${LEASE}
    where id = ${id} and status = ${RUNNING} and done_through is not distinct from ${done_through}::uuid
  `.execute(db)
  return numAffectedRows === 1n
}

export async function finish(
  { db, clock }: Context,
  { id, done_through }: StoredBackTest,
  failureReason: string | null,
): Promise<void> {
  await sql`
    update flow_back_tests
    set status = ${failureReason === null ? SUCCEEDED : FAILED}, failure_reason = ${failureReason},
      finished_at = ${clock()}, leased_until = null, total = coalesce(total, 0)
    where id = ${id} and status = ${RUNNING} and done_through is not distinct from ${done_through}::uuid
  `.execute(db)
}

/** Another worker may take it at once. */
export async function release({ db }: Context, { id }: Pick<StoredBackTest, 'id'>): Promise<void> {
  await sql`
    update flow_back_tests set leased_until = null, tries = greatest(tries - 1, 0)
    where id = ${id} and status = ${RUNNING}
  `.execute(db)
}
