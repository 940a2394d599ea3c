import { accessSync, constants, existsSync } from 'node:fs'
import { readOrMakeSecretFile, type Secrets, secretFile, secretsFrom } from '#platform/access/secrets.ts'
import {
  type DatabaseClock,
  followDatabaseClock,
  refuseMovedClock,
} from '#platform/database/database-clock.ts'
import { explainDatabase, isDatabaseAway } from '#platform/database/database-errors.ts'
import type { Context } from '#platform/database/db.ts'
import {
  joinEmbeddedPostgres,
  ownEmbeddedPostgres,
  reachEmbeddedPostgres,
} from '#platform/database/embedded-postgres.ts'
import { makeDataDir } from '#platform/database/embedded-postgres-files.ts'
import { connectionFrom } from '#platform/database/failover-client.ts'
import { type Connection, type Database, openDatabase } from '#platform/database/open-database.ts'
import type { Logger } from '#platform/observability/log.ts'
import { claimInstance, isClaimed, refuseOtherInstance } from '#platform/process/instance.ts'
import { type ExchangeLog, openExchangeLog } from '#processing/exchanges/transcribe.ts'
import { Scoreboard } from '#processing/scores/board.ts'
import { type ApiLogWriter, openApiLog } from '#resources/api-logs/log.ts'
import { HeadFile } from '#resources/audit-logs/head-file.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import type { Analytics } from '#resources/resource.ts'
import { Vault } from '#vault'
import { bringUpToDate, secretOf } from './bring-up-to-date.ts'
import { type Config, fileOfDatabase, needsDataDir, vaultKeySource } from './config.ts'
import { analyticsBeside, type OpenReplica, openAnalytics, openReplica } from './open-replica.ts'
import { openSandbox, type Sandbox } from './open-sandbox.ts'

export type Foundation = {
  readonly db: Database['db']
  readonly pool: Database['pool']
  readonly disk: Database['disk']
  readonly analytics: OwnAnalytics
  /** Undefined: everything is read where it is written. */
  readonly reading: OpenReplica | undefined
  readonly databaseClock: DatabaseClock
  /** Null in production. */
  readonly sandbox: Sandbox | null
  readonly context: Context
  readonly secrets: Secrets
  readonly sealer: Sealer
  readonly vault: Vault
  readonly exchanges: ExchangeLog
  readonly scores: Scoreboard
  readonly apiLog: ApiLogWriter
  readonly close: () => Promise<void>
}

type OwnAnalytics = Analytics & Pick<Database, 'pool'>

type FoundationOptions = {
  readonly say: (text: string) => void
  readonly logger: Logger
  /** Whether this process is the service, or the parent of its processes. A command is not. */
  readonly isOwner: boolean
  /** Whether the parent has prepared the database, and runs it if it is embedded. */
  readonly hasParent?: boolean
}

