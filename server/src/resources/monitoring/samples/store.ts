import { type Selectable, sql } from 'kysely'
import type { Interval } from '#domain/interval.ts'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { oldRows } from '#platform/database/retention.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    monitoring_samples: {
      metric_id: string
      minute: Date
      authorized: number
      decided: number
      healthy: boolean | null
      incident_related: boolean
    }
  }
}

export type StoredSample = Selectable<Tables['monitoring_samples']>

/** Whether the metric had no sample of this minute yet. */
export async function insert({ db }: Context<Tx>, sample: StoredSample): Promise<boolean> {
  const inserted = await db
    .insertInto('monitoring_samples')
    .values(sample)
    .onConflict((conflict) => conflict.doNothing())
    .returning('metric_id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The samples of a time, oldest first, by metric. */
export async function listOf(
  { db }: Context,
  metricIds: readonly string[],
  { from, to }: Interval,
): Promise<ReadonlyMap<string, StoredSample[]>> {
  const { rows } = await sql<StoredSample>`
    select metric_id, minute, authorized, decided, healthy, incident_related from monitoring_samples
    where metric_id = any(${metricIds}::uuid[]) and minute >= ${from} and minute < ${to}
    order by metric_id, minute
  `.execute(db)
  return Map.groupBy(rows, ({ metric_id }) => metric_id)
}

/** Of all metrics. */
export const { removeOld, oldest } = oldRows({
  table: 'monitoring_samples',
  key: ['metric_id', 'minute'],
  column: 'minute',
})
