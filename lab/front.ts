import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from './listen.ts'
import { undoable } from './processes.ts'

export type FrontOptions = {
  /** One request for each connection, so that a broken connection breaks one request. */
  readonly isBrief?: boolean
  /** How long an order is on its way: always as long, or asked for each. Questions about it arrive at once. */
  readonly slowMs?: number | (() => number)
}

/** What a provider answers. An error breaks the connection. */
export type Handle = (request: Request) => Promise<Response>

export type Front = {
  readonly port: number
  /** How many requests have arrived, questions included. */
  readonly asked: () => number
  readonly stop: () => Promise<void>
}

/** Puts a provider that runs in the process of the program behind a network connection, like a real one. */
export async function openFront(handle: Handle, options: FrontOptions): Promise<Front> {
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    response.shouldKeepAlive = options.isBrief !== true
    setTimeout(() => void answer(handle, request, response), isOrder(request) ? waitOf(options) : 0)
  })
  // A connection that ends during a request would be a fault beyond those of the program.
  server.keepAliveTimeout = 3_600_000
  return {
    port: await listen(server),
    asked: () => asked,
    stop: undoable(async () => {
      server.close()
      server.closeAllConnections()
    }),
  }
}

function isOrder({ method }: IncomingMessage): boolean {
  return method === 'POST'
}

function waitOf({ slowMs = 0 }: FrontOptions): number {
  return typeof slowMs === 'number' ? slowMs : slowMs()
}

async function answer(handle: Handle, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const isGivenUp = new AbortController()
  response.on('close', () => isGivenUp.abort())
  try {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const { method = 'GET', url = '/' } = request
    const answered = await handle(
      new Request(new URL(url, 'http://127.0.0.1'), {
        method,
        headers: headers as Record<string, string>,
        ...(method !== 'GET' && { body: Buffer.concat(chunks) }),
        signal: isGivenUp.signal,
      }),
    )
    const body = Buffer.from(await answered.arrayBuffer())
    response.writeHead(answered.status, Object.fromEntries(answered.headers))
    response.end(body)
  } catch {
    request.socket.resetAndDestroy()
  }
}
