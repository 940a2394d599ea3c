import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import { fetchDirectly as fetch } from '#platform/outgoing/fetch.ts'
import { askProvider, type Line } from './provider.ts'

const WITH = { fields: { api_key: 'secret' }, options: { mode: 'test' } }
const MAX_BYTES = 1024 * 1024
const CHUNK_BYTES = 16 * 1024
const APPROVED = { outcome: 'approved', reference: 'r1', facts: {} } as const

function line(change: Partial<Line> = {}): Line {
  return { fetch: async () => new Response('ok'), timeoutMs: 200, environment: 'sandbox', ...change }
}

test('hands the order and the link to the connector, and its answer back', async () => {
  const ask = vi.fn(async (_order: { amount: number }, _link: Link) => APPROVED)

  const answer = await askProvider(line(), ask, { amount: 1299 }, WITH)

  expect(answer).toBe(APPROVED)
  expect(ask).toHaveBeenCalledWith(
    { amount: 1299 },
    {
      ...WITH,
      environment: 'sandbox',
      fetch: expect.any(Function),
      now: expect.any(Function),
      remember: expect.any(Function),
      forget: expect.any(Function),
    },
  )
})

test.each([
  ['rejects', () => Promise.reject(new Error('sent 4111111111111111 with secret'))],
  [
    'throws before there is a promise',
    () => {
      throw new URIError('sent 4111111111111111 with secret')
    },
  ],
])('a connector that %s leaves the outcome unknown, and its words are not repeated', async (_how, ask) => {
  const answer = await askProvider(line(), ask, {}, WITH)

  expect(answer).toEqual({ outcome: 'unknown', reason: 'the provider’s answer could not be read' })
})

test('a connector that takes too long leaves the outcome unknown, and is not waited for', async () => {
  const answer = await askProvider(line({ timeoutMs: 50 }), () => new Promise(() => {}), {}, WITH)

  expect(answer).toEqual({ outcome: 'unknown', reason: 'the provider did not answer in time' })
})

test('an error of a connector after the deadline is ignored', async () => {
  const late = Promise.withResolvers<never>()

  const answer = await askProvider(line({ timeoutMs: 20 }), () => late.promise, {}, WITH)
  late.reject(new Error('too late'))
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(answer).toMatchObject({ outcome: 'unknown' })
})

test('requests end with the deadline', async () => {
  const fetch = vi.fn(
    (_url: string, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
      }),
  )
  const ask = async (_order: object, link: Link) => {
    await link.fetch('https://provider.example.com/charge', { method: 'POST' })
    return APPROVED
  }

  const answer = await askProvider(line({ fetch, timeoutMs: 50 }), ask, {}, WITH)

  expect(answer).toMatchObject({ outcome: 'unknown' })
  expect(fetch).toHaveBeenCalledWith('https://provider.example.com/charge', {
    method: 'POST',
    signal: expect.any(AbortSignal),
  })
  expect(fetch.mock.calls[0]?.[1]?.signal?.aborted).toBe(true)
})

describe('an answer over the network', () => {
  let server: Server
  let url = ''
  let sent = 0
  let closed = Promise.withResolvers<void>()
  beforeAll(async () => {
    server = createServer((request, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(request.url === '/refusal' ? 400 : 200, { 'content-type': 'application/json' })
      const bytes = Number(new URL(request.url ?? '', 'http://x').searchParams.get('bytes') ?? Infinity)
      Readable.from(chunksOf(bytes)).pipe(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    url = `http://127.0.0.1:${port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  beforeEach(() => {
    sent = 0
    closed = Promise.withResolvers<void>()
  })

  function* chunksOf(bytes: number) {
    for (; sent < bytes; sent += CHUNK_BYTES) yield Buffer.alloc(Math.min(CHUNK_BYTES, bytes - sent), ' ')
  }

  const reading = (path: string) => async (_order: object, link: Link) => {
    const response = await link.fetch(`${url}${path}`)
    // As a careless connector would do.
    if (response.status >= 400) return { outcome: 'failed' as const }
    return { outcome: 'read' as const, bytes: (await response.arrayBuffer()).byteLength }
  }

  test.each(['/', '/refusal'])(
    'that never ends is given up and leaves the outcome unknown: %s',
    async (path) => {
      const patient = line({ fetch, timeoutMs: 60_000 })

      const answer = await askProvider(patient, reading(path), {}, WITH)
      await closed.promise

      expect(answer).toEqual({ outcome: 'unknown', reason: 'the provider’s answer could not be read' })
      // After we close the connection, only buffered bytes arrive.
      expect(sent).toBeLessThan(16 * MAX_BYTES)
    },
  )

  test.each([0, 1, MAX_BYTES])('of %i bytes is read', async (bytes) => {
    const answer = await askProvider(
      line({ fetch, timeoutMs: 60_000 }),
      reading(`/?bytes=${bytes}`),
      {},
      WITH,
    )

    expect(answer).toEqual({ outcome: 'read', bytes })
  })

  test('of one byte more is not read', async () => {
    const path = `/?bytes=${MAX_BYTES + 1}`

    const answer = await askProvider(line({ fetch, timeoutMs: 60_000 }), reading(path), {}, WITH)

    expect(answer).toMatchObject({ outcome: 'unknown' })
  })
})

test('an answer without a body is handed on, with its status and headers', async () => {
  const empty = new Response(null, { status: 204, headers: { 'x-provider': 'p' } })
  const text = new Response('no', { status: 422, statusText: 'No', headers: { 'x-provider': 'p' } })
  const asked = [empty, text]
  const ask = async (_order: object, link: Link) => {
    const { status, statusText, headers } = await link.fetch('https://provider.example.com')
    return { outcome: 'read' as const, status, statusText, header: headers.get('x-provider') }
  }
  const scripted = line({ fetch: async () => asked.shift() ?? Response.error() })

  const first = await askProvider(scripted, ask, {}, WITH)
  const second = await askProvider(scripted, ask, {}, WITH)

  expect(first).toEqual({ outcome: 'read', status: 204, statusText: '', header: 'p' })
  expect(second).toEqual({ outcome: 'read', status: 422, statusText: 'No', header: 'p' })
})
