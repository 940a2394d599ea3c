import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLogger } from '#platform/observability/log.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type Receiver, startDelivering, startReceiver, until } from '#testing/receiver.ts'
import { selfSigned } from '#testing/self-signed.ts'
import { RETRY_DELAYS_MS } from './attempt-delivery.ts'
import { deliverDue } from './deliver.ts'
import { deliveryReading } from './resource.ts'

const DAY_MS = 86_400_000

let service: TestService
let receiver: Receiver
let worker: ReturnType<typeof startDelivering>
beforeAll(async () => {
  service = await startPatientService()
})
beforeEach(async () => {
  receiver = await startReceiver()
  worker = startDelivering(service)
})
afterEach(async () => {
  await worker.stop()
  await receiver.close()
  // The next test has its own receivers.
  await service.context.db.updateTable('webhook_subscriptions').set({ active: false }).execute()
})
afterAll(() => service.close())

/** The clock moves by days, so the token must be valid that long. */
async function startPatientService(): Promise<TestService> {
  const started = await startTestService()
  const exp = Math.floor(Date.now() / 1000) + 365 * 86_400
  const token = await signToken(started.admin, { exp })
  return { ...started, send: (route, body, options) => started.send(route, body, { token, ...options }) }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked field by field
type Json = any

const subscribe = async (more: object = {}, account = 'default'): Promise<Json> =>
  (
    await service.send('POST /webhook-subscriptions', { url: `${receiver.url}/hooks`, ...more }, { account })
  ).json()
const makeBuyer = async (): Promise<Json> =>
  (await service.send('POST /buyers', { display_name: 'Anna' })).json()
const sendTest = async (id: string): Promise<Json> =>
  (await service.send(`POST /webhook-subscriptions/${id}/test`)).json()
const deliveriesOf = async (id: string, query = ''): Promise<Json[]> =>
  (await service.send(`GET /webhook-subscriptions/${id}/deliveries?limit=100${query}`)).json().items
const deliveryOf = async (id: string, event: string): Promise<Json> =>
  (await service.send(`GET /webhook-subscriptions/${id}/deliveries/${event}`)).json()
const attemptsOf = async (id: string, event: string): Promise<Json[]> =>
  (await service.send(`GET /webhook-subscriptions/${id}/deliveries/${event}/attempts`)).json().items
const reaches = (id: string, event: string, status: string, attempts: number) =>
  until(async () => {
    const made = await attemptsOf(id, event)
    return made[0]?.number >= attempts && (await deliveryOf(id, event)).status === status
  })

describe('an event', () => {
  test('is sent to the subscriptions of its account and to those of all accounts, with the payload of the log', async () => {
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
    await subscribe({ url: `${receiver.url}/own` })
    await subscribe({ url: `${receiver.url}/all` }, '*')
    await subscribe({ url: `${receiver.url}/other` }, 'other-shop')
    await subscribe({ url: `${receiver.url}/asleep`, active: false })

    const buyer = await makeBuyer()
    await receiver.waitFor(2)

    expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/all', '/own']))
    const [first] = receiver.received
    expect(first?.event).toMatchObject({
      type: 'event',
      name: 'buyer.created',
      merchant_account_id: 'default',
      instance_id: 'test',
      environment: 'sandbox',
      sequence: expect.any(Number),
      target: buyer,
    })
    expect((await service.send(`GET /events/${first?.event.id}`)).json()).toEqual(first?.event)
  })

  test('carries numbers that increase with each event of its target', async () => {
    await subscribe()

    const { id } = await makeBuyer()
    for (const name of ['Berta', 'Clara']) await service.send(`PUT /buyers/${id}`, { display_name: name })
    await service.send(`DELETE /buyers/${id}`)
    await receiver.waitFor(4)

    const inOrder = receiver.received.map(({ event }) => event).sort((a, b) => a.sequence - b.sequence)
    expect(inOrder.map(({ name, target }) => `${name} ${target.display_name}`)).toEqual([
      'buyer.created Anna',
      'buyer.updated Berta',
      'buyer.updated Clara',
      'buyer.deleted Clara',
    ])
  })

  test('carries numbers in the order of a payment’s events', async () => {
    await subscribe()

    const payment = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      intent: 'capture',
      payment_method: {
        method: 'card',
        number: '4111111111111111',
        expiration_date: '12/40',
        security_code: '123',
      },
    })
    await receiver.waitFor(2)

    expect(payment.json().status).toBe('capture_succeeded')
    const told = receiver.received.map(({ event }) => event)
    expect(new Set(told.map(({ sequence }) => sequence)).size).toBe(told.length)
    expect(new Set(told.map(({ name }) => name))).toEqual(
      new Set(['capture.succeeded', 'transaction.captured']),
    )
    expect(JSON.stringify(told)).not.toContain('4111111111111111')
  })

  test('is signed by every live secret, in both schemes', async () => {
    const { id, secret: former } = await subscribe()
    const { secret } = (
      await service.send(`POST /webhook-subscriptions/${id}/rotate-secret`, { delta: 10 })
    ).json()

    await sendTest(id)
    await receiver.waitFor(1)
    service.moveClock(11 * 60_000)
    await sendTest(id)
    await receiver.waitFor(2)

    const [during, after] = receiver.received
    expect(during?.headers['x-service-webhook-signatures']).toBe(
      [secret, former].map((key) => plainSignature(key, during)).join(','),
    )
    expect(during?.headers['webhook-signature']).toBe(
      [secret, former].map((key) => standardSignature(key, during)).join(' '),
    )
    expect(during?.headers['x-service-webhook-id']).toBe(during?.event.id)
    expect(after?.headers['x-service-webhook-signatures']).toBe(plainSignature(secret, after))
    expect(after?.headers['webhook-signature']).toBe(standardSignature(secret, after))
  })
})

