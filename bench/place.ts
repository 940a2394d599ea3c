import { joinEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import type { Connection } from '#platform/database/open-database.ts'
import { createCommandLogger, createLogger } from '#platform/observability/log.ts'
import { undoable } from '../lab/processes.ts'
import { type DataFolder, prepareDataFolder, type Service, startService } from '../lab/product.ts'
import { readConfig } from '../server/src/config.ts'
import { type Foundation, openFoundation } from '../server/src/open-foundation.ts'

/** A service on a database of its own, and what requests to it need. It ends with the benchmark. */
export type Place = Service & {
  readonly folder: DataFolder
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly connection: Connection
}

/** Other processes have the jobs, or none. */
export const WITHOUT_JOBS = { env: { ROLE: 'api' } }

export async function openPlace(settings: Parameters<typeof startService>[1] = {}): Promise<Place> {
  const folder = await prepareDataFolder()
  const service = await startService(folder, settings)
  const { connection } = await joinEmbeddedPostgres({ dataDir: folder.path, say: () => {} })
  const headers = { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' }
  return { ...service, folder, token: folder.token, headers, connection }
}

export type Parts = Foundation & { readonly config: ReturnType<typeof readConfig> }

/** Parts of the service in this process, on the same database. They are closed when the benchmark ends. */
export async function openParts(
  { folder }: Place,
  { poolSize, say }: { readonly poolSize?: number; readonly say?: (text: string) => void } = {},
): Promise<Parts> {
  const size = poolSize && { DATABASE_POOL_SIZE: String(poolSize) }
  const config = readConfig({ DATA_DIR: folder.path, ...size })
  const logger = say ? createCommandLogger(say) : createLogger('fatal', 'bench')
  const foundation = await openFoundation(config, { say: () => {}, logger, isOwner: false })
  undoable(foundation.close)
  return { ...foundation, config }
}
