import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { timeBounds } from '#platform/listing/bounds.ts'
import { anyFilter, inColumn, inMarkedColumn, inRange, inUpdates } from '#platform/listing/filters.ts'
import { listFiltered } from '#platform/listing/list-filtered.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { Filter, ReadTable } from '#platform/listing/table.ts'
import { ofBuyersWith } from '#resources/buyers/filter-by-buyer.ts'
import type { PaymentLinkFilters, PaymentLinkStatus } from './schemas.ts'
import { COLUMNS, LISTED, type StoredLink, statusMark } from './store.ts'

const TABLE: ReadTable<StoredLink> = {
  ...LISTED,
  read: (keys) => sql<StoredLink>`
    select ${sql.raw(COLUMNS.join(', '))} from (${keys}) as page
    join payment_links
      on payment_links.merchant_account_id = page.merchant_account_id and payment_links.id = page.id`,
}
const TIMES = 'payment_link_times'
const AMOUNT_MAX = 2_147_483_647
const FIRST = new Date(0)

/** Newest first. `platform/listing` says how the rows are found. */
export function listLinks(
  { db, clock, mac }: Context,
  reach: Reach,
  { cursor, limit, ...given }: PaymentLinkFilters,
): Promise<Collection<StoredLink>> {
  const list = { name: 'payment-links', page: { cursor, limit }, mac, table: TABLE }
  const filters = [
    ...amount(given),
    ...currency(given),
    ...status(given.status, clock()),
    ...amounts(given),
    ...inUpdates(TABLE, TIMES, given),
    ...ofBuyersWith(TABLE, given.buyer_search),
  ]
  return listFiltered(list, { db, reach, filters, bounds: timeBounds(given) })
}

type Given = Omit<PaymentLinkFilters, 'cursor' | 'limit'>

function amount({ amount_eq }: Given): Filter[] {
  return amount_eq === undefined ? [] : [inColumn(TABLE, { name: 'amount', type: 'integer' }, [amount_eq])]
}

function currency({ currency: values }: Given): Filter[] {
  return values ? [inColumn(TABLE, { name: 'currency', type: 'text' }, values)] : []
}

/**
 * A link whose time is over may still be stored as active, until the job comes. It counts as expired. The job comes
 * often, so there are few of them.
 */
function status(wanted: readonly PaymentLinkStatus[] | undefined, now: Date): Filter[] {
  if (!wanted) return []
  const stored = inMarkedColumn(TABLE, 'status', wanted, statusMark)
  const overdue = inRange(TABLE, {
    column: 'due_at',
    type: 'timestamptz',
    indexedIn: TIMES,
    from: FIRST,
    to: now,
  })
  const [isActive, isExpired] = [wanted.includes('active'), wanted.includes('expired')]
  if (isActive === isExpired) return [stored]
  if (isExpired) return [anyFilter([stored, overdue])]
  return [stored, { sql: sql<boolean>`(${overdue.sql}) is not true` }]
}

function amounts({ amount_gte, amount_lte }: Given): Filter[] {
  if (amount_gte === undefined && amount_lte === undefined) return []
  const range = { from: amount_gte ?? 0, to: amount_lte ?? AMOUNT_MAX }
  return [inRange(TABLE, { column: 'amount', type: 'integer', ...range })]
}
