import { accessSync, constants, existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createAfterwards } from '#platform/afterwards.ts'
import { type DatabaseClock, followDatabaseClock } from '#platform/database-clock.ts'
import { errorCode, isDatabaseAway } from '#platform/database-errors.ts'
import type { Context } from '#platform/db.ts'
import { joinEmbeddedPostgres, ownEmbeddedPostgres } from '#platform/embedded-postgres.ts'
import { makeDataDir } from '#platform/embedded-postgres-files.ts'
import { explainDatabase } from '#platform/explain-database.ts'
import { claimInstance, instanceNameOf, isClaimed, refuseOtherInstance } from '#platform/instance.ts'
import { startJobs } from '#platform/jobs.ts'
import { createLogger, type Logger } from '#platform/log.ts'
import { createMetrics, type Metrics } from '#platform/metrics.ts'
import { type Connection, type Database, openDatabase } from '#platform/open-database.ts'
import { createOutgoing } from '#platform/outgoing.ts'
import { Readings } from '#platform/readings.ts'
import { readOrMakeSecretFile, type Secrets, secretFile, secretsFrom } from '#platform/secrets.ts'
import type { Tracer } from '#platform/trace.ts'
import { registriesFor } from '#processing/connectors.ts'
import { type ExchangeLog, openExchangeLog } from '#processing/exchanges/log.ts'
import type { Providers } from '#processing/provider.ts'
import { simulatedAccountUpdater } from '#processing/simulated-account-updater.ts'
import { simulatedThreeDSecure } from '#processing/simulated-three-d-secure.ts'
import { simulatedTokenService } from '#processing/simulated-token-service.ts'
import { type ApiLogWriter, openApiLog } from '#resources/api-logs/log.ts'
import { textOf } from '#resources/audit-logs/head.ts'
import { HeadFile } from '#resources/audit-logs/head-file.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import type { Analytics } from '#resources/resource.ts'
import { refuseMovedClock } from '#resources/sandbox/clock/refuse-moved.ts'
import { Vault } from '#vault'
import manifest from '../../package.json' with { type: 'json' }
import { buildApp, JOBS, READINGS } from './app.ts'
import { bringUpToDate, secretOf } from './bring-up-to-date.ts'
import { type Config, fileOfDatabase, needsDataDir, PORT_DEFAULT, PORTS_TO_TRY } from './config.ts'
import { describeStart, type StartFacts } from './describe-start.ts'
import { makeFirstGiftCardService, makeFirstKey, makeFirstService } from './first-start.ts'
import { reachProviders } from './reach-providers.ts'
import { reportStorage } from './report-storage.ts'
import { vaultKeySource } from './vault-key-source.ts'
import { isFree, localUrl, type Place, whoListens } from './who-listens.ts'

const STOP_DEADLINE_MS = 10_000
const ANALYTICS_TIMEOUT_MS = 10_000
/** Time for load balancers to notice that we are stopping. */
const NOTICE_MS = 5_000
/**
 * How many connections may wait to be accepted. A connection without room is not refused but dropped, and its
 * client tries again after one second, three, seven and so on: under load that looks like an outage. The
 * system may allow fewer.
 */
const BACKLOG = 4_096

export type Service = StartFacts & { readonly publicUrl: string; readonly stop: () => Promise<void> }
type Say = (text: string) => void

/** Starts a service from a configuration. If a step fails, the earlier ones are undone. */
export async function startService(config: Config, say: Say, signal: AbortSignal): Promise<Service> {
  const logger = createLogger(config.logLevel, config.instanceId)
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    const failures: unknown[] = []
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'The service did not stop cleanly.')
  }
  try {
    const foundation = await openFoundation(config, { say, logger, isOwner: true })
    undo.push(foundation.close)
    signal.throwIfAborted()
    const metrics = createMetrics()
    metrics.watchClock(foundation.databaseClock.differenceMs)
    metrics.watchExchanges(() => foundation.exchanges.counts)
    metrics.watchApiLogs(() => foundation.apiLog.counts)
    const tracer = await startTracing(config, { logger, metrics, undo })
    metrics.watchPools({ payments: foundation.pool, analytics: foundation.analytics.pool })
    const isProduction = config.environment === 'production'
    // If a proxy points at a port, the service must not use another one.
    const port = config.port ?? (isProduction ? PORT_DEFAULT : await freePort(config.host))
    const publicUrl = config.publicUrl ?? localUrl({ host: config.host, port })
    const services = assemble(config, foundation, { logger, metrics, publicUrl, tracer })
    metrics.include(new Readings(READINGS, services))
    undo.push(async () => services.outgoing.close())
    undo.push(() =>
      Promise.race([services.afterwards.done(), sleep(STOP_DEADLINE_MS, undefined, { ref: false })]),
    )
    if (config.role !== 'api') {
      const jobs = startJobs(JOBS, services, { logger, metrics, catchUp: foundation.context.clock.catchUp })
      undo.push(async () => {
        await jobs.stop()
        logger.info({ head: textOf(foundation.sealer.head) }, 'the head of the audit log')
      })
    }
    let isStopping = false
    const app = buildApp({
      ...services,
      isStopping: () => isStopping,
      warnings: () => warningsOf(foundation),
    })
    await listen(app, { host: config.host, port }, foundation.secrets)
    undo.push(async () => {
      isStopping = true
      if (isProduction) await sleep(NOTICE_MS)
      // Open requests may finish, for a while.
      const deadline = setTimeout(() => app.server.closeAllConnections(), STOP_DEADLINE_MS)
      await app.close()
      clearTimeout(deadline)
    })
    signal.throwIfAborted()
    return { publicUrl, stop, ...(await describeStart(config, port, { ...foundation, publicUrl })) }
  } catch (error) {
    await stop()
    throw error
  }
}