/** The database, migrated and claimed, with the instance's secret. Both commands and the service use it. */
export async function openFoundation(
  config: Config,
  { say, logger, isOwner, hasParent = false }: FoundationOptions,
): Promise<Foundation> {
  if (needsDataDir(config)) makeDataDirOrExplain(config.dataDir)
  const server = await reachServer(config, { say, logger, isOwner, hasParent })
  try {
    await bringUpToDate(server.connection, config, { logger, say, isUpgrade: isOwner }).catch(
      (error: unknown) => {
        throw explainDatabase(error)
      },
    )
    const database = openDatabase(server.connection, {
      poolSize: config.databasePoolSize,
      onError: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
    })
    const { analyticsDatabaseUrl: url, analyticsPoolSize: poolSize } = config
    const opened = openAnalytics(url === null ? server.connection : connectionFrom(url), {
      poolSize,
      logger,
      isReplica: url !== null,
    })
    let reading: OpenReplica | undefined
    const { exchanges, apiLog, scores } = openWriters(config, database.db, logger)
    const close = async () => {
      await Promise.all([exchanges.flush(), apiLog.flush(), scores.flush()])
      await reading?.close()
      await opened.close()
      await database.close()
      await server.stop()
    }
    try {
      const databaseClock = await followDatabaseClock({
        ...database,
        logger,
        isMovable: config.environment === 'sandbox',
      })
      const secrets = secretsFrom(await findOrMakeSecret(config, database.db))
      const context: Context = {
        db: database.db,
        clock: databaseClock.now,
        actor: { id: null, name: isOwner || hasParent ? 'Switchyard' : 'Switchyard command line' },
        requestId: null,
        mac: secrets.mac,
      }
      const isNew = await claimInstance(context, config.environment, secrets)
      const checked = await checkedAnalytics(opened, context, { config, secrets, logger })
      if (isOwner || hasParent)
        reading = await openReplica(config, { primary: database, context, secrets, logger })
      const analytics = url === null ? analyticsBeside(checked, reading) : checked
      const sandbox = await openSandbox(config.environment)
      if (!sandbox) await refuseMovedClock(context)
      const sealer = sealerFor(config, secrets, logger)
      if (isNew) sealer.forget()
      await sandbox?.makeFirstKey(context, config.dataDir)
      const vault = await Vault.open(database.db, config.environment, vaultKeySource(config), (text) =>
        logger.error(text),
      )
      await sandbox?.makeFirstServices(context, vault)
      return {
        ...database,
        analytics,
        reading,
        databaseClock,
        sandbox,
        context,
        secrets,
        sealer,
        vault,
        exchanges,
        scores,
        apiLog,
        close,
      }
    } catch (error) {
      await reading?.close()
      await opened.close()
      await database.close()
      throw error
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** What is written beside requests and payments, which do not wait for it. */
function openWriters(config: Config, db: Database['db'], logger: Logger) {
  const exchanges = openExchangeLog({
    db,
    retentionDays: config.exchangeRetentionDays,
    onLost: (count, error) => logger.warn({ err: error, count }, 'exchanges with providers were not kept'),
  })
  const apiLog = openApiLog({
    db,
    retentionDays: config.apiLogRetentionDays,
    onLost: (count, error) => logger.warn({ err: error, count }, 'requests are missing in the request log'),
  })
  const scores = new Scoreboard({
    db,
    onLost: (count, error) =>
      logger.warn({ err: error, count }, 'outcomes of payment services were not learned'),
  })
  return { exchanges, apiLog, scores }
}

type Checking = { readonly config: Config; readonly secrets: Secrets; readonly logger: Logger }

/**
 * A replica must be one of our own database: figures of another installation must not be shown. A replica that is away does
 * not keep the service from starting; it is checked before its first answer.
 */
async function checkedAnalytics(
  opened: OwnAnalytics,
  context: Context,
  { config: { analyticsDatabaseUrl, environment }, secrets, logger }: Checking,
): Promise<OwnAnalytics> {
  if (analyticsDatabaseUrl === null) return opened
  let isOurs = false
  const check = async () => {
    isOurs ||= await refuseOtherInstance({ ...context, db: opened.db }, environment, secrets)
    if (!isOurs) throw new Error('the database at ANALYTICS_DATABASE_URL has no installation in it')
  }
  await check().catch((cause: unknown) => {
    if (isDatabaseAway(cause)) return logger.warn({ err: cause }, 'ANALYTICS_DATABASE_URL cannot be reached')
    const remedy = 'Set it to a replica of the database at DATABASE_URL, or remove it.'
    throw new Error(`ANALYTICS_DATABASE_URL does not lead to our own database. ${remedy}`, { cause })
  })
  return { ...opened, check }
}

/** An existing folder is enough: its owner may have made it for us where we may not. */
function makeDataDirOrExplain(dataDir: string): void {
  try {
    makeDataDir(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const remedy = 'Set DATA_DIR to a folder that this user may write to.'
    throw new Error(`DATA_DIR ${dataDir} cannot be written to. ${remedy}`, { cause })
  }
}

/** A database in use has its secret. A new one would not open anything, and might be mistaken for it. */
async function findOrMakeSecret(config: Config, db: Database['db']): Promise<Buffer> {
  const isKept = config.secretKey !== null || existsSync(secretFile(config.dataDir))
  if (isKept || (await isClaimed(db))) return secretOf(config)
  return readOrMakeSecretFile(config.dataDir)
}

export function sealerFor(config: Config, secrets: Secrets, logger: Logger): Sealer {
  const file = needsDataDir(config) ? new HeadFile(fileOfDatabase(config, 'audit-head'), secrets) : null
  return new Sealer(secrets, file, (error) =>
    logger.warn({ err: error }, 'the head of the audit log was not written to DATA_DIR'),
  )
}

type Server = { readonly connection: Connection; readonly stop: () => Promise<void> }

export async function reachServer(
  config: Config,
  { say, logger, isOwner, hasParent }: FoundationOptions,
): Promise<Server> {
  if (config.databaseUrl !== null) {
    return { connection: connectionFrom(config.databaseUrl), stop: async () => {} }
  }
  if (hasParent) return reachEmbeddedPostgres(config.dataDir)
  const open = isOwner ? ownEmbeddedPostgres : joinEmbeddedPostgres
  return open({ dataDir: config.dataDir, say, onTrouble: (text) => logger.error(text) })
}
