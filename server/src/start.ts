import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Secrets } from '#platform/access/secrets.ts'
import { errorCode } from '#platform/database/database-errors.ts'
import { warningAbout } from '#platform/database/replica.ts'
import { openMailer } from '#platform/mail/mailer.ts'
import { createLogger, type Logger, outliveLostPromises } from '#platform/observability/log.ts'
import { createMetrics, type Metrics } from '#platform/observability/metrics.ts'
import { Readings } from '#platform/observability/readings.ts'
import type { Tracer } from '#platform/observability/trace.ts'
import { createOutgoing } from '#platform/outgoing/outgoing.ts'
import { createAfterwards } from '#platform/process/afterwards.ts'
import { instanceNameOf } from '#platform/process/instance.ts'
import { startJobs } from '#platform/process/jobs.ts'
import type { Siblings } from '#platform/process/siblings.ts'
import { textOf } from '#resources/audit-logs/head.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type AppOptions, buildApp, listJobs, listReadings } from './app.ts'
import { type Config, isRootInProduction, PORT_DEFAULT, PORTS_TO_TRY, ROOT_WARNING } from './config.ts'
import { describeStart, type StartFacts } from './describe-start.ts'
import { type Foundation, openFoundation } from './open-foundation.ts'
import { reachProviders } from './reach-providers.ts'
import { reportStorage } from './report-storage.ts'
import { isFree, localUrl, type Place, whoListens } from './who-listens.ts'

const STOP_DEADLINE_MS = 10_000
/** How long a scrape waits for the values of the other processes. */
const METRICS_WAIT_MS = 2_000
/** Load balancers give up after a second. */
const WARNINGS_WAIT_MS = 200
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

/** Starts a service from a configuration, all of it in this process. */
export async function startService(config: Config, say: Say, signal: AbortSignal): Promise<Service> {
  const { foundation, port, publicUrl, stop } = await run(config, { say, signal })
  try {
    return { publicUrl, stop, ...(await describeStart(config, port, { ...foundation, publicUrl })) }
  } catch (error) {
    await stop()
    throw error
  }
}

type Running = {
  readonly foundation: Foundation
  readonly port: number
  readonly publicUrl: string
  readonly stop: () => Promise<void>
}

type Surrounded = {
  readonly say: Say
  readonly signal: AbortSignal
  /** The other processes of the service. Undefined: this one is all of it. */
  readonly siblings?: Siblings
}

