import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { timeBounds } from '#platform/listing/bounds.ts'
import { inColumn, inMarkedColumn, inUpdates } from '#platform/listing/filters.ts'
import { listFiltered } from '#platform/listing/list-filtered.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { Filter, ReadTable } from '#platform/listing/table.ts'
import type { PayoutFilters } from './schemas.ts'
import type { Service } from './show.ts'
import { COLUMNS, LISTED, markOf, type StoredPayout } from './store.ts'

type ListedPayout = StoredPayout & { readonly service: Service }

const TABLE: ReadTable<ListedPayout> = {
  ...LISTED,
  read: (keys) => sql<ListedPayout>`
    select ${sql.raw(COLUMNS.map((column) => `payouts.${column}`).join(', '))},
      json_build_object('id', service.id, 'payment_service_definition_id', service.payment_service_definition_id,
        'display_name', service.display_name) as service
    from (${keys}) as page
    join payouts on payouts.merchant_account_id = page.merchant_account_id and payouts.id = page.id
    join payment_services as service on service.id = payouts.payment_service_id`,
}

/** Newest first. `platform/listing` says how the rows are found. */
export function listPayouts(
  { db, mac }: Context,
  reach: Reach,
  { cursor, limit, ...given }: PayoutFilters,
): Promise<Collection<ListedPayout>> {
  const list = { name: 'payouts', page: { cursor, limit }, mac, table: TABLE }
  return listFiltered(list, { db, reach, bounds: timeBounds(given), filters: readFilters(given) })
}

/** The filter that is likely to match the fewest payouts comes first. */
function readFilters(given: Omit<PayoutFilters, 'cursor' | 'limit'>): Filter[] {
  const { external_identifier: external, payment_service_payout_id: reference, status } = given
  return [
    ...(external === undefined
      ? []
      : [inColumn(LISTED, { name: 'external_identifier', type: 'text' }, [external])]),
    ...(reference === undefined
      ? []
      : [
          inMarkedColumn(LISTED, 'payment_service_payout_id', [reference], (value) =>
            markOf('service-payout', value),
          ),
        ]),
    ...(status === undefined
      ? []
      : [inMarkedColumn(LISTED, 'status', status, (value) => markOf('status', value))]),
    ...inUpdates(LISTED, 'payout_updates', given),
  ]
}
