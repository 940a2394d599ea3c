import { sql } from 'kysely'
import { createdAt, firstIdOf } from '#domain/ids.ts'
import type { Context, Db } from '#platform/database/db.ts'
import { FREE } from '#platform/queue/queue.ts'
import type { ApiLogError } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    api_logs: StoredApiLog
  }
}

/** The account of rows that belong to none. */
export const INSTALLATION = ''

export type StoredApiLog = {
  readonly merchant_account_id: string
  readonly id: string
  readonly request_id: string
  readonly method: string
  readonly path: string
  readonly operation_id: string
  readonly status: number
  readonly duration_ms: number
  readonly caller_type: 'api-key-pair' | 'user' | null
  readonly caller_id: string | null
  readonly caller_name: string | null
  readonly has_idempotency_key: boolean
  readonly error: ApiLogError | null
}

export const COLUMNS = [
  'merchant_account_id',
  'id',
  'request_id',
  'method',
  'path',
  'operation_id',
  'status',
  'duration_ms',
  'caller_type',
  'caller_id',
  'caller_name',
  'has_idempotency_key',
  'error',
] as const

/** Many of any accounts in one statement, which is the same text however many there are. */
export async function insert(db: Db, rows: readonly StoredApiLog[]): Promise<void> {
  const columns = sql.join(COLUMNS.map((column) => sql.ref(column)))
  await sql`
    insert into api_logs (${columns})
    select ${columns} from json_to_recordset(${JSON.stringify(rows)}::json) as row (
      merchant_account_id text, id uuid, request_id text, method text, path text, operation_id text,
      status smallint, duration_ms integer, caller_type text, caller_id uuid, caller_name text,
      has_idempotency_key boolean, error json
    )
  `.execute(db)
}

export async function find(
  { db }: Context,
  accounts: readonly string[],
  id: string,
): Promise<StoredApiLog | undefined> {
  return db
    .selectFrom('api_logs')
    .select(COLUMNS)
    .where('merchant_account_id', 'in', accounts)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** One walk along the primary key for each account, so that no index by age is needed. */
const ACCOUNTS = sql`(select id from merchant_accounts union all select ${INSTALLATION}) as account`

/** Removes some that are older than that. Returns how many. */
export async function removeOld({ db }: Context, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from api_logs using (
      select account.id as merchant_account_id, found.id
      from ${ACCOUNTS} cross join lateral (
        select api_logs.id from api_logs
        where api_logs.merchant_account_id = account.id and api_logs.id < ${firstIdOf(before)}
        order by api_logs.id limit ${limit} ${FREE}
      ) as found
      limit ${limit}
    ) as old
    where api_logs.merchant_account_id = old.merchant_account_id and api_logs.id = old.id
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function oldest({ db }: Context): Promise<Date | null> {
  const { rows } = await sql<{ id: string }>`
    select found.id from ${ACCOUNTS} cross join lateral (
      select api_logs.id from api_logs where api_logs.merchant_account_id = account.id order by id limit 1
    ) as found
    order by found.id limit 1
  `.execute(db)
  return rows[0] ? createdAt(rows[0].id) : null
}
