import { newId } from '#domain/ids.ts'
import type { Scope, Tables, Tx } from '#platform/db.ts'
import type { Outcome } from '../store.ts'
import type { Refund } from './schemas.ts'

declare module '#platform/db.ts' {
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
      payment_service_refund_id: string | null
      error_code: string | null
      outcome: Outcome
      creator_id: string | null
      creator_name: string
      updated_at: Date
    }
  }
}

export type StoredRefund = Tables['refunds']

const COLUMNS = [
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
  'payment_service_refund_id',
  'error_code',
  'outcome',
  'creator_id',
  'creator_name',
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
>

export async function insert(
  { db, clock, actor, merchantAccountId }: Scope<Tx>,
  given: NewRefund,
): Promise<StoredRefund> {
  const now = clock()
  const refund: StoredRefund = {
    merchant_account_id: merchantAccountId,
    id: newId(now.getTime()),
    ...given,
    status: 'processing',
    payment_service_refund_id: null,
    error_code: null,
    outcome: {},
    creator_id: actor.id,
    creator_name: actor.name,
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
  const { outcome, ...columns } = { ...change, updated_at: clock() }
  await db
    .updateTable('refunds')
    .set({ ...columns, ...(outcome && { outcome: JSON.stringify(outcome) as never }) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('id', '=', before.id)
    .execute()
  return { ...before, ...columns, ...(outcome && { outcome }) }
}

export async function find({ db, merchantAccountId }: Scope, id: string): Promise<StoredRefund | undefined> {
  return db
    .selectFrom('refunds')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
    .executeTakeFirst()
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
