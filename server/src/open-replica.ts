import { sql } from 'kysely'
import type { Secrets } from '#platform/access/secrets.ts'
import { errorCode, isDatabaseAway } from '#platform/database/database-errors.ts'
import type { Context, Db } from '#platform/database/db.ts'
import { connectionFrom } from '#platform/database/failover-client.ts'
import { type Connection, type Database, openDatabase } from '#platform/database/open-database.ts'
import { Replica } from '#platform/database/replica.ts'
import type { Logger } from '#platform/observability/log.ts'
import { refuseOtherInstance } from '#platform/process/instance.ts'
import type { Analytics } from '#resources/resource.ts'
import type { Config } from './config.ts'

const ANALYTICS_TIMEOUT_MS = 10_000
const NO_SUCH_TABLE = '42P01'

/** What is read elsewhere than where payments are written. */
export type OpenReplica = {
  readonly replica: Replica
  readonly pool: Database['pool']
  /** For long questions. */
  readonly analytics: Database
  readonly close: () => Promise<void>
}

type Opening = {
  readonly primary: Database
  readonly context: Context
  readonly secrets: Secrets
  readonly logger: Logger
}

/** A replica that is away, or has yet to get our first commits, does not keep the service from starting. */
export async function openReplica(
  config: Config,
  { primary, context, secrets, logger }: Opening,
): Promise<OpenReplica | undefined> {
  const { readDatabaseUrl: url, databasePoolSize: poolSize, environment, readLagMaxSeconds } = config
  if (url === null) return undefined
  const connection = connectionFrom(url, true)
  const database = openDatabase(connection, {
    poolSize,
    onError: (error) => logger.warn({ err: error }, 'an idle connection to the replica was lost'),
    purpose: 'reading',
    mayBeReadOnly: true,
  })
  const analytics = openAnalytics(connection, { poolSize: config.analyticsPoolSize, logger, isReplica: true })
  let isOurs = false
  const check = async () => {
    if (isOurs) return
    await refuseCopy(primary.db, database.db)
    isOurs = await refuseOtherInstance({ ...context, db: database.db }, environment, secrets)
    if (!isOurs) throw notYetThere()
  }
  const replica = new Replica({
    primary,
    replica: database,
    lagMaxMs: readLagMaxSeconds * 1000,
    logger,
    check,
    leave: () => {
      isOurs = false
      connection.hosts?.leave()
    },
  })
  const close = async () => {
    replica.end()
    await Promise.all([database.close(), analytics.close()])
  }
  try {
    await check().catch((cause: unknown) => {
      if (isDatabaseAway(cause) || errorCode(cause) === NO_SUCH_TABLE) return
      const remedy = 'Set it to a replica of the database at DATABASE_URL, or remove it.'
      throw new Error(`READ_DATABASE_URL does not lead to a replica of our own database. ${remedy}`, {
        cause,
      })
    })
    await replica.follow()
    return { replica, pool: database.pool, analytics, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A restored copy has our data, but not our payments of today. Only a replica has the same identifier. */
async function refuseCopy(primary: Db, replica: Db): Promise<void> {
  const identifierOf = async (db: Db) =>
    (await sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`.execute(db))
      .rows[0]?.id
  const [ours, theirs] = [await identifierOf(primary), await identifierOf(replica)]
  if (ours !== theirs)
    throw new Error('it is another PostgreSQL cluster, with a system identifier of its own')
}

function notYetThere(): Error {
  return Object.assign(new Error('the replica has no installation in it yet'), { code: NO_SUCH_TABLE })
}

export const ANALYTICS_SETTINGS = {
  max_parallel_workers_per_gather: '0',
  plan_cache_mode: 'force_custom_plan',
  jit: 'off',
}

type OfAnalytics = { readonly poolSize: number; readonly logger: Logger; readonly isReplica: boolean }

/**
 * Few connections with a shorter limit, for questions that read many rows. None of them uses a second processor,
 * and each is planned for its own range of time.
 */
export function openAnalytics(
  connection: Connection,
  { poolSize, logger, isReplica }: OfAnalytics,
): Database & { readonly poolSize: number } {
  const opened = openDatabase(connection, {
    poolSize,
    onError: (error) => logger.warn({ err: error }, 'an idle connection for analytics was lost'),
    statementTimeoutMs: ANALYTICS_TIMEOUT_MS,
    purpose: 'analytics',
    mayBeReadOnly: isReplica,
    settings: ANALYTICS_SETTINGS,
  })
  return { ...opened, poolSize }
}

/** Without a database of their own, long questions go to the replica while it can be used. */
export function analyticsBeside<Own extends Analytics>(own: Own, reading: OpenReplica | undefined): Own {
  if (!reading) return own
  const { replica, analytics } = reading
  return Object.defineProperty({ ...own, spare: own.db }, 'db', {
    get: () => (replica.reason === null ? analytics.db : own.db),
    enumerable: true,
  })
}
