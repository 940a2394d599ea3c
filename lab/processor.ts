import { createHmac, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createSimulator, SIMULATOR_URL } from '#sandbox/simulator/simulator.ts'
import { ADDRESS_HEADER } from './far-processor.ts'
import { type Front, type FrontOptions, openFront } from './front.ts'
import { undoable } from './processes.ts'

/** Loaded before a service, it leads its calls of the simulated processor to another process. */
export const FAR_PROCESSOR = fileURLToPath(new URL('far-processor.ts', import.meta.url))

type Options = FrontOptions & {
  /** Lives by the clock of the sandbox, which the program moves. */
  readonly hasMovedClock?: boolean
}

export type Processor = Front & {
  /** What the processor answers to a question of the program itself. */
  readonly ask: (path: string, merchantId?: string) => Promise<Response>
}

/**
 * If the service still uses a processor inside its own process, a run proves nothing. Each program that calls this was
 * seen to fail with a `far-processor.ts` that replaces nothing.
 */
export function unreached({ asked }: Pick<Front, 'asked'>): string[] {
  return asked() > 0 ? [] : ['no request reached the processor, so the run proves nothing']
}

/**
 * The simulated processor behind a network connection, like a real one. In a sandbox it runs inside the service and would
 * die with it; a real one finishes what it was asked for. Its books are in the database, in tables of their own.
 */
export async function startProcessor(databaseUrl: string, options: Options = {}): Promise<Processor> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, application_name: 'processor' })
  // Connections may be lost while they are in use, too.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const key = randomBytes(32)
  let offsetMs = 0
  const lookAtClock = async () => {
    if (!options.hasMovedClock) return
    const { rows } = await pool.query<{ offset_ms: string }>('select offset_ms from sandbox_clock')
    offsetMs = Number(rows[0]?.offset_ms ?? 0)
  }
  const simulator = createSimulator({
    pool,
    clock: () => new Date(Date.now() + offsetMs),
    mac: (input) => createHmac('sha256', key).update(input).digest(),
  })
  const handle = async (request: Request) => {
    await lookAtClock()
    const { method, headers, signal } = request
    const body = method === 'POST' ? Buffer.from(await request.arrayBuffer()) : null
    const { [ADDRESS_HEADER]: url, ...own } = Object.fromEntries(headers)
    // The simulator may ask for a broken connection, by an error.
    return simulator.handle(new Request(String(url), { method, headers: own, signal, ...(body && { body }) }))
  }
  const front = await openFront(handle, options)
  return {
    ...front,
    ask: async (path, merchantId = '') => {
      await lookAtClock()
      const headers = { 'x-merchant-id': encodeURIComponent(merchantId) }
      return simulator.fetch(`${SIMULATOR_URL}${path}`, { headers })
    },
    stop: undoable(async () => {
      await front.stop()
      await simulator.idle()
      await pool.end()
    }),
  }
}
