import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { arrayOf } from '#platform/database/statements.ts'
import * as marks from '#platform/listing/marks.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    transaction_marks: { merchant_account_id: string; mark: string; id: string }
    transaction_statuses: { merchant_account_id: string; mark: string; id: string }
  }
}

/** The tables that filters and marks name. */
export const LISTED = {
  name: 'transactions',
  marks: 'transaction_marks',
  statuses: 'transaction_statuses',
} as const

type Kind =
  | 'status'
  | 'error'
  | 'service-transaction'
  | 'refunded'
  | 'pending-review'
  | 'disputed'
  | 'settled'
  | 'three-d-secure'
  | 'metadata'
  | 'gift-card'
  | 'gift-card-last4'

type Key = { readonly merchant_account_id: string; readonly id: string }
type Marked = {
  readonly status: string
  readonly error_code: string | null
  readonly payment_service_transaction_id: string | null
  readonly refunded_amount: number
  readonly has_gift_card_refunds: boolean
  readonly pending_review: boolean
  readonly disputed: boolean
  readonly settled_currency: string | null
  readonly outcome: { readonly three_d_secure?: unknown }
}

export function markOf(kind: Kind, value?: string): string {
  return marks.markOf(kind, value)
}

export function metadataMark(key: string, value: string): string {
  return markOf('metadata', hash('sha256', JSON.stringify([key, value]), 'base64url').slice(0, 22))
}

/**
 * All marks of a payment: facts that change during its life, or of which it has several. Only true facts are
 * marked.
 */
export function of(row: Marked, metadata: Readonly<Record<string, string>> | null): string[] {
  const found = [markOf('status', row.status)]
  if (row.error_code !== null) found.push(markOf('error', row.error_code))
  if (row.payment_service_transaction_id !== null) {
    found.push(markOf('service-transaction', row.payment_service_transaction_id))
  }
  if (row.refunded_amount > 0 || row.has_gift_card_refunds) found.push(markOf('refunded'))
  if (row.pending_review) found.push(markOf('pending-review'))
  if (row.disputed) found.push(markOf('disputed'))
  if (row.settled_currency !== null) found.push(markOf('settled'))
  if (row.outcome.three_d_secure) found.push(markOf('three-d-secure'))
  for (const [key, value] of Object.entries(metadata ?? {})) found.push(metadataMark(key, value))
  return found
}

export function insertFirst(tx: Context<Tx>, key: Key, found: readonly string[]): Promise<void> {
  return marks.insertFirstMarks(tx, LISTED, key, found)
}

export function insert(tx: Context<Tx>, key: Key, found: readonly string[]): Promise<void> {
  return marks.insertMarks(tx, LISTED, key, found)
}

/**
 * One mark for many payments, whose locks the caller holds. Those that have it already keep it: they are looked up at once, which
 * costs half of what `on conflict` does for each row.
 */
export async function insertMany(
  { db, merchantAccountId }: Scope<Tx>,
  mark: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const found = arrayOf.uuid(ids)
  await sql`
    insert into transaction_marks (merchant_account_id, mark, id)
    select ${merchantAccountId}, ${mark}, id from unnest(${found}::uuid[]) as found (id)
    where id not in (
      select own.id from transaction_marks as own
      where own.merchant_account_id = ${merchantAccountId} and own.mark = ${mark} and own.id = any(${found}::uuid[])
    )
  `.execute(db)
}

export function replace(
  tx: Context<Tx>,
  key: Key,
  change: { readonly from: readonly string[]; readonly to: readonly string[] },
): Promise<void> {
  return marks.replaceMarks(tx, LISTED, key, change)
}
