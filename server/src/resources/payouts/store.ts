import { type RawBuilder, sql } from 'kysely'
import type { BuyerSnapshot, PaymentMethodSnapshot } from '#payments/document.ts'
import { write, writeOrFail } from '#platform/database/brief-transaction.ts'
import { Overtaken } from '#platform/database/database-errors.ts'
import type { Scope, Tables, Tx } from '#platform/database/db.ts'
import { insertInto, updateReturning, updateTable } from '#platform/database/statements.ts'
import * as marks from '#platform/listing/marks.ts'
import type { ListedTable } from '#platform/listing/table.ts'
import { laterThan } from '#platform/process/clock.ts'
import type { NewPayoutMerchant, Payout, PayoutStatus } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payouts: {
      merchant_account_id: string
      id: string
      amount: number
      currency: string
      category: Payout['category']
      external_identifier: string | null
      payment_service_id: string
      document: Document
      status: PayoutStatus
      payment_service_payout_id: string | null
      updated_at: Date
    }
    payout_marks: { merchant_account_id: string; mark: string; id: string }
    payout_updates: { merchant_account_id: string; id: string; updated_at: Date }
  }
}

/** Who gets the money, at that time: later changes of the buyer or the stored card do not show. No card number. */
type Document = {
  readonly payment_method: PaymentMethodSnapshot
  readonly buyer: BuyerSnapshot | null
  readonly merchant: NewPayoutMerchant | null
  readonly connection_options: Readonly<Record<string, unknown>> | null
}

export type StoredPayout = Tables['payouts']

export const COLUMNS = [
  'merchant_account_id',
  'id',
  'amount',
  'currency',
  'category',
  'external_identifier',
  'payment_service_id',
  'document',
  'status',
  'payment_service_payout_id',
  'updated_at',
] as const

export const LISTED: ListedTable = { name: 'payouts', marks: 'payout_marks' }

export function markOf(kind: 'status' | 'service-payout', value: string): string {
  return marks.markOf(kind, value)
}

/** Takes a `Tx`, so that a payout and its attempt are recorded together before the service is asked. */
export async function insert(tx: Scope<Tx>, payout: StoredPayout): Promise<void> {
  const { merchant_account_id, id, updated_at } = payout
  const row = { ...payout, document: JSON.stringify(payout.document) as never }
  await write(tx, insertInto('payouts', row))
  await write(tx, insertInto('payout_updates', { merchant_account_id, id, updated_at }))
  await marks.insertMarks(tx, LISTED, payout, marksOf(payout))
}

export async function find(scope: Scope, id: string): Promise<StoredPayout | undefined> {
  return (await select(scope, id)).rows[0]
}

/** Locks the row, so that a payout is concluded once. */
export async function lock(tx: Scope<Tx>, id: string): Promise<StoredPayout | undefined> {
  return (await select(tx, id, sql`for update`)).rows[0]
}

type Change = Partial<Pick<StoredPayout, 'status' | 'payment_service_payout_id'>>

/**
 * Changes a payout as it was read. If another process was faster, the transaction ends with `Overtaken`.
 */
export async function change(tx: Scope<Tx>, before: StoredPayout, change: Change): Promise<StoredPayout> {
  const updated_at = laterThan(before, tx.clock())
  const after = { ...before, ...change, updated_at }
  const { merchant_account_id, id, status } = before
  const isThis = { merchant_account_id, id }
  const asItWas = { ...isThis, status, updated_at: before.updated_at }
  await writeOrFail(tx, updateReturning('payouts', { ...change, updated_at }, asItWas), () => new Overtaken())
  await write(tx, updateTable('payout_updates', { updated_at }, isThis))
  await marks.replaceMarks(tx, LISTED, before, { from: marksOf(before), to: marksOf(after) })
  return after
}

const FORGOTTEN = JSON.stringify({ buyer: null, connection_options: null })
const FORGOTTEN_METHOD = JSON.stringify({ fingerprint: null, external_identifier: null })

/** Takes the buyer out of its payouts that are decided. Returns their ids. */
export async function forgetBuyer(tx: Scope<Tx>, buyerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payouts set document = document || ${FORGOTTEN}::jsonb || jsonb_build_object(
      'payment_method', document -> 'payment_method' || ${FORGOTTEN_METHOD}::jsonb)
    where ${ofBuyer(tx, buyerId)} and status <> 'pending'
    returning id
  `.execute(tx.db)
  return rows.map(({ id }) => id)
}

/** A payout of the buyer that is not decided. */
export async function findOpen(scope: Scope, buyerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from payouts where ${ofBuyer(scope, buyerId)} and status = 'pending' limit 1
  `.execute(scope.db)
  return rows[0]?.id
}

export async function listOfBuyer(scope: Scope, buyerId: string): Promise<StoredPayout[]> {
  const { rows } = await sql<StoredPayout>`
    select ${sql.raw(COLUMNS.join(', '))} from payouts where ${ofBuyer(scope, buyerId)} order by id
  `.execute(scope.db)
  return rows
}

function ofBuyer({ merchantAccountId }: Scope, buyerId: string) {
  return sql`merchant_account_id = ${merchantAccountId} and document -> 'buyer' ->> 'id' = ${buyerId}`
}

function marksOf({ status, payment_service_payout_id: reference }: StoredPayout): string[] {
  return [markOf('status', status), ...(reference === null ? [] : [markOf('service-payout', reference)])]
}

function select({ db, merchantAccountId }: Scope, id: string, end: RawBuilder<unknown> = sql``) {
  return sql<StoredPayout>`
    select ${sql.raw(COLUMNS.join(', '))} from payouts
    where merchant_account_id = ${merchantAccountId} and id = ${id} ${end}
  `.execute(db)
}
