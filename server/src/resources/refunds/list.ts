import { sql } from 'kysely'
import { toRefund } from '#payments/show.ts'
import { COLUMNS, type StoredRefund } from '#payments/store/refunds.ts'
import type { Context } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { timeBounds } from '#platform/listing/bounds.ts'
import { anyOf } from '#platform/listing/branches.ts'
import { inColumn } from '#platform/listing/filters.ts'
import { listFiltered } from '#platform/listing/list-filtered.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { Filter, ReadTable } from '#platform/listing/table.ts'
import type { Refund, RefundFilters } from '#resources/transactions/wire/refund.ts'

type ListedRefund = StoredRefund & { readonly transaction_external_identifier: string | null }

const TABLE: ReadTable<ListedRefund> = {
  name: 'refunds',
  read: (keys) => sql<ListedRefund>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(`refunds.${column}`)))},
      payment.external_identifier as transaction_external_identifier
    from (${keys}) as page
    join refunds on refunds.merchant_account_id = page.merchant_account_id and refunds.id = page.id
    join transactions as payment
      on payment.merchant_account_id = refunds.merchant_account_id and payment.id = refunds.transaction_id`,
}

/** Refunds of any payment, newest first. `platform/listing` says how the rows are found. */
export async function listRefunds(
  { db, mac }: Context,
  reach: Reach,
  { cursor, limit, ...given }: RefundFilters,
): Promise<Collection<Refund>> {
  const list = { name: 'refunds', page: { cursor, limit }, mac, table: TABLE }
  const wanted = { db, reach, bounds: timeBounds(given), filters: readFilters(given) }
  const page = await listFiltered(list, wanted)
  return { ...page, items: page.items.map(showListed) }
}

/** The filter that is likely to match the fewest refunds comes first. */
function readFilters({
  external_identifier: external,
  transaction_id: payment,
  status,
  currency,
}: Partial<RefundFilters>): Filter[] {
  return [
    ...(external === undefined
      ? []
      : [inColumn(TABLE, { name: 'external_identifier', type: 'text' }, [external])]),
    ...(payment === undefined ? [] : [inColumn(TABLE, { name: 'transaction_id', type: 'uuid' }, [payment])]),
    ...(status === undefined ? [] : [inColumn(TABLE, { name: 'status', type: 'text' }, status)]),
    ...(currency === undefined ? [] : [{ sql: sql<boolean>`refunds.currency = ${anyOf(currency, 'text')}` }]),
  ]
}

function showListed({
  transaction_external_identifier: external_identifier,
  ...refund
}: ListedRefund): Refund {
  return toRefund({ id: refund.transaction_id, external_identifier }, refund)
}
