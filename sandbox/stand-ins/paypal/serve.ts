import type { IncomingMessage, ServerResponse } from 'node:http'

const BODY_MAX = 1024 * 1024

/** Turns a request of Node into one of the web, and the answer back. */
export async function serve(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      length += chunk.byteLength
      if (length > BODY_MAX) throw new Error('the body is too long')
      chunks.push(chunk)
    }
    const headers = new Headers()
    for (const [name, value] of Object.entries(incoming.headers)) {
      if (value !== undefined) headers.set(name, String(value))
    }
    const method = incoming.method ?? 'GET'
    const hasBody = method !== 'GET' && method !== 'HEAD' && length > 0
    const request = new Request(`http://${incoming.headers.host ?? 'stand-in'}${incoming.url ?? '/'}`, {
      method,
      headers,
      ...(hasBody && { body: new Uint8Array(Buffer.concat(chunks)) }),
    })
    const response = await handle(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  } catch {
    outgoing.writeHead(400)
    outgoing.end()
  }
}