/** Runs the part of the service that `role` names. If a step fails, the earlier ones are undone. */
export async function run(config: Config, { say, signal, siblings }: Surrounded): Promise<Running> {
  const logger = createLogger(config.logLevel, config.instanceId, siblings?.name)
  if (!siblings && isRootInProduction(config)) logger.warn(ROOT_WARNING)
  const undo: (() => Promise<void>)[] = [outliveLostPromises(logger)]
  const stop = async () => {
    logger.info('stopping')
    const failures: unknown[] = []
    for (const step of undo.splice(0).reverse()) await step().catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw new AggregateError(failures, 'The service did not stop cleanly.')
    logger.info('stopped')
  }
  try {
    const foundation = await openFoundation(config, {
      say,
      logger,
      isOwner: !siblings,
      hasParent: siblings !== undefined,
    })
    undo.push(foundation.close)
    signal.throwIfAborted()
    const metrics = measure(foundation, siblings)
    const tracer = await startTracing(config, { logger, metrics, undo })
    const port = await portFor(config)
    const publicUrl = publicUrlOf(config, port)
    const services = assemble(config, foundation, { logger, metrics, publicUrl, tracer })
    metrics.include(new Readings(listReadings(foundation.sandbox), services))
    undo.push(async () => services.outgoing.close())
    undo.push(() =>
      Promise.race([services.afterwards.done(), sleep(STOP_DEADLINE_MS, undefined, { ref: false })]),
    )
    if (config.role !== 'api') {
      const { sandbox, context } = foundation
      const jobs = startJobs(listJobs(sandbox), services, { logger, metrics, catchUp: context.clock.catchUp })
      undo.push(async () => {
        await jobs.stop()
        logger.info({ head: textOf(foundation.sealer.head) }, 'the head of the audit log')
      })
    }
    // Beside processes that answer the API, one that runs jobs needs no port: the others show its metrics.
    if (config.role !== 'worker' || !siblings) {
      const warnings = siblings ? () => warningsOfAll(siblings) : () => warningsOf(foundation)
      undo.push(await serve({ ...services, siblings, warnings }, { host: config.host, port }))
    }
    signal.throwIfAborted()
    // Otherwise Node writes it at the end, and a process that is killed would compile everything again at each start.
    flushCompileCache()
    const { environment, role } = config
    logger.info({ version: manifest.version, environment, role, port }, 'started')
    return { foundation, port, publicUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Returns what closes the port again. */
async function serve(options: Omit<AppOptions, 'isStopping'>, place: Place): Promise<() => Promise<void>> {
  let isStopping = false
  const app = buildApp({ ...options, isStopping: () => isStopping })
  await listen(app, place, options.secrets)
  return async () => {
    isStopping = true
    if (options.environment === 'production') await sleep(NOTICE_MS)
    // Open requests may finish, for a while.
    const deadline = setTimeout(() => app.server.closeAllConnections(), STOP_DEADLINE_MS)
    await app.close()
    clearTimeout(deadline)
  }
}

function measure(foundation: Foundation, siblings: Siblings | undefined): Metrics {
  const metrics = createMetrics(
    siblings && { worker: siblings.name, ofAll: () => siblings.ask('metrics', METRICS_WAIT_MS) },
  )
  siblings?.onQuestion('metrics', metrics.renderOwn)
  siblings?.onQuestion('warnings', async () => warningsOf(foundation).join('\n'))
  metrics.watchClock(foundation.databaseClock.differenceMs)
  metrics.watchExchanges(() => foundation.exchanges.counts)
  metrics.watchApiLogs(() => foundation.apiLog.counts)
  const { pool: payments, analytics, reading } = foundation
  metrics.watchPools({ payments, analytics: analytics.pool, ...(reading && { reading: reading.pool }) })
  if (reading) metrics.watchReplica(reading.replica)
  return metrics
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
  const { SpanSender } = await import('#platform/observability/send-spans.ts')
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
  const replica = foundation.reading?.replica
  const others = { providers, afterwards }
  const reportFiles = reportStorage(config, { ...foundation, ...surroundings, clock })
  const engine = { ...foundation, ...surroundings, ...others }
  return {
    ...config,
    ...foundation,
    ...surroundings,
    ...others,
    clock,
    outgoing,
    mailer: config.mail && openMailer(config.mail),
    reportFiles,
    engine,
    replica,
  }
}

/** Only the process that runs the jobs knows whether the audit log is sealed. */
async function warningsOfAll(siblings: Siblings): Promise<string[]> {
  const texts = await siblings.ask('warnings', WARNINGS_WAIT_MS)
  return [...new Set(texts.flatMap((text) => text.split('\n')))]
}

function warningsOf({ databaseClock, sealer, reading }: Foundation): string[] {
  const isUnsealed = sealer.refusal !== null
  const texts = [
    databaseClock.warning(),
    reading && warningAbout(reading.replica),
    isUnsealed ? 'The audit log is not sealed. See the log.' : undefined,
  ]
  return texts.filter((text) => text !== undefined)
}

/** If a proxy points at a port, the service must not use another one. */
export async function portFor({ host, port, environment }: Config): Promise<number> {
  return port ?? (environment === 'production' ? PORT_DEFAULT : await freePort(host))
}

export function publicUrlOf({ host, publicUrl }: Config, port: number): string {
  return publicUrl ?? localUrl({ host, port })
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
