import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Handle = (request: Request) => Promise<Response>
type Events = { readonly onAnswered?: () => void; readonly onClose?: () => void }

/** Serves requests of the web on a port that only this machine can reach. A request that fails gets 500. */
export async function listenOn(port: number, handle: Handle, { onAnswered, onClose }: Events = {}) {
  const server = createServer(async (incoming, outgoing) => {
    const response = await toRequest(incoming)
      .then(handle)
      .catch(() => new Response(null, { status: 500 }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
    onAnswered?.()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: own } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    onClose?.()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { origin: `http://127.0.0.1:${own}`, close }
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { method = 'GET', headers, url = '/' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    ...(hasBody && { body: Buffer.concat(chunks) }),
  })
}

type Sent = { readonly headers: Record<string, string>; readonly body: string }

/** Tells a merchant something, as a provider does. Returns the status of the answer. */
export async function sendTo(url: string, message: Sent): Promise<number> {
  const response = await fetch(url, { method: 'POST', redirect: 'manual', ...message })
  await response.arrayBuffer()
  return response.status
}

export function html(page: string, status = 200): Response {
  return new Response(page, { status, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

/** The object that a text in JSON holds. Undefined: it holds something else. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
