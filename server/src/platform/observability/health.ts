import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { DISK_FULL, errorCode } from '../database/database-errors.ts'
import type { Db } from '../database/db.ts'
import type { Disk } from '../database/open-database.ts'
import { compressed } from '../http/compress.ts'
import { errors } from '../http/errors.ts'
import type { Metrics } from './metrics.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

type Options = {
  /** The installation's name, by which its own commands recognize it. */
  readonly instance: string
  readonly db: Db
  /** Undefined: nothing is known of it. */
  readonly disk?: Disk | undefined
  readonly metrics: Metrics
  readonly environment: string
  readonly metricsToken: string | null
  readonly isStopping: () => boolean
  /** What an operator should look at, although the service works. Anyone may read it. */
  readonly warnings?: () => readonly string[] | Promise<readonly string[]>
}

/** Endpoints for monitoring: is the service up, is it ready for traffic, and its metrics. */
export function serveHealth(app: FastifyInstance, options: Options): void {
  const { metrics } = options
  app.get('/health/live', async () => ({ status: 'ok', instance: options.instance }))

  const ready = () => readinessOf(options)
  metrics.watchReadiness(async () => (await ready()) === 'ok')
  app.get('/health/ready', async (_request, reply) => {
    const status = await ready()
    if (status !== 'ok') return reply.code(503).send({ status })
    const warnings = (await options.warnings?.()) ?? []
    return { status, ...(warnings.length > 0 && { warnings }) }
  })

  app.get('/metrics', async (request, reply) => {
    if (!maySeeMetrics(request, options)) throw errors.notFound()
    return compressed(request, reply.header('content-type', metrics.contentType), await metrics.render())
  })
}

type Readiness = 'ok' | 'stopping' | 'database read-only' | 'database disk full' | 'database unavailable'

async function readinessOf({ db, disk, isStopping }: Options): Promise<Readiness> {
  if (isStopping()) return 'stopping'
  try {
    const { rows } =
      await sql`select from (select pg_is_in_recovery() as is_standby) as server where is_standby`.execute(db)
    if (rows.length > 0) return 'database read-only'
    if (disk?.isFull) await tryDisk(db)
    if (disk) disk.isFull = false
    return 'ok'
  } catch (error) {
    return errorCode(error) === DISK_FULL ? 'database disk full' : 'database unavailable'
  }
}

/** Since a write found no room, every look takes a megabyte and gives it back: a disk is full until this works. */
async function tryDisk(db: Db): Promise<void> {
  const probe = sql`
    create temporary table room on commit drop as select gen_random_uuid() from generate_series(1, 20000)`
  await probe.execute(db).catch((error: unknown) => {
    // Without the right to make one, the next write that fails tells again.
    if (errorCode(error) !== FORBIDDEN) throw error
  })
}

const FORBIDDEN = '42501'

/**
 * With a token: its holder. Without: only this machine, and not through a proxy on it. Some proxies do not
 * identify themselves, so in production a token is required.
 */
function maySeeMetrics(request: FastifyRequest, { environment, metricsToken }: Options): boolean {
  if (metricsToken !== null) return isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)
  if (environment === 'production') return false
  const isForwarded = 'forwarded' in request.headers || 'x-forwarded-for' in request.headers
  return !isForwarded && LOOPBACK.has(request.socket.remoteAddress ?? '')
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
