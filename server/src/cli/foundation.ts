import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { explainDatabase } from '#platform/database/database-errors.ts'
import { createCommandLogger } from '#platform/observability/log.ts'
import type { Config } from '../config.ts'
import type { Foundation, reachServer } from '../open-foundation.ts'
import type { Terminal } from './terminal.ts'

/** Some commands hold a lock on one connection while they work on another. */
const CONNECTIONS_MIN = 2

type Closable = { readonly close: () => Promise<void> }

/**
 * Runs a command's work on the service's database: on the running one, or on one that is started for this
 * command.
 */
export function withFoundation(
  terminal: Terminal,
  config: Config,
  work: (foundation: Foundation) => Promise<void>,
): Promise<void> {
  return withOpen(async () => {
    refuseMissingDatabase(config)
    const { openFoundation } = await loadService()
    const databasePoolSize = Math.max(config.databasePoolSize, CONNECTIONS_MIN)
    return openFoundation({ ...config, databasePoolSize }, commandOptions(terminal))
  }, work)
}

/** Without the settings of its service, a command would make a sandbox of its own, and work there. */
function refuseMissingDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== null || existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return
  throw new Error(
    `There is no database in ${dataDir}, and DATABASE_URL is not set. Start the service first: switchyard serve. ` +
      'If it runs already, run this with its settings (ENVIRONMENT, DATABASE_URL, DATA_DIR and the keys), such as inside its container.',
  )
}

type Server = Awaited<ReturnType<typeof reachServer>>

/** Like `withFoundation`, but does not change the database. */
export function withServer(
  terminal: Terminal,
  config: Config,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const open = async () => {
    const { reachServer } = await loadService()
    const server = await reachServer(config, commandOptions(terminal))
    return { ...server, close: server.stop }
  }
  return withOpen(open, work)
}

/** Loaded late: the whole service takes longer to load than a help text or a usage error should take. */
function loadService() {
  return import('../open-foundation.ts')
}

function commandOptions({ say }: Terminal) {
  return { say, logger: createCommandLogger(say), isOwner: false }
}

/**
 * Closes what an interrupted command opened. Otherwise a database server that it started would outlive it.
 */
async function withOpen<Thing extends Closable>(
  open: () => Promise<Thing>,
  work: (thing: Thing) => Promise<void>,
): Promise<void> {
  const interruption = new AbortController()
  const interrupt = (signal: NodeJS.Signals) => interruption.abort(new Error(`Stopped by ${signal}.`))
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    const opening = open()
    // If it opens only after the interruption, it is closed at once.
    interruption.signal.addEventListener(
      'abort',
      () => void opening.then((late) => late.close()).catch(() => {}),
    )
    const thing = await Promise.race([opening, rejectionOf(interruption.signal)])
    try {
      await Promise.race([work(thing), rejectionOf(interruption.signal)])
    } finally {
      await thing.close()
    }
  } catch (error) {
    throw explainDatabase(error)
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
