import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate, paginateAccounts } from '#platform/listing/by-age.ts'
import { type Collection, turnPage } from '#platform/listing/pagination.ts'
import type { Buyer, BuyerFilters } from './schemas.ts'
import { contains, searchBuyers } from './search.ts'
import * as buyers from './store.ts'

/**
 * Newest first. Each filter has its own way to the rows, so that a list costs no more among a million rows
 * than among a few.
 */
export function listBuyers(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { search, external_identifier, ...page }: BuyerFilters,
): Promise<Collection<Buyer>> {
  const list = { name: 'buyers', table: 'buyers', page, secrets } as const
  if (external_identifier !== undefined) {
    const query = buyers.selectByExternalIdentifier(db, reach, external_identifier)
    return paginate({ ...list, query: search ? query.where(contains(search)) : query }, buyers.toBuyer)
  }
  if (search) {
    return turnPage(list, (slice) => searchBuyers(db, { reach, text: search }, slice), buyers.toBuyer)
  }
  return paginateAccounts({ ...list, query: buyers.select(db) }, { db, reach }, buyers.toBuyer)
}
