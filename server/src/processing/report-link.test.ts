import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { fetchDirectly as fetch } from '#platform/outgoing/fetch.ts'
import { reportLink } from './report-link.ts'

const LIMITS = { idleMs: 20_000, bytesMax: 1_000_000 }
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
  const line = {
    fetch,
    timeoutMs: limits.idleMs,
    environment: 'sandbox',
  } as const
  return reportLink(line, { api_key: 'secret' }, limits)
}

/** From here on, time passes only by `vi.advanceTimersByTime`: a busy machine pauses by itself. */
function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
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
  const called = Promise.withResolvers<ServerResponse>()
  const url = await serve((_request, response) => {
    response.write('x')
    called.resolve(response)
  })
  holdTime()

  const { body } = await link().stream(url)
  const response = await called.promise
  const chunks = body[Symbol.asyncIterator]()
  expect(await chunks.next()).toMatchObject({ done: false })
  for (const _pause of [1, 2, 3]) {
    const next = chunks.next()
    vi.advanceTimersByTime(LIMITS.idleMs - 1)
    response.write('x')
    expect(await next).toMatchObject({ done: false })
  }

  const last = chunks.next()
  vi.advanceTimersByTime(LIMITS.idleMs)
  await expect(last).rejects.toThrow('paused for too long')
})

test('does not count the time that the reader takes', async () => {
  const url = await serve((_request, response) => response.end('abc'))

  holdTime()
  const { body } = await link().stream(url)
  vi.advanceTimersByTime(2 * LIMITS.idleMs)

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
  let unanswered = 0
  const url = await serve(({ url: path }, response) => {
    if (path === '/moved') response.writeHead(302, { location: '/' }).end()
    else unanswered += 1
  })
  holdTime()

  const waiting = [link().stream(url), link().fetch(url)]
  const ends = Promise.allSettled(waiting)
  await expect.poll(() => unanswered).toBe(2)
  vi.advanceTimersByTime(LIMITS.idleMs)

  const paused = { reason: { message: 'the provider paused for too long' } }
  expect(await ends).toMatchObject([paused, paused])
  await expect(link().stream(`${url}/moved`)).rejects.toThrow('the answer is a redirect (302)')
})
