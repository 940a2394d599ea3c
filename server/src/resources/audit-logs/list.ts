import { sql } from 'kysely'
import type { Context, Db } from '../../platform/db.ts'
import type { Reach } from '../../platform/operation.ts'
import { type Collection, cut, overAllAccounts, type Slice, turnPage } from '../../platform/pagination.ts'
import type { Secrets } from '../../platform/secrets.ts'
import type { AuditLog, AuditLogFilters } from './schemas.ts'
import type { Entry } from './store.ts'

const TABLE = 'audit_logs'

/** Newest first. Entries of the whole installation are shown to callers who can reach every merchant account. */
export function listAuditLogs(
  { db }: Context,
  secrets: Secrets,
  reaches: Reaches,
  { cursor, limit, ...filters }: AuditLogFilters,
): Promise<Collection<AuditLog>> {
  const filterCount = Object.values(filters).filter((value) => value !== undefined).length
  const find = (handle: Db, slice: Slice): Promise<ListedEntry[]> => {
    const query = select(handle, filters)
    const isEverything = reaches.reach === 'all' && filterCount === 0
    if (isEverything) return cut<ListedEntry>(query.where(overAllAccounts(TABLE)), TABLE, slice).execute()
    return ofAccounts(handle, query, reaches, slice)
  }
  return turnPage(
    { name: 'audit-logs', page: { cursor, limit }, secrets },
    (slice) => (filterCount > 1 ? plannedAnew(db, (tx) => find(tx, slice)) : find(db, slice)),
    toAuditLog,
  )
}

type Reaches = { readonly reach: Reach; readonly callerReach: Reach }
type ListedEntry = Omit<Entry, 'request_id'>
type Filters = Omit<AuditLogFilters, 'cursor' | 'limit'>

function select(db: Db, { action, user_id, resource_type }: Filters) {
  let query = db
    .selectFrom(TABLE)
    .select([
      'id',
      'merchant_account_id',
      'action',
      'resource_type',
      'resource_id',
      'resource_name',
      'actor_id',
      'actor_name',
      'created_at',
    ])
    // Written out: an index with this condition does not fit a value that is not known when the plan is made.
    .where('action', '<>', sql.lit('revealed'))
  if (action !== undefined) query = query.where('action', '=', action)
  if (user_id !== undefined) query = query.where('actor_id', '=', user_id)
  if (resource_type !== undefined) query = query.where('resource_type', '=', resource_type)
  return query
}

/**
 * One index walk for each account, and one for the entries of none. A single walk by age would pass everybody's entries
 * to find those of a small account, or a value that is rare.
 */
async function ofAccounts(
  db: Db,
  query: ReturnType<typeof select>,
  { reach, callerReach }: Reaches,
  slice: Slice,
): Promise<ListedEntry[]> {
  const accounts =
    reach === 'all'
      ? sql`(select id from merchant_accounts) as selected`
      : sql`unnest(${reach}::text[]) as selected(id)`
  const own = cut<ListedEntry>(
    query.where(sql<boolean>`audit_logs.merchant_account_id = selected.id`),
    TABLE,
    slice,
  )
  // The first column of the order is null in all of them. It is there because the planner takes an index for ordered
  // only if the order names the column that is null.
  const ofNone = cut<ListedEntry>(
    query
      .where('merchant_account_id', 'is', null)
      .orderBy('merchant_account_id', slice.direction === 'desc' ? 'asc' : 'desc'),
    TABLE,
    slice,
  )
  const installation = callerReach === 'all' ? sql`union all (${ofNone})` : sql``
  const found = sql<ListedEntry>`(
    select found.* from ${accounts} cross join lateral (${own}) as found
    ${installation}
  )`
  const page = db.selectFrom(found.as(TABLE)).selectAll(TABLE)
  return cut<ListedEntry>(page, TABLE, { ...slice, position: undefined }).execute()
}

/**
 * With several filters, one index leads and its entries are held against the others. Which of them has the fewest, the
 * planner knows only when it looks at the values, which it stops doing for a statement that comes often.
 */
function plannedAnew<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx)
    return work(tx)
  })
}

function toAuditLog(entry: ListedEntry): AuditLog {
  return {
    type: 'audit-log',
    id: entry.id,
    merchant_account_id: entry.merchant_account_id,
    resource: { type: entry.resource_type, id: entry.resource_id, name: entry.resource_name },
    action: entry.action as AuditLog['action'],
    user: {
      type: 'user',
      id: entry.actor_id,
      name: entry.actor_name,
      email_address: null,
      is_staff: false,
      status: 'active',
    },
    timestamp: entry.created_at.toISOString(),
  }
}
