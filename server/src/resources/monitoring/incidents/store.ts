import { type JSONColumnType, type Selectable, sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Interval } from '#domain/interval.ts'
import { accountRows } from '#platform/database/account-rows.ts'
import type { Context, Scope, Tables, Tx } from '#platform/database/db.ts'
import type { Reach } from '#platform/http/operation.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection, Page } from '#platform/listing/pagination.ts'

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

const rows = accountRows('monitoring_incidents', [
  'metric_id',
  'display_name',
  'spec',
  'alerting_policy',
  'incident_policy',
  'notes',
  'closed_at',
])

export const { insert, find, lock, update } = rows

/** The open incident of a metric. There is at most one. */
export function lockOpen(scope: Scope<Tx>, metricId: string): Promise<StoredIncident | undefined> {
  return rows.lock(scope, { metric_id: metricId, closed_at: null })
}

type Listed = { readonly page: Page; readonly opened: Interval | null }

/** Newest first. */
export function list(
  context: Context,
  reach: Reach,
  { page, opened }: Listed,
): Promise<Collection<StoredIncident>> {
  return rows.list(context, reach, { ...page, query: openedIn(rows.select(context.db), opened) })
}

/** Those of a metric that the caller has found, newest first. */
export function listOf(
  { db, mac }: Context,
  metricId: string,
  { page, opened }: Listed,
): Promise<Collection<StoredIncident>> {
  const query = openedIn(rows.select(db), opened).where('monitoring_incidents.metric_id', '=', metricId)
  const name = `monitoring-incidents ${metricId}`
  return paginate({ name, page, mac, query, table: 'monitoring_incidents' }, (row) => row)
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

type Query = ReturnType<typeof rows.select>

function openedIn(query: Query, opened: Interval | null): Query {
  if (!opened) return query
  return query
    .where('monitoring_incidents.created_at', '>=', opened.from)
    .where('monitoring_incidents.created_at', '<', opened.to)
}
