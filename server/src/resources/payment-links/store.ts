import { type Selectable, sql } from 'kysely'
import type { ContactField } from '#domain/contact.ts'
import { newId } from '#domain/ids.ts'
import type { BuyerSnapshot, ShippingSnapshot } from '#payments/document.ts'
import { write } from '#platform/database/brief-transaction.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { insertInto, updateTable } from '#platform/database/statements.ts'
import { insertMarks, markOf, replaceMarks } from '#platform/listing/marks.ts'
import { laterThan } from '#platform/process/clock.ts'
import type {
  Intent,
  NewCartItem,
  NewStatementDescriptor,
  PaymentSource,
} from '#resources/transactions/wire/order.ts'
import type { PaymentLinkStatus } from './schemas.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    payment_links: {
      merchant_account_id: string
      id: string
      amount: number
      currency: string
      country: string
      intent: Intent
      payment_source: PaymentSource
      store: boolean
      external_identifier: string | null
      buyer_id: string | null
      document: LinkDocument
      status: PaymentLinkStatus
      transaction_id: string | null
      tries: number
      last_transaction_id: string | null
      last_attempt: string | null
      expires_at: Date
      due_at: Date | null
      updated_at: Date
    }
    payment_link_times: { merchant_account_id: string; id: string; updated_at: Date; due_at: Date | null }
    payment_link_marks: { merchant_account_id: string; mark: string; id: string }
  }
}

/** What the merchant said about the link and no list filters by. Written once. */
export type LinkDocument = {
  readonly buyer: BuyerSnapshot | null
  readonly shipping_details: ShippingSnapshot | null
  readonly cart_items: readonly NewCartItem[] | null
  readonly metadata: Readonly<Record<string, unknown>> | null
  readonly statement_descriptor: NewStatementDescriptor | null
  readonly connection_options: Readonly<Record<string, Record<string, unknown>>> | null
  readonly installment_count: number | null
  readonly locale: string | null
  readonly return_url: string | null
  /** Absent: none. */
  readonly required_fields?: readonly ContactField[]
  readonly merchant_name: string | null
  readonly merchant_url: string | null
  readonly merchant_banner_url: string | null
  readonly merchant_color: string | null
  readonly merchant_message: string | null
  readonly merchant_terms_and_conditions_url: string | null
  readonly merchant_favicon_url: string | null
}

export type StoredLink = Selectable<Tables['payment_links']>

/** The tables that filters and marks name. */
export const LISTED = { name: 'payment_links', marks: 'payment_link_marks' } as const

export const COLUMNS = [
  'payment_links.merchant_account_id',
  'payment_links.id',
  'payment_links.amount',
  'payment_links.currency',
  'payment_links.country',
  'payment_links.intent',
  'payment_links.payment_source',
  'payment_links.store',
  'payment_links.external_identifier',
  'payment_links.buyer_id',
  'payment_links.document',
  'payment_links.status',
  'payment_links.transaction_id',
  'payment_links.tries',
  'payment_links.last_transaction_id',
  'payment_links.last_attempt',
  'payment_links.expires_at',
  'payment_links.due_at',
  'payment_links.updated_at',
] as const

export type NewLink = Omit<
  StoredLink,
  | 'merchant_account_id'
  | 'id'
  | 'status'
  | 'transaction_id'
  | 'tries'
  | 'last_transaction_id'
  | 'last_attempt'
  | 'due_at'
  | 'updated_at'
>

export async function insert(tx: Scope<Tx>, now: Date, link: NewLink): Promise<StoredLink> {
  const row: StoredLink = {
    merchant_account_id: tx.merchantAccountId,
    id: newId(now.getTime()),
    ...link,
    status: 'active',
    transaction_id: null,
    tries: 0,
    last_transaction_id: null,
    last_attempt: null,
    due_at: link.expires_at,
    updated_at: now,
  }
  const { merchant_account_id, id, updated_at, due_at } = row
  await write(tx, insertInto('payment_links', { ...row, document: JSON.stringify(row.document) as never }))
  await write(tx, insertInto('payment_link_times', { merchant_account_id, id, updated_at, due_at }))
  await insertMarks(tx, LISTED, row, [statusMark(row.status)])
  return row
}

export async function find(scope: Scope, id: string): Promise<StoredLink | undefined> {
  return own(scope, id).executeTakeFirst()
}

/** Locks the row. All changes of a link wait for this lock, and decide by what they read under it. */
export async function lock(scope: Scope<Tx>, id: string): Promise<StoredLink | undefined> {
  return own(scope, id).forUpdate().executeTakeFirst()
}

export type Change = Partial<
  Pick<
    StoredLink,
    'status' | 'transaction_id' | 'tries' | 'last_transaction_id' | 'last_attempt' | 'expires_at'
  >
>

/** Changes a link that the caller has locked, and the marks and times by which lists and the job find it. */
export async function change(tx: Scope<Tx>, before: StoredLink, columns: Change): Promise<StoredLink> {
  const updated_at = laterThan(before, tx.clock())
  const changed = { ...before, ...columns, updated_at }
  const due_at = changed.status === 'active' ? changed.expires_at : null
  const isThis = { merchant_account_id: before.merchant_account_id, id: before.id }
  await write(tx, updateTable('payment_links', { ...columns, due_at, updated_at }, isThis))
  await write(tx, updateTable('payment_link_times', { updated_at, due_at }, isThis))
  const marks = { from: [statusMark(before.status)], to: [statusMark(changed.status)] }
  await replaceMarks(tx, LISTED, before, marks)
  return { ...changed, due_at }
}

const FORGOTTEN = JSON.stringify({
  buyer: null,
  shipping_details: null,
  metadata: null,
  connection_options: null,
})

/** Takes the buyer out of the links that were made for it, and out of these. Returns their ids. */
export async function forgetBuyer(
  { db, merchantAccountId }: Scope<Tx>,
  which: { readonly buyerId: string } | { readonly id: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update payment_links set buyer_id = null, document = document || ${FORGOTTEN}::jsonb
    where merchant_account_id = ${merchantAccountId}
      and ${'id' in which ? sql`id = ${which.id}` : sql`buyer_id = ${which.buyerId}`}
    returning id
  `.execute(db)
  return rows.map(({ id }) => id)
}

export function listOfBuyer({ db, merchantAccountId }: Scope, buyerId: string): Promise<StoredLink[]> {
  return db
    .selectFrom('payment_links')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .orderBy('id')
    .execute()
}

/** Links of all accounts whose time is over, the oldest first. */
export async function due(
  { db, clock }: Context,
  { limit, beyond }: { readonly limit: number; readonly beyond: Due | null },
): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select due_at, id, merchant_account_id from payment_link_times
    where due_at <= ${clock()}
      ${beyond ? sql`and (due_at, id) > (${beyond.due_at}, ${beyond.id})` : sql``}
    order by due_at, id limit ${sql.lit(limit)}
  `.execute(db)
  return rows
}

export function nextDueAt(context: Context): Promise<Date | null> {
  return earliest(context, sql`select min(due_at) as at from payment_link_times where due_at is not null`)
}

export type Due = { readonly due_at: Date; readonly id: string; readonly merchant_account_id: string }

export function statusMark(status: string): string {
  return markOf('status', status)
}

function own({ db, merchantAccountId }: Scope, id: string) {
  return db
    .selectFrom('payment_links')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', id)
}
