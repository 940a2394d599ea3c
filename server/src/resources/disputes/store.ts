import { type RawBuilder, sql } from 'kysely'
import type { DisputeStage } from '#connectors/contract/connector.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { insertInto } from '#platform/database/statements.ts'
import { hidden } from '#platform/listing/branches.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    disputes: {
      merchant_account_id: string
      id: string
      payment_service_id: string
      transaction_id: string
      external_identifier: string | null
      movements: readonly string[]
      steps: readonly Step[]
      stage: DisputeStage
      /** Large numbers, which the driver reads as text. */
      amount: string | null
      currency: string | null
      reason_code: string | null
      reason_description: string | null
      respond_by: Date | null
      opened_at: Date
      updated_at: Date
      /** What the merchant has answered last. */
      answer: DisputeAnswer | null
    }
  }
}

/** What a provider told once, as the API shows it. */
export type Step = {
  /** Null: the dispute stayed where it was. */
  readonly stage: DisputeStage | null
  readonly provider_stage: string | null
  readonly amount: number | null
  readonly currency: string | null
  readonly reason_code: string | null
  readonly reason_description: string | null
  readonly respond_by: string | null
  readonly posted_at: string
  readonly created_at: string
}

/** What the merchant has answered, at which stage, and how it ended. Of evidence its names and sizes alone. */
export type DisputeAnswer = {
  readonly attempt_id: string
  readonly act: 'accept' | 'defend'
  readonly stage: DisputeStage
  /** `unknown`: nobody could say whether the service has it, and we ask no more. */
  readonly status: 'processing' | 'succeeded' | 'declined' | 'failed' | 'unknown'
  readonly error_code: string | null
  readonly evidence: readonly SentEvidence[]
  readonly created_at: string
  readonly updated_at: string
}

type SentEvidence = {
  readonly name: string
  /** Null: it is a text. */
  readonly content_type: string | null
  readonly bytes: number
}

export type StoredDispute = Tables['disputes']

const COLUMNS = [
  'merchant_account_id',
  'id',
  'payment_service_id',
  'transaction_id',
  'external_identifier',
  'movements',
  'steps',
  'stage',
  'amount',
  'currency',
  'reason_code',
  'reason_description',
  'respond_by',
  'opened_at',
  'updated_at',
  'answer',
] as const

/** All disputes of payments, the oldest first. The payments are locked, so nobody else changes them. */
export async function listOf(
  { db, merchantAccountId }: Scope<Tx>,
  transactionIds: readonly string[],
): Promise<StoredDispute[]> {
  const { rows } = await sql<StoredDispute>`
    select ${sql.raw(COLUMNS.join(', '))} from disputes
    where merchant_account_id = ${merchantAccountId} and transaction_id = any(${transactionIds}::uuid[])
    order by id
  `.execute(db)
  return rows
}

/** The payment of a dispute that the service has told of before. */
export async function findPayment(
  { db, merchantAccountId }: Scope,
  paymentServiceId: string,
  externalIdentifier: string,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('disputes')
    .select('transaction_id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('payment_service_id', '=', paymentServiceId)
    .where('external_identifier', '=', externalIdentifier)
    .executeTakeFirst()
  return found?.transaction_id
}

export async function insert({ db }: Scope<Tx>, dispute: StoredDispute): Promise<void> {
  await insertInto('disputes', { ...dispute, steps: written(dispute) }).execute(db)
}

export async function update(
  { db, merchantAccountId }: Scope<Tx>,
  { merchant_account_id: _account, id, ...change }: StoredDispute,
): Promise<void> {
  await db
    .updateTable('disputes')
    .set({ ...change, steps: sql`${written(change)}::jsonb` })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .execute()
}

/** The driver would write a list as an array of PostgreSQL. */
function written({ steps }: Pick<StoredDispute, 'steps'>): readonly Step[] {
  return JSON.stringify(steps) as unknown as readonly Step[]
}

function shown({ db, merchantAccountId }: Scope) {
  return db.selectFrom('disputes').select(COLUMNS).where('merchant_account_id', '=', merchantAccountId)
}

export function find(scope: Scope, id: string): Promise<StoredDispute | undefined> {
  return shown(scope).where('id', '=', id).executeTakeFirst()
}

/** For callers that hold the lock of its payment, which comes first. */
export function lock(tx: Scope<Tx>, id: string): Promise<StoredDispute | undefined> {
  return shown(tx).where('id', '=', id).forUpdate().executeTakeFirst()
}

export type Wanted = {
  readonly stage?: DisputeStage | undefined
  readonly transaction_id?: string | undefined
}

export function list(scope: Scope, wanted: Wanted, page: Page): Promise<Collection<StoredDispute>> {
  let query = shown(scope).select(sql<Date>`opened_at`.as('created_at'))
  if (wanted.stage !== undefined) query = query.where('stage', '=', wanted.stage)
  if (wanted.transaction_id !== undefined) query = query.where('transaction_id', '=', wanted.transaction_id)
  const along = { name: 'disputes', query, table: 'disputes', page, mac: scope.mac, key: ['id'] } as const
  return paginate(along, (row) => row)
}

/** Disputes that can be answered before the bank has taken the money, or once more, the most urgent first. */
export function toAnswer(
  { clock, merchantAccountId }: Pick<Scope, 'clock' | 'merchantAccountId'>,
  limit: number,
): RawBuilder<{ id: string; parent: string | null; at: Date | null; due: Date | null }> {
  return sql`
    select id, transaction_id::text as parent, opened_at as at, respond_by as due from disputes
    where merchant_account_id = ${hidden(merchantAccountId, 'text')}
      and stage in ('inquiry', 'notification', 'arbitration') and respond_by > ${clock()}
      and not (answer is not null and answer ->> 'stage' = stage and answer ->> 'status' in ('processing', 'succeeded'))
    order by respond_by limit ${sql.lit(limit)}`
}

/** Notes that the deadline was told. False: it was, it is over, or the dispute was answered at its stage. */
export async function markReminded(
  { db, merchantAccountId, clock }: Scope<Tx>,
  id: string,
): Promise<boolean> {
  const { rows } = await sql<{ is_answered: boolean }>`
    update disputes set reminded_for = respond_by
    where merchant_account_id = ${merchantAccountId} and id = ${id}
      and respond_by > ${clock()} and reminded_for is distinct from respond_by
    returning coalesce(answer ->> 'stage' = stage and answer ->> 'status' in ('processing', 'succeeded'), false) as is_answered
  `.execute(db)
  return rows[0]?.is_answered === false
}