describe('authentication', () => {
  test('by name and password', async () => {
    const { id } = await subscribe({ authentication: { username: 'anna', password: 'pass:word' } })

    await sendTest(id)
    await receiver.waitFor(1)

    const expected = `Basic ${Buffer.from('anna:pass:word').toString('base64')}`
    expect(receiver.received[0]?.headers.authorization).toBe(expected)
  })

  test.each([
    ['oauth_client_credentials', {}, 'client_credentials'],
    ['oauth_password', { username: 'anna', password: 'hush' }, 'password'],
  ])('by a token that is fetched once, and again when it is refused: %s', async (kind, more, grant) => {
    let tokens = 0
    receiver.answer((response, { path, headers }) => {
      if (path === '/token') {
        tokens += 1
        response.end(JSON.stringify({ access_token: `token-${tokens}`, expires_in: 3600 }))
        return
      }
      response.statusCode = headers.authorization === 'Bearer token-1' && tokens > 0 && isRevoked ? 401 : 200
      response.end()
    })
    let isRevoked = false
    const { id } = await subscribe({
      authentication: {
        kind,
        client_id: 'shop',
        client_secret: 'hush-hush',
        token_url: `${receiver.url}/token`,
        scope: 'events',
        ...more,
      },
    })

    const first = await sendTest(id)
    await reaches(id, first.id, 'delivered', 1)
    const second = await sendTest(id)
    await reaches(id, second.id, 'delivered', 1)
    isRevoked = true
    const third = await sendTest(id)
    await reaches(id, third.id, 'delivered', 1)
    service.moveClock(2 * 3600_000)
    const fourth = await sendTest(id)
    await reaches(id, fourth.id, 'delivered', 1)

    expect(tokens).toBe(3)
    const asked = new URLSearchParams(receiver.received[0]?.body)
    expect(Object.fromEntries(asked)).toEqual({
      grant_type: grant,
      client_id: 'shop',
      client_secret: 'hush-hush',
      scope: 'events',
      ...more,
    })
    expect(receiver.received.map(({ headers }) => headers.authorization).filter(Boolean)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
      'Bearer token-3',
    ])
  })

  test.each([
    ['a refusal', 400, '{"error":"invalid_client"}'],
    ['410, which is not the receiver’s own', 410, ''],
    ['no token', 200, '{}'],
    ['no JSON', 200, '<html>'],
    ['a token that fits no header', 200, '{"access_token":"a\\nb"}'],
  ])('fails when the token endpoint answers with %s', async (_name, status, body) => {
    receiver.answer((response) => response.writeHead(status).end(body))
    const { id } = await subscribe({
      authentication: {
        kind: 'oauth_client_credentials',
        client_id: 'shop',
        client_secret: 'hush-hush',
        token_url: `${receiver.url}/token`,
      },
    })

    const test = await sendTest(id)
    await reaches(id, test.id, 'waiting', 1)

    expect(await attemptsOf(id, test.id)).toMatchObject([
      { outcome: 'token_refused', response_status_code: status, response_body: null },
    ])
    expect((await service.send(`GET /webhook-subscriptions/${id}`)).json().active).toBe(true)
  })
})

