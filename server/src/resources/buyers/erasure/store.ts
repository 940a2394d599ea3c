import { type Selectable, sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
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
const COLUMNS = [
  'merchant_account_id',
  'buyer_id',
  'id',
  'status',
  'payment_method_ids',
  'gift_card_ids',
  'shipping_details_ids',
  'payments',
  'payment_methods',
  'gift_cards',
  'payments_erased_at',
  'due_at',
  'created_at',
  'updated_at',
  'completed_at',
] as const

type Belongings = Pick<StoredErasure, 'payment_method_ids' | 'gift_card_ids' | 'shipping_details_ids'>

export async function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  buyerId: string,
  belongings: Belongings,
): Promise<StoredErasure> {
  const now = clock()
  return db
    .insertInto('buyer_erasures')
    .values({
      merchant_account_id: merchantAccountId,
      buyer_id: buyerId,
      id: newId(now.getTime()),
      status: 'pending',
      ...belongings,
      payments: 0,
      payment_methods: belongings.payment_method_ids.length,
      gift_cards: belongings.gift_card_ids.length,
      payments_erased_at: null,
      due_at: now,
      created_at: now,
      updated_at: now,
      completed_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function find(scope: Scope, buyerId: string): Promise<StoredErasure | undefined> {
  return own(scope, buyerId).executeTakeFirst()
}

/** Locks the row, so that the end of an erasure is told once. */
export function lock(tx: Scope<Tx>, buyerId: string): Promise<StoredErasure | undefined> {
  return own(tx, buyerId).forUpdate().executeTakeFirst()
}

/** Erasures of all accounts that the job has something to do for, the oldest first. */
export function due({ db, clock }: Context, limit: number): Promise<StoredErasure[]> {
  return db
    .selectFrom('buyer_erasures')
    .select(COLUMNS)
    .where('due_at', '<=', clock())
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(due_at) as at from buyer_erasures where due_at is not null`)
}

type Change = Partial<Omit<StoredErasure, 'merchant_account_id' | 'buyer_id' | 'id' | 'created_at'>>

export async function change(
  { db, clock }: Context,
  before: StoredErasure,
  change: Change,
): Promise<StoredErasure> {
  return db
    .updateTable('buyer_erasures')
    .set({ ...change, updated_at: laterThan(before, clock()) })
    .where('merchant_account_id', '=', before.merchant_account_id)
    .where('buyer_id', '=', before.buyer_id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Counts one more payment that does not name the buyer any more. */
export async function countPayment({ db }: Context, { id }: Pick<StoredErasure, 'id'>): Promise<void> {
  await db
    .updateTable('buyer_erasures')
    .set((eb) => ({ payments: eb('payments', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

function own({ db, merchantAccountId }: Scope, buyerId: string) {
  return db
    .selectFrom('buyer_erasures')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
}
