import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { sandbox } from '#sandbox/open.ts'
import { type DataFolder, type Service, startService } from '../lab/product.ts'
import { listJobs } from '../server/src/app.ts'
import { LARGE_TABLES } from './list-growth-fill.ts'
import type { Fault } from './list-growth-plans.ts'

/** A full read of fewer rows is fine. */
const ROWS_MIN = 10_000
/** Long enough for every job that runs by the minute. */
const JOBS_MS = 65_000
/** An idle connection reports its counts after ten seconds; one that ends reports at once. */
const TOLD_MS = 11_000

/** Jobs that run too seldom to be observed. */
export const UNWATCHED_JOBS = listJobs(sandbox)
  .filter(({ everyMs }) => everyMs >= JOBS_MS)
  .map(({ name }) => name)

/**
 * The tables that `work` and then jobs read from end to end, by the database's own counts, which include foreign key
 * checks. A folder has room for one service, so another service takes its place to run the jobs.
 */
export async function tablesScanned(
  { service, folder }: { readonly service: Service; readonly folder: DataFolder },
  work: () => Promise<void>,
): Promise<Fault[]> {
  // Earlier requests must not count.
  await sleep(TOLD_MS)
  const before = await countScans(folder)
  await work()
  await service.stop()
  const withJobs = await startService(folder)
  await sleep(JOBS_MS)
  // Stopped first, so that all connections have reported their counts.
  await withJobs.stop()
  const after = await countScans(folder)
  return [...after]
    .filter(([table, count]) => count > (before.get(table) ?? count))
    .map(([table]) => ({ name: 'payments or jobs', table }))
}

async function countScans({ path }: DataFolder): Promise<ReadonlyMap<string, number>> {
  const { connection, stop } = await joinEmbeddedPostgres({ dataDir: path, say: () => {} })
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ table: string; count: string }>(
    `select relname as table, seq_scan as count from pg_stat_user_tables
     where schemaname = 'public' and relname = any($1) and n_live_tup >= $2`,
    [LARGE_TABLES, ROWS_MIN],
  )
  await client.end()
  await stop()
  return new Map(rows.map(({ table, count }) => [table, Number(count)]))
}
