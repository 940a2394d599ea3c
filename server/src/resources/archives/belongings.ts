import { sql } from 'kysely'
import { COLUMNS } from '#payments/store/columns.ts'
import * as marks from '#payments/store/marks.ts'
import type * as transactions from '#payments/store/payments.ts'
import * as redemptions from '#payments/store/redemptions.ts'
import type { Scope } from '#platform/database/db.ts'
import type { Share } from '#platform/portable/rows.ts'
import type { Table } from '#platform/portable/tables.ts'
import { tableNamed } from './move.ts'

/** What is needed to find every row of some payments. */
type Found = {
  readonly account: string
  readonly ids: readonly string[]
  /** Payments and refunds. */
  readonly settledIds: readonly string[]
  /** Marks have no index by payment. They follow from the payment: `marks` and `markedIds` belong together. */
  readonly marks: readonly string[]
  readonly markedIds: readonly string[]
}

type Find = (found: Found) => Share['where']

const byId: Find = ({ account, ids }) =>
  sql`own.merchant_account_id = ${account} and own.id = any(${ids}::uuid[])`
const byTransaction: Find = ({ account, ids }) =>
  sql`own.merchant_account_id = ${account} and own.transaction_id = any(${ids}::uuid[])`

/**
 * The tables with rows that belong to one payment, in an order in which they can be written: what a row refers to comes first.
 * They are removed in the opposite order.
 */
const TABLES: Readonly<Record<string, Find>> = {
  transactions: byId,
  transaction_documents: byId,
  transaction_updates: byId,
  transaction_marks: ({ account, marks: names, markedIds }) => sql`own.merchant_account_id = ${account}
    and (own.mark, own.id) in (select mark, id from unnest(${names}::text[], ${markedIds}::uuid[]) as known (mark, id))`,
  transaction_events: byTransaction,
  attempts: byTransaction,
  transaction_captures: byTransaction,
  gift_card_redemptions: byTransaction,
  refunds: byTransaction,
  payment_service_report_lines: (found) => sql`${byTransaction(found)} and own.transaction_id is not null`,
  exchanged_settlements: ({ account, settledIds }) =>
    sql`own.merchant_account_id = ${account} and own.id = any(${settledIds}::uuid[])`,
}

/** Every row of some payments, table by table. */
export async function sharesOf(
  scope: Scope,
  tables: readonly Table[],
  ids: readonly string[],
): Promise<Share[]> {
  const { merchantAccountId: account } = scope
  const known = await marksOf(scope, ids)
  const { rows: refunds } = await sql<{ id: string }>`
    select id from refunds where merchant_account_id = ${account} and transaction_id = any(${ids}::uuid[])
  `.execute(scope.db)
  const found: Found = {
    account,
    ids,
    settledIds: [...ids, ...refunds.map(({ id }) => id)],
    marks: known.map(({ mark }) => mark),
    markedIds: known.map(({ id }) => id),
  }
  return Object.entries(TABLES).map(([name, find]) => ({
    table: tableNamed(tables, name),
    where: find(found),
  }))
}

type Marked = transactions.Row & { readonly metadata: Readonly<Record<string, string>> | null }

/** As `payments/store/payments.ts` and `payments/begin.ts` write them. */
async function marksOf({ db, merchantAccountId, ...context }: Scope, ids: readonly string[]) {
  const { rows } = await sql<Marked>`
    select ${sql.raw(COLUMNS.join(', '))}, document -> 'metadata' as metadata from transactions
    join transaction_documents using (merchant_account_id, id)
    where merchant_account_id = ${merchantAccountId} and id = any(${ids}::uuid[])
  `.execute(db)
  const cards = await redemptions.listOfMany({ ...context, db }, ids)
  return [
    ...rows.flatMap((payment) =>
      marks.of(payment, payment.metadata).map((mark) => ({ id: payment.id, mark })),
    ),
    ...[...cards.values()]
      .flat()
      .flatMap(({ transaction_id: id, gift_card_id, last4 }) => [
        { id, mark: marks.markOf('gift-card-last4', last4) },
        ...(gift_card_id === null ? [] : [{ id, mark: marks.markOf('gift-card', gift_card_id) }]),
      ]),
  ]
}
