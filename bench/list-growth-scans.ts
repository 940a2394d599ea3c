import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { joinEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { type DataFolder, type Service, startService } from '../lab/product.ts'
import { JOBS } from '../server/src/app.ts'
import type { Fault } from './list-growth-plans.ts'
import { LARGE_TABLES } from './list-growth-rows.ts'

/** Fewer rows than this are read from end to end for good reason. */
const ROWS_MIN = 10_000
/** Long enough for every job that runs by the minute. */
const JOBS_MS = 65_000
/** A connection that has nothing to do tells its counts after ten seconds, and one that ends at once. */
const TOLD_MS = 11_000

/** Of jobs that run more seldom, nothing is learned. */
export const UNWATCHED_JOBS = JOBS.filter(({ everyMs }) => everyMs >= JOBS_MS).map(({ name }) => name)

/**
 * What `work` and then jobs read from end to end, as the database counts it: it sees what references read as well.
 * A folder has room for one service, so the jobs are those of another that takes its place.
 */
export async function tablesScanned(
  { service, folder }: { readonly service: Service; readonly folder: DataFolder },
  work: () => Promise<void>,
): Promise<Fault[]> {
  // What was asked before is no part of it.
  await sleep(TOLD_MS)
  const before = await countScans(folder)
  await work()
  await service.stop()
  const withJobs = await startService(folder)
  await sleep(JOBS_MS)
  // First, so that all connections have told their counts.
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