type Traced = {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly undo: (() => Promise<void>)[]
}

/** Loads what sends spans only if there is a collector. */
async function startTracing(
  { collector, instanceId }: Config,
  { logger, metrics, undo }: Traced,
): Promise<Tracer | undefined> {
  if (!collector) return undefined
  const { SpanSender } = await import('#platform/send-spans.ts')
  const sender = new SpanSender({
    ...collector,
    version: manifest.version,
    instanceId,
    onFailure: (reason) => logger.warn({ reason }, 'the collector of traces did not take spans'),
  })
  metrics.watchSpans(() => sender.counts)
  undo.push(() => sender.stop())
  return sender.tracer
}

/** The simulators make numbers up, so they must not run where cards are real. */
function outsideServices({ environment }: Config, providers: Providers) {
  if (environment !== 'sandbox') return { accountUpdater: null, threeDSecure: null, tokenService: null }
  return {
    accountUpdater: simulatedAccountUpdater,
    threeDSecure: simulatedThreeDSecure,
    tokenService: simulatedTokenService(providers),
  }
}

type Surroundings = {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly publicUrl: string
  readonly tracer?: Tracer | undefined
}

/** Everything that operations and jobs need. */
export function assemble(config: Config, foundation: Foundation, surroundings: Surroundings) {
  const { clock } = foundation.context
  const isHttpAllowed = config.environment === 'sandbox'
  const outgoing = createOutgoing({ isHttpAllowed, allowCidrs: config.webhookAllowCidrs })
  const reached = reachProviders(config.environment, {
    ...foundation,
    ...surroundings,
    outgoing,
    clock,
    googlePayRootKeys: config.googlePayRootKeys,
    onError: (error) => surroundings.logger.error({ err: error }, 'a provider in this process failed'),
  })
  const providers = { ...reached, observe: surroundings.metrics.observeProvider }
  const afterwards = createAfterwards((error) =>
    surroundings.logger.error(
      { err: error },
      'an answer that came late could not be recorded; a job asks again',
    ),
  )
  const others = { providers, afterwards, ...outsideServices(config, providers) }
  const reportFiles = reportStorage(config, { ...foundation, ...surroundings, clock })
  const engine = { ...foundation, ...surroundings, ...others }
  return { ...config, ...foundation, ...surroundings, ...others, clock, outgoing, reportFiles, engine }
}

function warningsOf({ databaseClock, sealer }: Foundation): string[] {
  const isUnsealed = sealer.refusal !== null
  const texts = [
    databaseClock.warning(),
    isUnsealed ? 'The audit log is not sealed. See the log.' : undefined,
  ]
  return texts.filter((text) => text !== undefined)
}

export type Foundation = {
  readonly db: Database['db']
  readonly pool: Database['pool']
  readonly analytics: OwnAnalytics
  readonly databaseClock: DatabaseClock
  readonly context: Context
  readonly secrets: Secrets
  readonly sealer: Sealer
  readonly vault: Vault
  readonly exchanges: ExchangeLog
  readonly apiLog: ApiLogWriter
  readonly close: () => Promise<void>
}

type OwnAnalytics = Analytics & Pick<Database, 'pool'>

type FoundationOptions = { readonly say: Say; readonly logger: Logger; readonly isOwner: boolean }

