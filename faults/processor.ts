import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { createSimulator, SIMULATOR_URL, type Simulator } from '#simulator/simulator.ts'
import { undoable } from '../lab/processes.ts'
import { ADDRESS_HEADER } from './far-processor.ts'

type Options = {
  /** One request for each connection, so that a broken connection breaks one request. */
  readonly isBrief?: boolean
  /** How long an order is on its way. Questions about it arrive at once. */
  readonly slowMs?: number
  /** Lives by the clock of the sandbox, which the program moves. */
  readonly hasMovedClock?: boolean
}

export type Processor = {
  readonly port: number
  /** How many requests have arrived, questions included. */
  readonly asked: () => number
  /** What the processor answers to a question of the program itself. */
  readonly ask: (path: string, merchantId?: string) => Promise<Response>
  readonly stop: () => Promise<void>
}

/**
 * If the service still uses a processor inside its own process, a run proves nothing. Each program that calls this was
 * seen to fail with a `far-processor.ts` that replaces nothing.
 */
export function unreached({ asked }: Processor): string[] {
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
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    response.shouldKeepAlive = options.isBrief !== true
    const slowMs = request.method === 'POST' ? (options.slowMs ?? 0) : 0
    setTimeout(() => void answer({ simulator, lookAtClock }, request, response), slowMs)
  })
  // A connection that ends during a request would be a fault beyond those of the program.
  server.keepAliveTimeout = 3_600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return {
    port: address.port,
    asked: () => asked,
    ask: async (path, merchantId = '') => {
      await lookAtClock()
      const headers = { 'x-merchant-id': encodeURIComponent(merchantId) }
      return simulator.fetch(`${SIMULATOR_URL}${path}`, { headers })
    },
    stop: undoable(async () => {
      server.close()
      server.closeAllConnections()
      await simulator.idle()
      await pool.end()
    }),
  }
}

type Desk = { readonly simulator: Simulator; readonly lookAtClock: () => Promise<void> }

async function answer(
  { simulator, lookAtClock }: Desk,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isGivenUp = new AbortController()
  response.on('close', () => isGivenUp.abort())
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { [ADDRESS_HEADER]: url, host: _host, connection: _connection, ...headers } = request.headers
    const { method = 'GET' } = request
    await lookAtClock()
    const answered = await simulator.handle(
      new Request(String(url), {
        method,
        headers: headers as Record<string, string>,
        ...(method === 'POST' && { body: Buffer.concat(chunks) }),
        signal: isGivenUp.signal,
      }),
    )
    const body = Buffer.from(await answered.arrayBuffer())
    response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? '' })
    response.end(body)
  } catch {
    // The simulator asked for a broken connection.
    request.socket.resetAndDestroy()
  }
}
