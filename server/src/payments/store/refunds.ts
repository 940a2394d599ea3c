import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import { addressOf } from '#resources/api-key-pairs/show-creator.ts'
import type { Refund } from '#resources/transactions/wire/refund.ts'
import type { Outcome } from './payments.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    refunds: {
      merchant_account_id: string
      id: string
      transaction_id: string
      payment_service_id: string | null
      status: Refund['status']
      amount: number
      currency: string
      target_type: Refund['target_type']
      target_id: string | null
      reason: string | null
      external_identifier: string | null
      /** The capture that the provider is asked to refund. */
      capture_id: string | null
      payment_service_refund_id: string | null
      error_code: string | null
      outcome: Outcome
      /** What has arrived, as the provider's reports say. A large number, which the driver reads as text. */
      settled_amount: string
      settled_currency: string | null
      creator_id: string | null
      creator_name: string
      /** Of a user. */
      creator_email_address: string | null
      updated_at: Date
    }
  }
}

export type StoredRefund = Tables['refunds']

export const COLUMNS = [
  'merchant_account_id',
  'id',
  'transaction_id',
  'payment_service_id',
  'status',
  'amount',
  'currency',
  'target_type',
  'target_id',
  'reason',
  'external_identifier',
  'capture_id',
  'payment_service_refund_id',
  'error_code',
  'outcome',
  'settled_amount',
  'settled_currency',
  'creator_id',
  'creator_name',
  'creator_email_address',
  'updated_at',
] as const

type NewRefund = Pick<
  StoredRefund,
  | 'transaction_id'
  | 'payment_service_id'
  | 'amount'
  | 'currency'
  | 'target_type'
  | 'target_id'
  | 'reason'
  | 'external_identifier'
> &
  Partial<Pick<StoredRefund, 'capture_id'>>

/** Takes out why the refunds of a payment were made, in people's words. Returns their ids. */
export async function forgetBuyer(
  { db, merchantAccountId }: Scope<Tx>,
  transactionId: string,
): Promise<string[]> {
  const rows = await db
    .updateTable('refunds')
    .set({ reason: null })
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function insert(
  { db, clock, actor, merchantAccountId }: Scope<Tx>,
  given: NewRefund,
): Promise<StoredRefund> {
  const now = clock()
  const refund: StoredRefund = {
    merchant_account_id: merchantAccountId,
    id: newId(now.getTime()),
    capture_id: null,
    ...given,
    status: 'processing',
    payment_service_refund_id: null,
    error_code: null,
    outcome: {},
    settled_amount: '0',
    settled_currency: null,
    creator_id: actor.id,
    creator_name: actor.name,
    creator_email_address: addressOf(actor),
    updated_at: now,
  }
  await db
    .insertInto('refunds')
    .values({ ...refund, outcome: JSON.stringify(refund.outcome) } as never)
    .execute()
  return refund
}

export async function change(
  { db, clock }: Scope<Tx>,
  before: StoredRefund,
  change: Partial<Pick<StoredRefund, 'status' | 'payment_service_refund_id' | 'error_code' | 'outcome'>>,
): Promise<StoredRefund> {
  const { outcome, ...columns } = { ...change, updated_at: laterThan(before, clock()) }
  await db
    .updateTable('refunds')
    .set({ ...columns, ...(outcome && { outcome: JSON.stringify(outcome) as never }) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('id', '=', before.id)
    .execute()
  return { ...before, ...columns, ...(outcome && { outcome }) }
}

/** Refunds by id, with their locks. The caller holds those of their payments. */
export async function lockMany(
  { db, merchantAccountId }: Scope<Tx>,
  ids: readonly string[],
): Promise<StoredRefund[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('refunds')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
}

type Settled = {
  readonly id: string
  readonly amount: number
  readonly currency: string
  readonly updatedAt: Date
}

/** Adds what a report says has been settled of these refunds. */
export async function addSettled(
  { db, merchantAccountId }: Scope<Tx>,
  settled: readonly Settled[],
): Promise<void> {
  if (settled.length === 0) return
  await sql`
    update refunds set settled_amount = settled_amount + added.amount,
      settled_currency = coalesce(settled_currency, added.currency), updated_at = added.updated_at
    from unnest(${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ amount }) => amount)}::bigint[],
      ${settled.map(({ currency }) => currency)}::text[], ${settled.map(({ updatedAt }) => updatedAt)}::timestamptz[])
      as added (id, amount, currency, updated_at)
    where refunds.merchant_account_id = ${merchantAccountId} and refunds.id = added.id
  `.execute(db)
}

export async function find({ db, merchantAccountId }: Scope, id: string): Promise<StoredRefund | undefined> {
  return db
    .selectFrom('refunds')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The refund that an attempt asks for. */
export async function ofAttempt(scope: Scope, { subject_id }: PaymentAttempt): Promise<StoredRefund> {
  const refund = await find(scope, subject_id ?? '')
  if (!refund) throw new Error('a refund was sent that is not on record')
  return refund
}

/** All refunds of a payment, newest first. */
export function listOf({ db, merchantAccountId }: Scope, transactionId: string): Promise<StoredRefund[]> {
  return db
    .selectFrom('refunds')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('transaction_id', '=', transactionId)
    .orderBy('id', 'desc')
    .execute()
}