/** The database, migrated and claimed, with the instance's secret. Both commands and the service use it. */
export async function openFoundation(
  config: Config,
  { say, logger, isOwner }: FoundationOptions,
): Promise<Foundation> {
  if (needsDataDir(config)) makeDataDirOrExplain(config.dataDir)
  const server = await reachServer(config, { say, logger, isOwner })
  try {
    await bringUpToDate(server.connection, config, { logger, isUpgrade: isOwner }).catch((error: unknown) => {
      throw explainDatabase(error)
    })
    const database = openDatabase(server.connection, {
      poolSize: config.databasePoolSize,
      onError: (error) => logger.warn({ err: error }, 'an idle database connection was lost'),
    })
    const opened = openAnalytics(config, server.connection, logger)
    const exchanges = openExchangeLog({
      db: database.db,
      retentionDays: config.exchangeRetentionDays,
      onLost: (count, error) => logger.warn({ err: error, count }, 'exchanges with providers were not kept'),
    })
    const apiLog = openApiLog({
      db: database.db,
      retentionDays: config.apiLogRetentionDays,
      onLost: (count, error) => logger.warn({ err: error, count }, 'requests are missing in the request log'),
    })
    const close = async () => {
      await Promise.all([exchanges.flush(), apiLog.flush()])
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
        actor: { id: null, name: isOwner ? 'Switchyard' : 'Switchyard command line' },
        requestId: null,
      }
      const isNew = await claimInstance(context, config.environment, secrets)
      const analytics = await checkedAnalytics(opened, context, { config, secrets, logger })
      if (config.environment === 'production') await refuseMovedClock(context)
      const sealer = sealerFor(config, secrets, logger)
      if (isNew) sealer.forget()
      if (config.environment === 'sandbox') await makeFirstKey(context, config.dataDir)
      const vault = await Vault.open(database.db, config.environment, vaultKeySource(config), (text) =>
        logger.error(text),
      )
      if (config.environment === 'sandbox') {
        await makeFirstService(context, vault, registriesFor('sandbox'))
        await makeFirstGiftCardService(context, vault, registriesFor('sandbox'))
      }
      return {
        ...database,
        analytics,
        databaseClock,
        context,
        secrets,
        sealer,
        vault,
        exchanges,
        apiLog,
        close,
      }
    } catch (error) {
      await opened.close()
      await database.close()
      throw error
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Few connections with a shorter limit, for questions that read many rows. None of them uses a second processor,
 * and each is planned for its own range of time.
 */
function openAnalytics(config: Config, connection: Connection, logger: Logger) {
  const { analyticsDatabaseUrl: url, analyticsPoolSize: poolSize } = config
  const opened = openDatabase(url === null ? connection : { connectionString: url }, {
    poolSize,
    onError: (error) => logger.warn({ err: error }, 'an idle connection for analytics was lost'),
    statementTimeoutMs: ANALYTICS_TIMEOUT_MS,
    purpose: 'analytics',
    settings: { max_parallel_workers_per_gather: '0', plan_cache_mode: 'force_custom_plan', jit: 'off' },
  })
  return { ...opened, poolSize }
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
  { say, logger, isOwner }: FoundationOptions,
): Promise<Server> {
  if (config.databaseUrl !== null) {
    return { connection: { connectionString: config.databaseUrl }, stop: async () => {} }
  }
  const open = isOwner ? ownEmbeddedPostgres : joinEmbeddedPostgres
  return open({ dataDir: config.dataDir, say, onTrouble: (text) => logger.error(text) })
}

/**
 * Two checkouts on one machine can both start: the second takes the next port. A port that the operator set
 * is never changed.
 */
async function freePort(host: string): Promise<number> {
  for (let port = PORT_DEFAULT; port < PORT_DEFAULT + PORTS_TO_TRY; port += 1) {
    if (await isFree({ host, port })) return port
  }
  throw new Error(
    `All ports from ${PORT_DEFAULT} to ${PORT_DEFAULT + PORTS_TO_TRY - 1} are in use. Set PORT to a free one.`,
  )
}

async function listen(app: FastifyInstance, place: Place, secrets: Secrets): Promise<void> {
  const { host, port } = place
  await app.listen({ ...place, backlog: BACKLOG }).catch(async (cause: unknown) => {
    if (errorCode(cause) !== 'EADDRINUSE') {
      throw new Error(`HOST ${host} and PORT ${port} cannot be listened on.`, { cause })
    }
    const listener = await whoListens(place, instanceNameOf(secrets))
    const who = listener === 'none' ? '' : ` by ${listener}`
    throw new Error(`Port ${port} is in use on ${host}${who}. Set PORT to a free one.`)
  })
}
