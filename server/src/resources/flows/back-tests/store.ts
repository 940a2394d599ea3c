import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import * as queue from '#platform/queue/queue.ts'
import type { StoredRule } from '../schemas.ts'
import { type BackTestStatus, FAILED, OPEN, PENDING, RUNNING, SUCCEEDED } from './schemas.ts'
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
export function list({ db, mac, merchantAccountId }: Scope, page: Page) {
  const query = db
    .selectFrom('flow_back_tests')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
  return paginate(
    { name: 'flow-back-tests', query, table: 'flow_back_tests', page, mac },
    (row) => row,
  ) satisfies Promise<Collection<unknown>>
}

const QUEUE: queue.Queue<StoredBackTest, 'id' | 'status' | 'done_through'> & { readonly leaseMs: number } = {
  table: 'flow_back_tests',
  key: ['id'],
  columns: COLUMNS,
  open: sql`status = any(${OPEN})`,
  due: 'created_at',
  leaseMs: 60_000,
  // Written only by the worker that has read what it changes.
  fence: ['status', 'done_through'],
}

/** Takes the oldest that waits, or whose worker has died. */
export async function take(context: Context): Promise<StoredBackTest | undefined> {
  const set = sql`status = ${RUNNING}, tries = tries + 1`
  const [taken] = await queue.take(context, QUEUE, { limit: 1, set })
  return taken
}

/** False: another worker has gone on. */
export function note(
  context: Context,
  test: StoredBackTest,
  progress: {
    readonly total: number
    readonly done: number
    readonly through: string
    readonly tally: Tally
  },
): Promise<boolean> {
  return queue.keep(context, QUEUE, test, {
    total: String(progress.total),
    done: String(progress.done),
    done_through: progress.through,
    tally: sql<Tally>`${JSON.stringify(progress.tally)}::jsonb`,
  })
}

export async function finish(
  context: Context,
  test: StoredBackTest,
  failureReason: string | null,
): Promise<void> {
  await queue.giveBack(context, QUEUE, test, {
    status: failureReason === null ? SUCCEEDED : FAILED,
    failure_reason: failureReason,
    finished_at: context.clock(),
    total: sql<string>`coalesce(total, 0)`,
  })
}

/** Another worker may take it at once. */
export async function release(context: Context, test: StoredBackTest): Promise<void> {
  await queue.giveBack(context, QUEUE, test, { tries: sql<number>`greatest(tries - 1, 0)` })
}
