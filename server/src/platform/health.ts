import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { compressed } from './compress.ts'
import type { Db } from './db.ts'
import { errors } from './errors.ts'
import type { Metrics } from './metrics.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

type Options = {
  /** The installation's name, by which its own commands recognize it. */
  readonly instance: string
  readonly db: Db
  readonly metrics: Metrics
  readonly environment: string
  readonly metricsToken: string | null
  readonly isStopping: () => boolean
  /** What an operator should look at, although the service works. Anyone may read it. */
  readonly warnings?: () => readonly string[] | Promise<readonly string[]>
}

/** Endpoints for monitoring: is the service up, is it ready for traffic, and its metrics. */
export function serveHealth(app: FastifyInstance, options: Options): void {
  const { db, metrics, isStopping } = options
  app.get('/health/live', async () => ({ status: 'ok', instance: options.instance }))

  app.get('/health/ready', async (_request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      const { rows } =
        await sql`select from (select pg_is_in_recovery() as is_standby) as server where is_standby`.execute(
          db,
        )
      if (rows.length > 0) return reply.code(503).send({ status: 'database read-only' })
      const warnings = (await options.warnings?.()) ?? []
      return { status: 'ok', ...(warnings.length > 0 && { warnings }) }
    } catch {
      return reply.code(503).send({ status: 'database unavailable' })
    }
  })

  app.get('/metrics', async (request, reply) => {
    if (!maySeeMetrics(request, options)) throw errors.notFound()
    return compressed(request, reply.header('content-type', metrics.contentType), await metrics.render())
  })
}

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
