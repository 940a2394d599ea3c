import { sql } from 'kysely'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db, Scope } from '#platform/database/db.ts'
import { oldRows, retentionJob } from '#platform/database/retention.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import type { UnreachableReason } from '#platform/outgoing/outgoing.ts'
import type { PaymentKind } from '../attempts/store.ts'
import type { ShownRequest, ShownResponse } from './scrub.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    exchanges: StoredExchange
  }
}

export const PURPOSES = ['request', 'completion', 'inquiry'] as const
export const OUTCOMES = [
  'answered',
  'timed_out',
  'no_connection',
  'no_answer',
  'answer_cut',
  'answer_refused',
] as const

/** One request to a provider and its answer, with nothing in it that a merchant may not see. */
export type StoredExchange = {
  readonly merchant_account_id: string
  readonly transaction_id: string
  readonly id: string
  readonly attempt_id: string
  readonly operation: PaymentKind | 'authenticate'
  readonly purpose: (typeof PURPOSES)[number]
  readonly service_type: 'payment-service' | 'gift-card-service' | 'three-ds-service'
  readonly service_id: string
  readonly service_definition_id: string
  readonly request_id: string | null
  readonly outcome: (typeof OUTCOMES)[number]
  readonly reason: UnreachableReason | null
  readonly request: ShownRequest
  readonly response: ShownResponse | null
  readonly duration_ms: number
  readonly created_at: Date
}

const COLUMNS = [
  'id',
  'transaction_id',
  'attempt_id',
  'operation',
  'purpose',
  'service_type',
  'service_id',
  'service_definition_id',
  'request_id',
  'outcome',
  'reason',
  'request',
  'response',
  'duration_ms',
  'created_at',
] as const

export type ListedExchange = Pick<StoredExchange, (typeof COLUMNS)[number]>

/** Many of any accounts in one statement, which is the same text however many there are. */
export async function insert(db: Db, exchanges: readonly StoredExchange[]): Promise<void> {
  await sql`
    insert into exchanges (
      merchant_account_id, transaction_id, id, attempt_id, operation, purpose, service_type, service_id,
      service_definition_id, request_id, outcome, reason, request, response, duration_ms, created_at
    )
    select merchant_account_id, transaction_id, id, attempt_id, operation, purpose, service_type, service_id,
      service_definition_id, request_id, outcome, reason, request, response, duration_ms, created_at
    from json_to_recordset(${JSON.stringify(exchanges)}::json) as exchange (
      merchant_account_id text, transaction_id uuid, id uuid, attempt_id uuid, operation text, purpose text,
      service_type text, service_id uuid, service_definition_id text, request_id text, outcome text,
      reason text, request json, response json, duration_ms integer, created_at timestamptz
    )
  `.execute(db)
}

/** Newest first. Ids hold the time, and the primary key is sorted by them. */
export function list<Item>(
  { db, merchantAccountId }: Scope,
  secrets: Secrets,
  { transactionId, page }: { readonly transactionId: string; readonly page: Page },
  toItem: (exchange: ListedExchange) => Item,
): Promise<Collection<Item>> {
  const query = db
    .selectFrom('exchanges')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
  const name = `exchanges:${transactionId}`
  return paginate({ name, query, table: 'exchanges', page, mac: secrets.mac, key: ['id'] }, toItem)
}

/** Removes all exchanges about a payment. */
export async function removeOf({ db, merchantAccountId }: Scope, transactionId: string): Promise<void> {
  await db
    .deleteFrom('exchanges')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .execute()
}

type Needs = {
  readonly context: Context
  readonly engine: { readonly exchanges: { readonly retentionDays: number } }
}

export const purgeExchanges = retentionJob<Needs>({
  name: 'purge-old-exchanges',
  days: ({ engine }) => engine.exchanges.retentionDays,
  batch: 1_000,
  ...oldRows({
    table: 'exchanges',
    key: ['merchant_account_id', 'transaction_id', 'id'],
    column: 'created_at',
  }),
})
