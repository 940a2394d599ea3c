import { type Insertable, type JSONColumnType, type Selectable, sql } from 'kysely'
import { firstIdOf, newId } from '#domain/ids.ts'
import type { Interval } from '#domain/interval.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Db, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate, paginateAccounts } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'
import { laterThan } from '#platform/process/clock.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    monitoring_incidents: {
      id: string
      merchant_account_id: string
      metric_id: string | null
      display_name: string
      spec: JSONColumnType<object>
      alerting_policy: JSONColumnType<object>
      incident_policy: JSONColumnType<object>
      notes: string | null
      created_at: Date
      updated_at: Date
      closed_at: Date | null
    }
  }
}

export type StoredIncident = Selectable<Tables['monitoring_incidents']>
type NewIncident = Pick<
  Insertable<Tables['monitoring_incidents']>,
  'metric_id' | 'display_name' | 'spec' | 'alerting_policy' | 'incident_policy'
>

const COLUMNS = [
  'id',
  'merchant_account_id',
  'metric_id',
  'display_name',
  'spec',
  'alerting_policy',
  'incident_policy',
  'notes',
  'created_at',
  'updated_at',
  'closed_at',
] as const

export function insert(
  { db, clock, merchantAccountId }: Scope<Tx>,
  incident: NewIncident,
): Promise<StoredIncident> {
  const now = clock()
  return db
    .insertInto('monitoring_incidents')
    .values({
      ...incident,
      id: newId(now.getTime()),
      merchant_account_id: merchantAccountId,
      notes: null,
      created_at: now,
      updated_at: now,
      closed_at: null,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function find(scope: Scope, id: string): Promise<StoredIncident | undefined> {
  return own(scope, id).executeTakeFirst()
}

/** Locks the row, so that changes of one incident are applied in turn. */
export function lock(scope: Scope<Tx>, id: string): Promise<StoredIncident | undefined> {
  return own(scope, id).forUpdate().executeTakeFirst()
}

/** The open incident of a metric. There is at most one. */
export function lockOpen({ db }: Scope<Tx>, metricId: string): Promise<StoredIncident | undefined> {
  return select(db)
    .where('metric_id', '=', metricId)
    .where('closed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

type Change = Partial<Pick<StoredIncident, 'notes' | 'closed_at'>>

export function update(
  { db, clock }: Scope<Tx>,
  before: StoredIncident,
  changes: Change,
): Promise<StoredIncident> {
  return db
    .updateTable('monitoring_incidents')
    .set({ ...changes, updated_at: laterThan(before, clock()) })
    .where('id', '=', before.id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

type Listed = { readonly page: Page; readonly opened: Interval | null }

/** Newest first. */
export function list(
  { db }: Context,
  secrets: Secrets,
  reach: Reach,
  { page, opened }: Listed,
): Promise<Collection<StoredIncident>> {
  const list = { name: 'monitoring-incidents', page, secrets, table: 'monitoring_incidents' } as const
  return paginateAccounts({ ...list, query: openedIn(select(db), opened) }, { db, reach }, (row) => row)
}

/** Those of a metric that the caller has found, newest first. */
export function listOf(
  { db }: Context,
  secrets: Secrets,
  metricId: string,
  { page, opened }: Listed,
): Promise<Collection<StoredIncident>> {
  const query = openedIn(select(db), opened).where('monitoring_incidents.metric_id', '=', metricId)
  const name = `monitoring-incidents ${metricId}`
  return paginate({ name, page, secrets, query, table: 'monitoring_incidents' }, (row) => row)
}

/** Removes the oldest of those that were closed before a time. Returns how many. */
export async function removeOld({ db }: Context, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from monitoring_incidents where id in (
      select id from monitoring_incidents where id < ${firstIdOf(before)} and closed_at < ${before}
      order by id limit ${limit}
    )
  `.execute(db)
  return Number(numAffectedRows)
}

function openedIn(query: ReturnType<typeof select>, opened: Interval | null) {
  if (!opened) return query
  return query
    .where('monitoring_incidents.created_at', '>=', opened.from)
    .where('monitoring_incidents.created_at', '<', opened.to)
}

function own({ db, merchantAccountId }: Scope, id: string) {
  return select(db).where('merchant_account_id', '=', merchantAccountId).where('id', '=', id)
}

function select(db: Db) {
  return db
    .selectFrom('monitoring_incidents')
    .select(COLUMNS.map((name) => `monitoring_incidents.${name}` as const))
}
