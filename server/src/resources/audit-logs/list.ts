import { sql } from 'kysely'
import type { Context, Db } from '#platform/db.ts'
import type { Reach } from '#platform/operation.ts'
import { type Collection, cut, overAllAccounts, type Slice, turnPage } from '#platform/pagination.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { AuditLog, AuditLogFilters } from './schemas.ts'
import { ENTRY_COLUMNS, type Entry } from './store.ts'

const TABLE = 'audit_logs'
/**
 * How many entries of all accounts are passed by age before each account is asked for its own. A value that is not found
 * so often is rare, and no account has many of it.
 */
const NEARBY = 5_000

/** Newest first. Entries of the whole installation are shown to callers who can reach every merchant account. */
export function listAuditLogs(
  { db }: Context,
  secrets: Secrets,
  reaches: Reaches,
  { cursor, limit, ...filters }: AuditLogFilters,
): Promise<Collection<AuditLog>> {
  const filterCount = Object.values(filters).filter((value) => value !== undefined).length
  const find = async (handle: Db, slice: Slice): Promise<Entry[]> => {
    if (reaches.reach === 'all') {
      if (filterCount === 0) return newest(handle, slice).execute()
      const found = await amongTheNewest(handle, filters, slice)
      if (found.length === slice.limit) return found
    }
    return ofAccounts(handle, select(handle).where(fits(filters)), reaches, slice)
  }
  return turnPage(
    { name: 'audit-logs', page: { cursor, limit }, secrets },
    (slice) => (filterCount > 1 ? plannedAnew(db, (tx) => find(tx, slice)) : find(db, slice)),
    toAuditLog,
  )
}

type Reaches = { readonly reach: Reach; readonly callerReach: Reach }
type Filters = Omit<AuditLogFilters, 'cursor' | 'limit'>

/** Over all accounts, whatever they are about. */
function newest(db: Db, slice: Slice) {
  return cut<Entry>(select(db).where(overAllAccounts(TABLE)), TABLE, slice)
}

function amongTheNewest(db: Db, filters: Filters, slice: Slice): Promise<Entry[]> {
  const walked = sql<Entry>`(${newest(db, { ...slice, limit: NEARBY })})`
  const found = db.selectFrom(walked.as(TABLE)).selectAll(TABLE).where(fits(filters))
  return cut<Entry>(found, TABLE, { ...slice, position: undefined }).execute()
}

function select(db: Db) {
  return (
    db
      .selectFrom(TABLE)
      .select(ENTRY_COLUMNS)
      // Written out: an index with this condition does not fit a value that is not known when the plan is made.
      .where('action', '<>', sql.lit('revealed'))
  )
}

function fits({ action, user_id, resource_type }: Filters) {
  const conditions = [
    sql`true`,
    ...(action === undefined ? [] : [sql`audit_logs.action = ${action}`]),
    ...(user_id === undefined ? [] : [sql`audit_logs.actor_id = ${user_id}`]),
    ...(resource_type === undefined ? [] : [sql`audit_logs.resource_type = ${resource_type}`]),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
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
): Promise<Entry[]> {
  const accounts =
    reach === 'all'
      ? sql`(select id from merchant_accounts) as selected`
      : sql`unnest(${reach}::text[]) as selected(id)`
  const own = cut<Entry>(
    query.where(sql<boolean>`audit_logs.merchant_account_id = selected.id`),
    TABLE,
    slice,
  )
  // The first column of the order is null in all of them. It is there because the planner takes an index for ordered
  // only if the order names the column that is null.
  const ofNone = cut<Entry>(
    query
      .where('merchant_account_id', 'is', null)
      .orderBy('merchant_account_id', slice.direction === 'desc' ? 'asc' : 'desc'),
    TABLE,
    slice,
  )
  const installation = callerReach === 'all' ? sql`union all (${ofNone})` : sql``
  const found = sql<Entry>`(
    select found.* from ${accounts} cross join lateral (${own}) as found
    ${installation}
  )`
  const page = db.selectFrom(found.as(TABLE)).selectAll(TABLE)
  return cut<Entry>(page, TABLE, { ...slice, position: undefined }).execute()
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

function toAuditLog(entry: Entry): AuditLog {
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
