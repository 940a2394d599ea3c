import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type Context, type Tx, write } from '#platform/db.ts'

declare module '#platform/db.ts' {
  interface Tables {
    transaction_marks: { merchant_account_id: string; mark: string; id: string }
  }
}

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
  readonly outcome: { readonly three_d_secure?: unknown }
}

/** Longer values would not fit into an index; their hash does. */
const TEXT_MAX = 100

export function markOf(kind: Kind, value = ''): string {
  return `${kind}:${value.length > TEXT_MAX ? hash('sha256', value, 'base64url') : value}`
}

export function metadataMark(key: string, value: string): string {
  return markOf('metadata', hash('sha256', JSON.stringify([key, value]), 'base64url').slice(0, 22))
}

/** All marks of a payment: facts that change while it lives, or of which it has several. Only what is true is marked. */
export function of(row: Marked, metadata: Readonly<Record<string, string>> | null): string[] {
  const found = [markOf('status', row.status)]
  if (row.error_code !== null) found.push(markOf('error', row.error_code))
  if (row.payment_service_transaction_id !== null) {
    found.push(markOf('service-transaction', row.payment_service_transaction_id))
  }
  if (row.refunded_amount > 0 || row.has_gift_card_refunds) found.push(markOf('refunded'))
  if (row.pending_review) found.push(markOf('pending-review'))
  if (row.disputed) found.push(markOf('disputed'))
  if (row.outcome.three_d_secure) found.push(markOf('three-d-secure'))
  for (const [key, value] of Object.entries(metadata ?? {})) found.push(metadataMark(key, value))
  return found
}

export function insert(
  tx: Context<Tx>,
  { merchant_account_id, id }: Key,
  found: readonly string[],
): Promise<void> {
  const rows = sql`
    insert into transaction_marks (merchant_account_id, mark, id)
    select ${merchant_account_id}, mark, ${id}::uuid from unnest(${found}::text[]) as mark
    on conflict do nothing
  `
  return write(tx, rows)
}

export async function replace(
  tx: Context<Tx>,
  key: Key,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): Promise<void> {
  // Sets, because a payment can have thousands of notes, and nobody else is served while they are compared.
  const [before, after] = [new Set(from), new Set(to)]
  const gone = from.filter((mark) => !after.has(mark))
  const added = to.filter((mark) => !before.has(mark))
  if (gone.length > 0) {
    const rows = sql`
      delete from transaction_marks
      where merchant_account_id = ${key.merchant_account_id} and mark = any(${gone}::text[]) and id = ${key.id}
    `
    await write(tx, rows)
  }
  if (added.length > 0) await insert(tx, key, added)
}

/**
 * The condition that a payment has a mark, for a query that names `transactions`. Not as `exists`: PostgreSQL would at
 * times rather read all payments with the mark than look for it payment by payment.
 */
export function has(mark: string) {
  return sql<boolean>`(
    select true from transaction_marks as marked
    where marked.merchant_account_id = transactions.merchant_account_id and marked.mark = (select ${mark}::text)
      and marked.id = transactions.id
  ) is true`
}

/** The same, that it has all of them. None may be given twice. */
export function hasAll(found: readonly string[]) {
  return sql<boolean>`(
    select count(*) from transaction_marks as marked
    where marked.merchant_account_id = transactions.merchant_account_id and marked.id = transactions.id
      and marked.mark = any((select ${found}::text[])::text[])
  ) = (select ${found.length}::bigint)`
}
