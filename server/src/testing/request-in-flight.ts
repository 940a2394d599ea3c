import { once } from 'node:events'
import { connect as openSocket, type Socket } from 'node:net'
import type { Running } from './service-process.ts'

/** Sends all but the body. The service has taken the request once it asks for that. */
export async function beginRequest(service: Running, bearer: string, body: string): Promise<Socket> {
  const socket = openSocket(service.port, '127.0.0.1')
  socket.write(
    `POST /merchant-accounts HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`,
  )
  const [answer] = await once(socket, 'data')
  if (!String(answer).includes('100 Continue')) throw new Error(String(answer))
  return socket
}

/** Everything that comes until the connection closes. */
export function received(socket: Socket): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
}