describe('a receiver that takes nothing', () => {
  const attention = async () =>
    (await service.send('GET /attention', undefined, { account: 'default' }))
      .json()
      .items.filter(({ kind }: Json) => kind === 'failing_webhooks')
  const shown = async (id: string): Promise<Json> =>
    (await service.send(`GET /webhook-subscriptions/${id}`)).json()

  test('needs a person after some minutes, until it takes something', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    const { id } = await subscribe()
    await makeBuyer()
    await until(async () => (await shown(id)).failing_since !== null)
    expect(await shown(id)).toMatchObject({ active: true, last_delivered_at: null })
    expect(await attention()).toEqual([])

    service.moveClock(6 * 60_000)

    const { failing_since } = await shown(id)
    expect(await attention()).toMatchObject([
      { count: 1, oldest_at: failing_since, ids: [id], path: `/webhook-subscriptions/${id}/deliveries` },
    ])
    const gauges = await deliveryReading.read(service)
    const failing = gauges.find(({ gauge }) => gauge === 'switchyard_webhook_failing_seconds')
    expect(failing?.value).toBeGreaterThanOrEqual(360)
    receiver.answer((response) => response.writeHead(200).end())
    await makeBuyer()
    await until(async () => (await shown(id)).failing_since === null)
    expect((await shown(id)).last_delivered_at).not.toBeNull()
    expect(await attention()).toEqual([])
  })

  test('is judged anew at another address', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    const { id } = await subscribe()
    await makeBuyer()
    await until(async () => (await shown(id)).failing_since !== null)

    const moved = await service.send(`PUT /webhook-subscriptions/${id}`, { url: `${receiver.url}/moved` })

    expect(moved.json().failing_since).toBeNull()
  })
})

