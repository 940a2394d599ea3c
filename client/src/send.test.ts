import { afterEach, expect, test, vi } from 'vitest'
import { connect } from './connect.ts'
import { RateLimitError, ServerError, TooEarlyError, UnknownOutcomeError } from './errors.ts'
import { create, list } from './generated/buyers.ts'
import { waitBeforeNext } from './retry.ts'
import { verifyWebhook } from './webhooks.ts'

/** What can only be shown with answers that a real service gives rarely. */

afterEach(() => {
  vi.useRealTimers()
})

type Step = Response | Error | ((init: RequestInit) => Promise<Response>)

/** Gives these answers, one after the other. */
function connectTo(steps: Step[], settings: { token?: () => Promise<string>; retries?: number } = {}) {
  const sent: { key: string | null; token: string | null }[] = []
  const connection = connect({
    url: 'https://payments.example/',
    ...settings,
    fetch: async (_url, init = {}) => {
      const headers = new Headers(init.headers)
      sent.push({ key: headers.get('idempotency-key'), token: headers.get('authorization') })
      const step = steps.shift()
      if (step instanceof Response) return step
      if (typeof step === 'function') return step(init)
      throw step ?? new Error('no more answers')
    },
  })
  return { connection, sent }
}

const answer = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ type: 'error', code, status, message: 'No', details: [] }), {
    status,
    headers,
  })
const good = () => Response.json({ id: 'b-1' }, { status: 201 })
const now = { 'retry-after': '0' }

test('repeats what may pass, under one key, and returns the answer', async () => {
  const { connection, sent } = connectTo([
    new TypeError('fetch failed'),
    answer(503, 'service_unavailable', now),
    answer(409, 'concurrent_request', now),
    answer(429, 'too_many_requests', now),
    good(),
  ])

  await expect(create(connection, {})).resolves.toEqual({ id: 'b-1' })

  expect(sent).toHaveLength(5)
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
})

test('an answer that does not say what became of an earlier try leaves it unknown', async () => {
  for (const last of [
    answer(401, 'unauthorized'),
    answer(429, 'too_many_requests', { 'retry-after': '900' }),
  ]) {
    const { connection } = connectTo([new TypeError('fetch failed'), last])

    await expect(create(connection, {})).rejects.toBeInstanceOf(UnknownOutcomeError)
  }
  const { connection } = connectTo([answer(500, 'server_error'), good()], { retries: 0 })
  const error = await create(connection, {}).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(UnknownOutcomeError)
  expect((error as UnknownOutcomeError).cause).toBeInstanceOf(ServerError)
  await expect((error as UnknownOutcomeError).again()).resolves.toEqual({ id: 'b-1' })
})

test('a refusal that changed nothing is never called unknown', async () => {
  const busy = connectTo([answer(429, 'too_many_requests', { 'retry-after': '900' })])
  const early = connectTo([answer(425, 'too_early')], { retries: 0 })
  const reading = connectTo([answer(500, 'server_error')], { retries: 0 })

  await expect(create(busy.connection, {})).rejects.toBeInstanceOf(RateLimitError)
  await expect(create(early.connection, {})).rejects.toBeInstanceOf(TooEarlyError)
  await expect(list(reading.connection).page()).rejects.toBeInstanceOf(ServerError)
})

test('an abort before sending is its reason; one while a change is under way leaves it unknown', async () => {
  const never = (init: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  const reason = new Error('the buyer has left')
  const first = connectTo([good()])
  await expect(create(first.connection, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  expect(first.sent).toHaveLength(0)

  const stop = new AbortController()
  const second = connectTo([never, good()])
  const call = create(second.connection, {}, { signal: stop.signal })
  const ended = expect(call).rejects.toMatchObject({ code: 'unknown', cause: reason })
  await vi.waitFor(() => expect(second.sent).toHaveLength(1))
  stop.abort(reason)
  await ended

  const timed = connectTo([never], { retries: 0 })
  await expect(list(timed.connection, {}, { timeoutMs: 1 }).page()).rejects.toMatchObject({
    code: 'no_answer',
  })
})

test('waits longer each time, at least as long as asked, and not for more than a minute', () => {
  const waits = (retryAfterMs?: number) =>
    [0, 1, 2, 10].map((tried) =>
      waitBeforeNext(
        new RateLimitError({ status: 429, code: '', message: '', retryAfterMs }),
        tried,
        () => 1,
      ),
    )

  expect(waits()).toEqual([250, 500, 1_000, 8_000])
  expect(waits(2_000)).toEqual([2_250, 2_500, 3_000, 10_000])
  expect(waits(66_000)).toEqual([undefined, undefined, undefined, undefined])
})

test('one token serves all calls until shortly before its end', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000_000 })
  let made = 0
  const token = async () => {
    made += 1
    const claims = btoa(JSON.stringify({ exp: Date.now() / 1_000 + 600, made }))
    return `x.${claims}.x`
  }
  const { connection, sent } = connectTo(
    [good(), good(), good(), answer(401, 'unauthorized'), good(), answer(401, 'unauthorized')],
    { token },
  )

  await Promise.all([create(connection, {}), create(connection, {})])
  expect(made).toBe(1)
  vi.setSystemTime(1_000_000_541_000)
  await create(connection, {})
  expect(made).toBe(2)

  // A token that has served is renewed once. A new one that is refused is not.
  await create(connection, {})
  expect(made).toBe(3)
  vi.setSystemTime(1_000_002_000_000)
  await expect(create(connection, {})).rejects.toMatchObject({ status: 401 })
  expect(made).toBe(4)
  expect(sent).toHaveLength(6)
})

test('a webhook that is old, cut or has no signature is refused', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_794_700_800_000 })
  const secret = 'd2hhdC1hLXRlc3QtdmVjdG9yLW11c3QtYmUtaXMta25vd24tdG8tYWxsLXNvLW5ldmVyLXVzZS1pdC1vay1ieW'
  const body = '{"type":"event","id":"0199a3c1-52f0-7c31-9d0a-5e1f0c7a2b11","name":"buyer.created"}'
  const headers = {
    'Webhook-Id': '0199a3c1-52f0-7c31-9d0a-5e1f0c7a2b11',
    'Webhook-Timestamp': '1794700800',
    'Webhook-Signature': 'v1a,xx v1,!! v1,9brRfjCokZWlLuqKO11NX1ByDeLvtio6Et81bw2iJ9o=',
  }
  const plain = {
    'x-service-webhook-timestamp': '1794700800',
    'x-service-webhook-signatures': 'zz,e72f59446413d49112d9eddc4feb54bf2746335bc90670c4297ed2185e42515e',
  }
  const given = { body, secret, headers }

  await expect(verifyWebhook(given)).resolves.toMatchObject({ name: 'buyer.created' })
  await expect(verifyWebhook({ ...given, headers: new Headers(plain) })).resolves.toMatchObject({
    type: 'event',
  })
  await expect(verifyWebhook({ ...given, body: `${body} ` })).rejects.toMatchObject({
    reason: 'signature_mismatch',
  })
  await expect(verifyWebhook({ ...given, headers: {} })).rejects.toMatchObject({ reason: 'header_missing' })
  await expect(verifyWebhook({ ...given, secret: [] })).rejects.toBeInstanceOf(TypeError)
  vi.setSystemTime(1_794_701_101_000)
  await expect(verifyWebhook(given)).rejects.toMatchObject({ reason: 'timestamp_out_of_range' })
})
