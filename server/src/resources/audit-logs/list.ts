import { sql } from 'kysely'
import type { Context, Db } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/bounds.ts'
import { eachAccount } from '#platform/listing/branches.ts'
import { cut, inOrder, overAllAccounts, walkEach } from '#platform/listing/by-age.ts'
import { type Collection, type Slice, turnPage } from '#platform/listing/pagination.ts'
import * as users from '#resources/users/store.ts'
import type { AuditLog, AuditLogFilters } from './schemas.ts'
import { ENTRY_COLUMNS, type Entry, OF_BUYERS } from './store.ts'

const TABLE = 'audit_logs'
/**
 * How many entries of all accounts are checked by age before each account's entries are walked. A value that
 * does not fill a page among these is rare, and no account has many of it.
 */
const NEARBY = 5_000

/** The types of entries about payments, and what belongs to them. An index has all others, which are few beside these. */
export const OF_PAYMENTS: readonly string[] = [
  'transaction',
  'refund',
  'payout',
  'payment-link',
  'checkout-session',
  'checkout-page',
  'chargeback-answer',
  'payment-service-token',
  'network-token',
  'gift-card-issuance',
  'gift-card-activation',
  'buyer-erasure',
  ...Object.values(OF_BUYERS),
]
const TYPES_OF_PAYMENTS = sql.raw(`('${OF_PAYMENTS.join("', '")}')`)

/** Newest first. Entries of the whole installation are shown to callers who can reach every merchant account. */
export async function listAuditLogs(
  context: Context,
  reaches: Reaches,
  { cursor, limit, ...filters }: AuditLogFilters,
): Promise<Collection<AuditLog>> {
  const { db } = context
  const { timestamp_gte, timestamp_lte, ...others } = filters
  const filterCount = Object.values(others).filter((value) => value !== undefined).length
  const find = async (handle: Db, slice: Slice): Promise<Entry[]> => {
    if (reaches.reach === 'all') {
      if (filterCount === 0) return newest(handle, filters, slice).execute()
      const found = await amongTheNewest(handle, filters, slice)
      if (found.length === slice.limit) return found
    }
    return ofAccounts(handle, reaches, filters, slice)
  }
  const page = await turnPage(
    { name: 'audit-logs', page: { cursor, limit }, mac: context.mac },
    (slice) => (filterCount > 1 ? plannedByValues(db, (tx) => find(tx, slice)) : find(db, slice)),
    toAuditLog,
  )
  return { ...page, items: await withUsers(context, page.items) }
}

/** Entries keep the id and the name of who made a change. What else is known of users is as it is now. */
async function withUsers(context: Context, items: readonly AuditLog[]): Promise<AuditLog[]> {
  const ids = [...new Set(items.flatMap(({ user }) => user.id ?? []))]
  const known = await users.named(context, ids)
  return items.map((item) => {
    const user = known.get(item.user.id ?? '')
    if (!user) return item
    // The API knows no disabled users. Like deleted ones, they can do nothing any more.
    const status = user.status === 'disabled' ? 'deleted' : user.status
    return { ...item, user: { ...item.user, email_address: user.email_address, status } }
  })
}

type Reaches = { readonly reach: Reach; readonly callerReach: Reach }
type Filters = Omit<AuditLogFilters, 'cursor' | 'limit'>

/** Entries of all accounts, of any kind. */
function newest(db: Db, filters: Filters, slice: Slice) {
  return cut<Entry>(select(db).where(overAllAccounts(TABLE)).where(isOfTime(filters)), TABLE, slice)
}

function amongTheNewest(db: Db, filters: Filters, slice: Slice): Promise<Entry[]> {
  const walked = sql<Entry>`(${newest(db, filters, { ...slice, limit: NEARBY })})`
  const found = db.selectFrom(walked.as(TABLE)).selectAll(TABLE).where(fits(filters))
  return inOrder<Entry>(found, TABLE, slice).execute()
}

/**
 * A single walk by age would read the entries of all accounts to find those of a small account, or a rare
 * value.
 */
function ofAccounts(
  db: Db,
  { reach, callerReach }: Reaches,
  filters: Filters,
  slice: Slice,
): Promise<Entry[]> {
  const query = select(db).where(fits(filters)).where(isOfTime(filters))
  const each = { merchant_account_id: eachAccount(reach) }
  const hasInstallation = callerReach === 'all'
  return walkEach<Entry>({ db, table: TABLE, query, each, hasInstallation }, slice).execute()
}

function select(db: Db) {
  return (
    db
      .selectFrom(TABLE)
      .select(ENTRY_COLUMNS)
      // A literal: PostgreSQL uses an index with this condition only if it knows the value when it plans.
      .where('action', '<>', sql.lit('revealed'))
  )
}

function fits({ action, user_id, resource_type, category }: Filters) {
  const conditions = [
    sql`true`,
    ...(action === undefined ? [] : [sql`audit_logs.action = ${action}`]),
    ...(user_id === undefined ? [] : [sql`audit_logs.actor_id = ${user_id}`]),
    ...(resource_type === undefined ? [] : [sql`audit_logs.resource_type = ${resource_type}`]),
    ...(category === 'payments' ? [sql`audit_logs.resource_type in ${TYPES_OF_PAYMENTS}`] : []),
    // The condition of an index.
    ...(category === 'configuration' ? [sql`audit_logs.resource_type not in ${TYPES_OF_PAYMENTS}`] : []),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

function isOfTime({ timestamp_gte: from, timestamp_lte: to }: Filters) {
  const conditions = [
    sql`true`,
    ...(from === undefined
      ? []
      : [sql`audit_logs.created_at >= ${new Date(firstMsOf(from, 'timestamp_gte'))}`]),
    ...(to === undefined ? [] : [sql`audit_logs.created_at <= ${new Date(lastMsOf(to, 'timestamp_lte'))}`]),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/**
 * With several filters, one index leads and its entries are checked against the others. The planner knows
 * which has the fewest only if it sees the values, and it stops looking at them for frequent statements.
 */
function plannedByValues<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
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
