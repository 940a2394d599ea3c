import { type Selectable, sql } from 'kysely'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { updateTable } from '#platform/database/statements.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { BuyerErasure } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    buyer_erasures: {
      merchant_account_id: string
      buyer_id: string
      id: string
      status: BuyerErasure['status']
      /** What belonged to the buyer, for the steps that are still to come. */
      payment_method_ids: string[]
      gift_card_ids: string[]
      shipping_details_ids: string[]
      payments: number
      payment_methods: number
      gift_cards: number
      /** Since when no payment names the buyer. */
      payments_erased_at: Date | null
      /** When the job looks at it next. Null once nothing is left to do. */
      due_at: Date | null
      created_at: Date
      updated_at: Date
      completed_at: Date | null
    }
  }
}

export type StoredErasure = Selectable<Tables['buyer_erasures']>

const rows = accountRows('buyer_erasures', [
  'buyer_id',
  'status',
  'payment_method_ids',
  'gift_card_ids',
  'shipping_details_ids',
  'payments',
  'payment_methods',
  'gift_cards',
  'payments_erased_at',
  'due_at',
  'completed_at',
])

type Belongings = Pick<StoredErasure, 'payment_method_ids' | 'gift_card_ids' | 'shipping_details_ids'>

export function insert(tx: Scope<Tx>, buyerId: string, belongings: Belongings): Promise<StoredErasure> {
  return rows.insert(tx, {
    buyer_id: buyerId,
    status: 'pending',
    ...belongings,
    payments: 0,
    payment_methods: belongings.payment_method_ids.length,
    gift_cards: belongings.gift_card_ids.length,
    due_at: tx.clock(),
  })
}

export function find(scope: Scope, buyerId: string): Promise<StoredErasure | undefined> {
  return rows.find(scope, { buyer_id: buyerId })
}

/** Locks the row, so that the end of an erasure is told once. */
export function lock(tx: Scope<Tx>, buyerId: string): Promise<StoredErasure | undefined> {
  return rows.lock(tx, { buyer_id: buyerId })
}

/** By account and buyer, which are the key: no index has the id alone. */
export async function update(
  { db, clock }: Context,
  before: StoredErasure,
  change: Partial<StoredErasure>,
): Promise<StoredErasure> {
  const { merchant_account_id, buyer_id } = before
  const changed = { ...change, updated_at: laterThan(before, clock()) }
  await updateTable('buyer_erasures', changed, { merchant_account_id, buyer_id }).execute(db)
  return { ...before, ...changed }
}

/** Erasures of all accounts that the job has something to do for, the oldest first. */
export function due({ db, clock }: Context, limit: number): Promise<StoredErasure[]> {
  return rows.select(db).where('due_at', '<=', clock()).orderBy('due_at').limit(limit).execute()
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(due_at) as at from buyer_erasures where due_at is not null`)
}

/** Counts one more payment that does not name the buyer any more. */
export async function countPayment({ db }: Context, erasure: StoredErasure): Promise<void> {
  await db
    .updateTable('buyer_erasures')
    .set((eb) => ({ payments: eb('payments', '+', 1) }))
    .where('merchant_account_id', '=', erasure.merchant_account_id)
    .where('buyer_id', '=', erasure.buyer_id)
    .execute()
}
