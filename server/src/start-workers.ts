import { fileURLToPath } from 'node:url'
import { createLogger } from '#platform/observability/log.ts'
import { createMetrics } from '#platform/observability/metrics.ts'
import { type Place, ProcessGroup } from '#platform/process/process-group.ts'
import { type Config, isRootInProduction, PARENT_POOL_SIZE, ROOT_WARNING, type Role } from './config.ts'
import { describeStart } from './describe-start.ts'
import { openFoundation } from './open-foundation.ts'
import { portFor, publicUrlOf, type Service } from './start.ts'

const PROGRAM = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** What a process of the service is told to do. Its other settings are those of the parent. */
export type Task = { readonly name: string; readonly role: Role; readonly port: number }

/**
 * Starts a service as several processes. This one, their parent, prepares the database and runs it if it is embedded, accepts
 * connections for them, and starts them again if they end.
 */
export async function startWorkers(
  config: Config,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Service> {
  const logger = createLogger(config.logLevel, config.instanceId, 'parent')
  if (isRootInProduction(config)) logger.warn(ROOT_WARNING)
  const own = { ...config, databasePoolSize: PARENT_POOL_SIZE, analyticsPoolSize: 1 }
  const foundation = await openFoundation(own, { say, logger, isOwner: true })
  const metrics = createMetrics({ worker: 'parent' })
  const group = new ProcessGroup({
    program: PROGRAM,
    logger,
    answer: async (question) => (question === 'metrics' ? metrics.renderOwn() : ''),
  })
  metrics.watchProcesses(group)
  const stop = async () => {
    await group.stop()
    await foundation.close()
  }
  try {
    signal.throwIfAborted()
    const port = await portFor(config)
    const publicUrl = publicUrlOf(config, port)
    await group.start(placesOf(config, port))
    signal.throwIfAborted()
    return { publicUrl, stop, ...(await describeStart(config, port, { ...foundation, publicUrl })) }
  } catch (error) {
    await stop()
    throw error
  }
}

function placesOf({ workers, role }: Config, port: number): Place[] {
  const api = Array.from({ length: workers }, (_, index) =>
    placeOf({ name: `${index + 1}`, role: 'api', port }),
  )
  // Jobs have a process of their own, so that no payment waits for them. Its last work is to seal the audit log.
  if (role === 'api') return api
  return [...api, { ...placeOf({ name: 'jobs', role: 'worker', port }), isLast: true }]
}

function placeOf(task: Task): Place {
  return { name: task.name, task }
}
