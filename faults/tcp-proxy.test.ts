import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Fault, startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

let server: Server
let proxy: TcpProxy
let heard = ''
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heard += chunk
      socket.write(`you said ${chunk}`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy = await startTcpProxy(server.address() as { port: number })
})
afterEach(() => {
  heard = ''
})
afterAll(async () => {
  await proxy.stop()
  server.close()
})

async function sendThrough(fault: Fault): Promise<{ socket: Socket; seen: string[] }> {
  proxy.setFault(() => fault)
  const socket = createConnection(proxy.port, '127.0.0.1')
  const seen: string[] = []
  socket.on('data', (chunk) => seen.push(String(chunk)))
  socket.on('end', () => seen.push('the end'))
  socket.on('error', (error: NodeJS.ErrnoException) => seen.push(error.code ?? ''))
  socket.write('hello')
  return { socket, seen }
}

test.each<[string, Fault, string[], string]>([
  ['carries both ways', { kind: 'none' }, ['you said hello'], 'hello'],
  ['carries both ways later', { kind: 'latency', ms: 50 }, ['you said hello'], 'hello'],
  ['breaks before anything arrives', { kind: 'refuse' }, ['ECONNRESET'], ''],
  ['breaks before the answer', { kind: 'reset' }, ['ECONNRESET'], 'hello'],
  ['ends in the middle of an answer', { kind: 'cut', afterBytes: 3 }, ['you', 'the end'], 'hello'],
])('%s', async (_name, fault, expected, arrived) => {
  const { socket, seen } = await sendThrough(fault)

  await expect.poll(() => seen, { timeout: 5_000 }).toEqual(expected)

  expect(heard).toBe(arrived)
  socket.destroy()
})

test('changes what is answered', async () => {
  const { socket, seen } = await sendThrough({ kind: 'garble' })

  await expect.poll(() => seen.join('').length, { timeout: 5_000 }).toBe('you said hello'.length)

  expect(seen.join('')).not.toContain('you')
  socket.destroy()
})

test.each(['there', 'back'] as const)('loses data on its way %s, without an error', async (way) => {
  const { socket, seen } = await sendThrough({ kind: 'swallow', way })

  await sleep(200)

  expect(seen).toEqual([])
  expect(heard).toBe(way === 'back' ? 'hello' : '')
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

test('delivers what its sender has given up', async () => {
  const { socket, seen } = await sendThrough({ kind: 'late', ms: 300 })
  await sleep(100)
  socket.destroy()

  await proxy.idle()

  expect(heard).toBe('hello')
  expect(seen).toEqual([])
})

test('spoils and breaks connections that are open', async () => {
  const { socket, seen } = await sendThrough({ kind: 'none' })
  await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['you said hello'])

  proxy.afflict({ kind: 'swallow', way: 'there' })
  socket.write(' again')
  await sleep(100)
  proxy.resetAll()

  await expect.poll(() => seen, { timeout: 5_000 }).toEqual(['you said hello', 'ECONNRESET'])
  expect(heard).toBe('hello')
  expect(proxy.counts()).toMatchObject({ none: 2, refuse: 1, reset: 1 })
})
