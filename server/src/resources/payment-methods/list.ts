import { sql } from 'kysely'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { eachAccount, eachValue } from '#platform/listing/branches.ts'
import { paginateAccounts, walkEach } from '#platform/listing/by-age.ts'
import { type Collection, turnPage } from '#platform/listing/pagination.ts'
import type { PaymentMethodFilters } from './schemas.ts'
import { type StoredMethod, select } from './store.ts'

/** Stored payment methods, newest first. */
export function listPaymentMethods(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  filters: PaymentMethodFilters,
): Promise<Collection<StoredMethod>> {
  let query = select(db)
  // Always true. It is the condition of the index by status and age, which only a list over all accounts may
  // use. For the few rows of one account, the planner would sometimes walk the rows of all.
  if (reach === 'all' && filters.status) {
    query = query.where(sql<boolean>`payment_methods.created_at < 'infinity'`)
  }
  if (filters.buyer_id !== undefined) query = query.where('buyer_id', '=', filters.buyer_id)
  if (filters.external_identifier !== undefined) {
    query = query.where('payment_methods.external_identifier', '=', filters.external_identifier)
  }
  if (filters.buyer_external_identifier !== undefined) {
    const { buyer_external_identifier } = filters
    query = query.where('buyer_id', 'in', (eb) => {
      const buyers = eb
        .selectFrom('buyers')
        .select('buyers.id')
        .where('buyers.external_identifier', '=', buyer_external_identifier)
      return reach === 'all' ? buyers : buyers.where('buyers.merchant_account_id', 'in', reach)
    })
  }
  const list = { name: 'payment-methods', page: filters, secrets }
  const asIs = (row: StoredMethod) => row
  const { status } = filters
  if (!status) return paginateAccounts({ ...list, query, table: 'payment_methods' }, { db, reach }, asIs)
  const each = {
    status: eachValue([...new Set(status)], 'text'),
    ...(reach !== 'all' && { merchant_account_id: eachAccount(reach) }),
  }
  const walks = { db, table: 'payment_methods', query, each } as const
  return turnPage(list, (slice) => walkEach(walks, slice).execute(), asIs)
}
