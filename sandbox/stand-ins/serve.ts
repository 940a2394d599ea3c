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
