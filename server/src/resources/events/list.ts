import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { eachAccount } from '#platform/listing/branches.ts'
import { paginate, paginateAccounts, walkEach } from '#platform/listing/by-age.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/moments.ts'
import { type Collection, turnPage } from '#platform/listing/pagination.ts'
import type { EventFilters } from './schemas.ts'
import { COLUMNS, type StoredEvent } from './store.ts'

/** Which accounts' events the caller may see, and whether those of API keys are included. */
type Sight = { readonly reach: Reach; readonly seesKeys: boolean }

/**
 * Newest first. Each filter has its own way to the rows. Events of the whole installation are in the list of
 * all accounts.
 */
export function listEvents(
  { db }: Context,
  secrets: Secrets,
  { reach, seesKeys }: Sight,
  { name, target_id, created_at_gte, created_at_lte, ...page }: EventFilters,
): Promise<Collection<StoredEvent>> {
  const list = { name: 'events', table: 'events', page, secrets } as const
  const asIs = (row: StoredEvent) => row
  let query = select(db, seesKeys)
  if (created_at_gte !== undefined) {
    query = query.where('events.created_at', '>=', new Date(firstMsOf(created_at_gte, 'created_at_gte')))
  }
  if (created_at_lte !== undefined) {
    query = query.where('events.created_at', '<=', new Date(lastMsOf(created_at_lte, 'created_at_lte')))
  }
  if (name !== undefined) query = query.where('events.name', '=', name)
  if (target_id !== undefined) {
    query = query.where('events.target_id', '=', target_id)
    // A resource has few events. They are found before other filters apply.
    const visible = reach === 'all' ? query : query.where('events.merchant_account_id', 'in', reach)
    return paginate({ ...list, query: visible }, asIs)
  }
  if (name !== undefined && reach === 'all') {
    // One walk for each account: a single walk by age would read everything to find a rare name.
    const each = { merchant_account_id: eachAccount(reach) }
    const walks = { db, table: 'events', query, each, hasInstallation: true } as const
    return turnPage(list, (slice) => walkEach<StoredEvent>(walks, slice).execute(), asIs)
  }
  return paginateAccounts({ ...list, query }, { db, reach }, asIs)
}

/** Events of the whole installation are visible to keys that can reach every account. */
export function findEvent(
  { db }: Context,
  { reach, callerReach, seesKeys }: Sight & { readonly callerReach: Reach },
  id: string,
): Promise<StoredEvent | undefined> {
  const query = select(db, seesKeys).where('events.id', '=', id)
  if (reach === 'all') return query.executeTakeFirst()
  return query
    .where((eb) => {
      const own = eb('events.merchant_account_id', 'in', reach)
      return callerReach === 'all' ? eb.or([own, eb('events.merchant_account_id', 'is', null)]) : own
    })
    .executeTakeFirst()
}

function select(db: Db, seesKeys: boolean) {
  const query = db.selectFrom('events').select(COLUMNS)
  return seesKeys ? query : query.where('events.target_type', '<>', 'api-key-pair')
}
