import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { reportLink } from './report-link.ts'

const LIMITS = { idleMs: 20_000, bytesMax: 1_000_000 }
const IMPATIENT = { ...LIMITS, idleMs: 600 }
let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

async function serve(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function link(limits = LIMITS) {
  const line = { fetch, timeoutMs: limits.idleMs, environment: 'sandbox' } as const
  return reportLink(line, { api_key: 'secret' }, limits)
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const chunk of body) bytes += chunk.byteLength
  return bytes
}

test('streams an answer that is longer than one that has to fit into memory', async () => {
  const url = await serve((_request, response) => response.end(Buffer.alloc(3_000_000)))

  const { status, body } = await link({ ...LIMITS, bytesMax: 3_000_000 }).stream(url)

  expect(status).toBe(200)
  expect(await sizeOf(body)).toBe(3_000_000)
  await expect(link().fetch(url)).rejects.toThrow('more than')
})

test('ends a stream that is too long', async () => {
  const url = await serve((_request, response) => response.end(Buffer.alloc(1_000_001)))

  const { body } = await link().stream(url)

  await expect(sizeOf(body)).rejects.toThrow('the file has more than 1000000 bytes')
})

test('ends a stream that pauses for too long, and no slow one that goes on', async () => {
  const url = await serve(async ({ url: path }, response) => {
    for (let index = 0; index < 4; index++) {
      response.write('x')
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    if (path === '/slow') response.end()
  })

  const slow = await link(IMPATIENT).stream(`${url}/slow`)
  expect(await sizeOf(slow.body)).toBe(4)
  const stalled = await link(IMPATIENT).stream(`${url}/stalled`)
  await expect(sizeOf(stalled.body)).rejects.toThrow('paused for too long')
})

test('does not count the time that the reader takes', async () => {
  const url = await serve((_request, response) => response.end('abc'))

  const { body } = await link(IMPATIENT).stream(url)
  await new Promise((resolve) => setTimeout(resolve, 900))

  expect(await sizeOf(body)).toBe(3)
})

test('closes the connection when the reader leaves early', async () => {
  const closed = Promise.withResolvers<void>()
  const url = await serve((_request, response) => {
    response.on('close', closed.resolve)
    response.write('x')
  })

  const { body } = await link().stream(url)
  for await (const _chunk of body) break

  await closed.promise
})

test('gives up on a provider that does not answer, and follows no redirect', async () => {
  const url = await serve(({ url: path }, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/' }).end()
  })

  await expect(link(IMPATIENT).stream(url)).rejects.toThrow('paused for too long')
  await expect(link(IMPATIENT).fetch(url)).rejects.toThrow('paused for too long')
  await expect(link().stream(`${url}/moved`)).rejects.toThrow('fetch failed')
})
