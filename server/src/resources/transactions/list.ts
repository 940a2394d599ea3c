import { sql } from 'kysely'
import type { ListedTransaction } from '#payments/show.ts'
import { SUMMARY_COLUMNS } from '#payments/store/columns.ts'
import { LISTED } from '#payments/store/marks.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { listFiltered } from '#platform/listing/list-filtered.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { ReadTable } from '#platform/listing/table.ts'
import { readFilters } from './filters/read-filters.ts'
import type { TransactionFilters } from './filters/schemas.ts'

const COLUMNS = sql.raw(SUMMARY_COLUMNS.map((name) => `transactions.${name}`).join(', '))

const TABLE: ReadTable<ListedTransaction> = {
  ...LISTED,
  read: (keys) => sql<ListedTransaction>`
    select ${COLUMNS}, document.*, service.service
    from (${keys}) as page
    join transactions
      on transactions.merchant_account_id = page.merchant_account_id and transactions.id = page.id
    join transaction_documents
      on transaction_documents.merchant_account_id = page.merchant_account_id and transaction_documents.id = page.id
    cross join lateral jsonb_to_record(transaction_documents.document) as document
      (payment_method jsonb, instrument_type text, buyer jsonb, shipping_details jsonb)
    left join lateral (
      select json_build_object('id', id, 'payment_service_definition_id', payment_service_definition_id,
        'method', payment_services.method, 'display_name', display_name) as service
      from payment_services where payment_services.id = transactions.payment_service_id
    ) as service on true`,
}

/** Newest first. `platform/listing` says how the rows are found. */
export function listTransactions(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { cursor, limit, ...given }: TransactionFilters,
): Promise<Collection<ListedTransaction>> {
  const list = { name: 'transactions', page: { cursor, limit }, mac: secrets.mac, table: TABLE }
  return listFiltered(list, { db, reach, ...readFilters(given) })
}
