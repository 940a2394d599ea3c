import { once } from 'node:events'
import { createServer, Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { undoable } from './processes.ts'

/** Lets a server listen until the run ends, at a port of its own. */
export async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  undoable(async () => {
    if (server instanceof HttpServer) server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

type Received = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As much of it as arrived: the sender may have been killed while it sent. */
  readonly body: string
  readonly isWhole: boolean
}

/** The server of a merchant. Returns its address. */
export async function openReceiver(take: (received: Received) => unknown): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    let isWhole = true
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      isWhole = false
    }
    await take({ request, response, body: Buffer.concat(chunks).toString(), isWhole })
  })
  return `http://127.0.0.1:${await listen(server)}`
}