describe('a receiver that answers', () => {
  test('200 and then cuts the body has taken the event', async () => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    })
    const { id } = await subscribe()
    const { id: event } = await sendTest(id)

    await reaches(id, event, 'delivered', 1)

    expect(await attemptsOf(id, event)).toMatchObject([{ outcome: 'delivered', response_status_code: 200 }])
  })

  test.each([[200], [201], [204], [299]])('%i accepts the event', async (status) => {
    receiver.answer((response) => response.writeHead(status).end())
    const { id } = await subscribe()

    const test = await sendTest(id)
    await reaches(id, test.id, 'delivered', 1)

    expect(await deliveryOf(id, test.id)).toMatchObject({
      response_status_code: status,
      outcome: 'delivered',
      next_attempt_at: null,
      delivered_at: expect.any(String),
    })
  })

  test.each([[301], [302], [400], [404], [500], [503]])(
    '%i is asked again in five seconds',
    async (status) => {
      receiver.answer((response) =>
        response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end('no'),
      )
      const { id } = await subscribe()

      const test = await sendTest(id)
      await reaches(id, test.id, 'waiting', 1)

      const delivery = await deliveryOf(id, test.id)
      expect(delivery).toMatchObject({ outcome: 'refused', response_status_code: status, delivered_at: null })
      const waitMs = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.updated_at)
      expect(Math.abs(waitMs - 5_000)).toBeLessThan(4_000)
      expect(await attemptsOf(id, test.id)).toMatchObject([
        { number: 1, outcome: 'refused', response_body: 'no' },
      ])
      expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks'])
    },
  )

  test.each([
    ['seconds', () => '7200', 7_200_000],
    ['a date', () => new Date(service.context.clock().getTime() + 7_200_000).toUTCString(), 7_200_000],
    ['a year, of which a day is granted', () => String(365 * 86_400), DAY_MS],
  ])('429 with Retry-After in %s gets no request for that time', async (_name, header, waitMs) => {
    receiver.answer((response) => response.writeHead(429, { 'retry-after': header() }).end())
    const { id } = await subscribe()

    const test = await sendTest(id)
    await reaches(id, test.id, 'waiting', 1)

    const delivery = await deliveryOf(id, test.id)
    const planned = Date.parse(delivery.next_attempt_at) - Date.parse(delivery.updated_at)
    expect(Math.abs(planned - waitMs)).toBeLessThan(60_000)
  })

  test('410 gets no more requests: the subscription is made inactive, and its deliveries are parked', async () => {
    receiver.answer((response) => response.writeHead(410).end())
    const { id } = await subscribe()

    const test = await sendTest(id)
    await reaches(id, test.id, 'parked', 1)
    await until(async () => !(await service.send(`GET /webhook-subscriptions/${id}`)).json().active)

    expect(await deliveryOf(id, test.id)).toMatchObject({ parked_because: 'subscription_inactive' })
  })

  test('410 from a former URL changes nothing', async () => {
    let release = () => {}
    receiver.answer((response) => {
      release = () => response.writeHead(410).end()
    })
    const { id } = await subscribe()
    const test = await sendTest(id)
    await receiver.waitFor(1)

    await service.send(`PUT /webhook-subscriptions/${id}`, { url: `${receiver.url}/moved` })
    release()
    await reaches(id, test.id, 'parked', 1)
    await worker.stop()

    expect((await service.send(`GET /webhook-subscriptions/${id}`)).json().active).toBe(true)
    worker = startDelivering(service)
  })

  test('100 MB is read up to 20 kB, and long numbers are not stored', async () => {
    let sent = 0
    receiver.answer((response) => {
      const chunk = Buffer.from('4111111111111111 '.repeat(4_000))
      const more = () => {
        while (sent < 100_000_000 && !response.destroyed) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    const { id } = await subscribe()

    const test = await sendTest(id)
    await reaches(id, test.id, 'delivered', 1)

    const [attempt] = await attemptsOf(id, test.id)
    expect(attempt.response_body.length).toBeLessThanOrEqual(20_000)
    expect(attempt.response_body).not.toContain('4111111111111111')
    expect(sent).toBeLessThan(50_000_000)
  })

  test('with zero bytes and broken characters is stored', async () => {
    receiver.answer((response) => response.end(Buffer.from([0x6f, 0x00, 0x6b, 0xc3])))
    const { id } = await subscribe()

    const test = await sendTest(id)
    await reaches(id, test.id, 'delivered', 1)

    expect((await attemptsOf(id, test.id))[0].response_body).toMatch(/^ok/)
  })

  test('with an encoded zero byte beside a long number is stored, and so are the answers of others', async () => {
    receiver.answer((response, { path }) => response.end(path === '/odd' ? '%00 4111111111111111' : 'ok'))
    const odd = await subscribe({ url: `${receiver.url}/odd` })
    const plain = await subscribe({ url: `${receiver.url}/plain` })

    await makeBuyer()
    await receiver.waitFor(2)

    for (const { id } of [odd, plain]) {
      await expect
        .poll(() => deliveriesOf(id), { timeout: 5_000 })
        .toMatchObject([{ status: 'delivered', attempts: 1 }])
    }
    const [{ id: event }] = await deliveriesOf(odd.id)
    expect((await attemptsOf(odd.id, event))[0].response_body).toBe(' ***')
  })

  test.each<[string, (socket: import('node:net').Socket) => void, RegExp]>([
    ['nothing at all', (socket) => void socket.destroy(), /unreachable|answer_broken/],
    ['half a status line', (socket) => void socket.end('HTTP/1.1 20'), /unreachable|answer_broken/],
    ['nonsense', (socket) => void socket.end('hello\r\n\r\n'), /answer_broken/],
  ])('%s has not accepted the event', async (_name, answer, outcome) => {
    receiver.answer((response) => response.socket && answer(response.socket))
    const { id } = await subscribe()

    const test = await sendTest(id)
    await reaches(id, test.id, 'waiting', 1)

    expect((await deliveryOf(id, test.id)).outcome).toMatch(outcome)
  })

  test('too slowly has not accepted the event, and does not delay others', async () => {
    receiver.answer((response, { path }) => {
      if (path !== '/slow') response.end()
    })
    const slow = await subscribe({ url: `${receiver.url}/slow` })
    const quick = await subscribe({ url: `${receiver.url}/quick` })

    const held = await sendTest(slow.id)
    const test = await sendTest(quick.id)
    await reaches(quick.id, test.id, 'delivered', 1)
    await reaches(slow.id, held.id, 'waiting', 1)

    const [late, other] = [await deliveryOf(slow.id, held.id), await deliveryOf(quick.id, test.id)]
    expect(late).toMatchObject({ outcome: 'timed_out', response_status_code: null })
    expect(Date.parse(late.updated_at) - Date.parse(late.created_at)).toBeGreaterThan(4_900)
    expect(Date.parse(other.delivered_at)).toBeLessThan(Date.parse(late.updated_at))
  })
})

describe('an attempt that made no connection says why', () => {
  test('when no program listens', async () => {
    const closed = await startReceiver()
    await closed.close()

    expect(await attemptAt(closed.url)).toMatchObject({
      outcome: 'unreachable',
      reason: 'connection_refused',
      response_body: null,
    })
  })

  test('when the certificate is not trusted', async () => {
    const server = createServer(selfSigned('localhost')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }

    expect(await attemptAt(`https://localhost:${port}`)).toMatchObject({
      outcome: 'unreachable',
      reason: 'certificate_untrusted',
    })
    server.close()
  })

  test('but not if it was answered', async () => {
    receiver.answer((response) => response.writeHead(500).end())

    expect(await attemptAt(receiver.url)).toMatchObject({ outcome: 'refused', reason: null })
  })

  async function attemptAt(url: string): Promise<Json> {
    const { id } = await subscribe({ url })
    const test = await sendTest(id)
    await reaches(id, test.id, 'waiting', 1)
    const [attempt] = await attemptsOf(id, test.id)
    return attempt
  }
})

test('a refused address is not reached, even if its name was harmless before', async () => {
  const { id } = await subscribe()
  await service.context.db
    .updateTable('webhook_subscriptions')
    .set({ url: 'http://169.254.169.254/latest/meta-data' })
    .where('id', '=', id)
    .execute()

  const test = await sendTest(id)
  await reaches(id, test.id, 'waiting', 1)

  expect((await deliveryOf(id, test.id)).outcome).toBe('address_refused')
})

describe('the schedule', () => {
  test('is tried thirteen times over about a week, then parked, and can be replayed', async () => {
    receiver.answer((response) => response.writeHead(500).end())
    const { id } = await subscribe()

    const test = await sendTest(id)
    const waits: number[] = []
    for (const [failures, delay] of RETRY_DELAYS_MS.entries()) {
      await reaches(id, test.id, 'waiting', failures + 1)
      const { next_attempt_at, updated_at } = await deliveryOf(id, test.id)
      waits.push((Date.parse(next_attempt_at) - Date.parse(updated_at)) / delay)
      service.moveClock(delay * 1.2)
    }
    await reaches(id, test.id, 'parked', 13)
    service.moveClock(7 * DAY_MS)
    receiver.answer((response) => response.end())
    const replayed = await service.send(`POST /webhook-subscriptions/${id}/deliveries/${test.id}/replay`)
    await reaches(id, test.id, 'delivered', 14)

    expect(Math.min(...waits)).toBeGreaterThan(0.79)
    expect(Math.max(...waits)).toBeLessThan(1.21)
    expect(new Set(waits.map((wait) => wait.toFixed(3))).size).toBeGreaterThan(1)
    expect(replayed.statusCode).toBe(200)
    expect(receiver.received.every(({ headers }) => headers['webhook-id'] === test.id)).toBe(true)
    expect((await attemptsOf(id, test.id)).map(({ number }) => number)).toEqual(
      Array.from({ length: 14 }, (_, index) => 14 - index),
    )
    expect(await worker.metrics.render()).toMatch(
      /webhook_deliveries_total{result="parked",because="schedule_ended"} [1-9]/,
    )
  })

  test('adds up to about a week', () => {
    const days = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / DAY_MS

    expect(days).toBeGreaterThan(6)
    expect(days).toBeLessThan(7)
  })
})

describe('while a delivery waits', () => {
  const fail = async () => {
    receiver.answer((response) => response.writeHead(500).end())
    const { id } = await subscribe()
    const test = await sendTest(id)
    await reaches(id, test.id, 'waiting', 1)
    receiver.answer((response) => response.end())
    return { id, event: test.id }
  }

  test('its subscription can be made inactive: it is parked, and later events are kept for a replay', async () => {
    const { id, event } = await fail()

    await service.send(`PUT /webhook-subscriptions/${id}`, { active: false })
    service.moveClock(10_000)
    await until(async () => (await deliveryOf(id, event)).status === 'parked')
    const missed = await makeBuyer()
    const refused = await service.send(`POST /webhook-subscriptions/${id}/replay`, { status: 'parked' })
    await service.send(`PUT /webhook-subscriptions/${id}`, { active: true })
    const since = new Date(Date.parse(missed.created_at) - 1).toISOString()
    const replayed = await service.send(`POST /webhook-subscriptions/${id}/replay`, { since })
    await receiver.waitFor(2)

    expect(await deliveryOf(id, event)).toMatchObject({
      status: 'parked',
      parked_because: 'subscription_inactive',
      attempts: 1,
    })
    expect(refused.statusCode).toBe(400)
    expect(replayed.json()).toEqual({
      type: 'webhook-replay',
      webhook_subscription_id: id,
      count: 1,
      next_since: null,
    })
    expect(receiver.received.at(-1)?.event).toMatchObject({
      name: 'buyer.created',
      target: { id: missed.id },
    })
  })

  test('its subscription can be deleted: nothing more is sent', async () => {
    const { id, event } = await fail()

    await service.send(`DELETE /webhook-subscriptions/${id}`)
    service.moveClock(10_000)
    await until(async () => (await statusInDatabase(event)) === 'parked')

    expect(receiver.received).toHaveLength(1)
  })
})

test('deleting a subscription during a delivery does not harm the worker', async () => {
  let release = () => {}
  receiver.answer((response) => {
    release = () => response.end()
  })
  const { id } = await subscribe()
  const test = await sendTest(id)
  await receiver.waitFor(1)

  await service.send(`DELETE /webhook-subscriptions/${id}`)
  release()
  await until(async () => (await statusInDatabase(test.id)) === 'delivered')
  receiver.answer((response) => response.end())
  const other = await subscribe()
  const next = await sendTest(other.id)
  await reaches(other.id, next.id, 'delivered', 1)

  expect((await service.send(`GET /webhook-subscriptions/${id}/deliveries`)).statusCode).toBe(404)
})

describe('several workers', () => {
  test('share the work, and send nothing twice', async () => {
    const others = [startDelivering(service), startDelivering(service)]
    const { id } = await subscribe()

    await Promise.all(Array.from({ length: 60 }, () => sendTest(id)))
    await until(async () => (await deliveriesOf(id, '&status=delivered')).length === 60)
    await Promise.all(others.map((other) => other.stop()))

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(60)
    expect(ids).toHaveLength(60)
  })

  test('take over deliveries of a dead one, and its late result changes nothing', async () => {
    await worker.stop()
    let release = () => {}
    receiver.answer((response) => {
      release = () => response.writeHead(500).end()
    })
    const { id } = await subscribe()
    const test = await sendTest(id)
    const lost = startDelivering(service)
    await receiver.waitFor(1)

    receiver.answer((response) => response.end())
    service.moveClock(31_000)
    worker = startDelivering(service)
    await reaches(id, test.id, 'delivered', 2)
    release()
    await lost.stop()

    expect(await deliveryOf(id, test.id)).toMatchObject({ status: 'delivered', attempts: 2 })
    expect((await attemptsOf(id, test.id)).map(({ number, outcome }) => `${number} ${outcome}`)).toEqual([
      '2 delivered',
      '1 refused',
    ])
  })

  test('finish begun deliveries when they stop', async () => {
    receiver.answer((response) => void setTimeout(() => response.end(), 300))
    const { id } = await subscribe()
    const test = await sendTest(id)
    await receiver.waitFor(1)

    await worker.stop()

    expect(await deliveryOf(id, test.id)).toMatchObject({ status: 'delivered' })
    worker = startDelivering(service)
  })
})

test('a subscription whose secrets cannot be opened does not delay others', async () => {
  const broken = await subscribe()
  const sound = await subscribe()
  await service.context.db
    .updateTable('webhook_subscriptions')
    .set({ secrets: { secret: crypto.randomUUID() }, updated_at: new Date(0) })
    .where('id', '=', broken.id)
    .execute()

  await sendTest(broken.id)
  const test = await sendTest(sound.id)

  await reaches(sound.id, test.id, 'delivered', 1)
  expect(receiver.received).toHaveLength(1)
})

test('a database that is away ends the turn with an error, and the next turn continues', async () => {
  const { id } = await subscribe()
  await worker.stop()
  const logger = createLogger('silent')
  const needs = { ...service, metrics: worker.metrics, logger, environment: 'sandbox', instanceId: 'test' }
  const broken = { ...service.context, db: { ...service.context.db } as never }

  await expect(deliverDue({ ...needs, context: broken }, new AbortController().signal)).rejects.toThrow()
  worker = startDelivering(service)
  const test = await sendTest(id)

  await reaches(id, test.id, 'delivered', 1)
})

async function statusInDatabase(id: string): Promise<string | undefined> {
  const row = await service.context.db
    .selectFrom('webhook_deliveries')
    .select('status')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.status
}

type Sent =
  | { readonly headers: Record<string, string | string[] | undefined>; readonly body: string }
  | undefined

function plainSignature(secret: string, sent: Sent): string {
  const timestamp = sent?.headers['x-service-webhook-timestamp']
  return createHmac('sha256', secret).update(`${timestamp}.${sent?.body}`).digest('hex')
}

function standardSignature(secret: string, sent: Sent): string {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp } = sent?.headers ?? {}
  return `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${sent?.body}`).digest('base64')}`
}
