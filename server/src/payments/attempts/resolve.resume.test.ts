import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { holdNextCommit, stopCommitting } from '#testing/commits.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { CARD } from '#testing/till.ts'
import { openWalletPhone, type WalletPhone } from '#testing/wallet-phone.ts'

/** After this time, other processes take over the work of a dead one. */
const LEASE_MS = 61_000

let service: TestService
let line: ProcessorLine
let serviceId: string
let token: string
let phone: WalletPhone
beforeAll(async () => {
  service = await startTestService()
  phone = await openWalletPhone(service)
  // These tests move the clock by an hour.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 86_400 })
  line = holdProcessorLine(service)
  const made = await service.send('POST /payment-services', {
    display_name: 'Can everything',
    payment_service_definition_id: 'mock-card',
    fields: [
      { key: 'merchant_id', value: 'shop' },
      { key: 'extended', value: 'true' },
    ],
    accepted_currencies: ['USD'],
    accepted_countries: ['US'],
  })
  serviceId = made.json().id
})
afterEach(async () => {
  revive()
  await service.resolveDue()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

let calls = 0
const newKey = () => `order-${++calls}`
const send = (route: string, body: object | undefined, key: string) =>
  service.send(route, body, { token, headers: { 'idempotency-key': key } })
const payment = (body: object = {}) => ({
  amount: 1299,
  currency: 'USD',
  payment_method: CARD,
  payment_service_id: serviceId,
  ...body,
})
const pay = async (body: object = {}) => (await send('POST /transactions', payment(body), newKey())).json()

/** From now on the process commits nothing, as if it had been killed. */
const die = () => stopCommitting(service)
function revive(): void {
  vi.restoreAllMocks()
  line.repair()
}

type Request = { readonly route: string; readonly body?: object }
type Operation = {
  readonly prepare: () => Promise<Request>
  /** The part of the answer that tells the outcome. */
  readonly tell: (answer: Answer) => unknown
  readonly done: unknown
  readonly notDone: unknown
}
type Answer = { [name: string]: unknown; transaction?: { [name: string]: unknown } }

const OPERATIONS: Record<string, Operation> = {
  'an authorization': {
    prepare: async () => ({ route: 'POST /transactions', body: payment() }),
    tell: ({ status, error_code }) => [status, error_code],
    done: ['authorization_succeeded', null],
    notDone: ['authorization_failed', 'service_network_error'],
  },
  'a payment with a wallet’s token, which pays once': {
    prepare: async () => ({
      route: 'POST /transactions',
      body: payment({ payment_method: { method: 'applepay', token: phone.applePay({ amount: 1299 }) } }),
    }),
    tell: ({ status, error_code }) => [status, error_code],
    done: ['authorization_succeeded', null],
    notDone: ['authorization_failed', 'service_network_error'],
  },
  'a payment that is captured at once': {
    prepare: async () => ({ route: 'POST /transactions', body: payment({ intent: 'capture' }) }),
    tell: ({ status, error_code }) => [status, error_code],
    done: ['capture_succeeded', null],
    notDone: ['authorization_failed', 'service_network_error'],
  },
  'a payment that stores its card': {
    prepare: async () => ({ route: 'POST /transactions', body: payment({ store: true }) }),
    tell: ({ status, payment_method }) => [status, (payment_method as { id: string | null }).id !== null],
    done: ['authorization_succeeded', true],
    notDone: ['authorization_failed', false],
  },
  'a capture': {
    prepare: async () => ({
      route: `POST /transactions/${(await pay()).id}/capture`,
      body: { amount: 1000 },
    }),
    tell: ({ status, captured_amount }) => [status, captured_amount],
    done: ['capture_succeeded', 1000],
    notDone: ['authorization_succeeded', 0],
  },
  'a void': {
    prepare: async () => ({ route: `POST /transactions/${(await pay()).id}/void` }),
    tell: ({ status }) => status,
    done: 'authorization_voided',
    notDone: 'authorization_succeeded',
  },
  'a refund': {
    prepare: async () => ({
      route: `POST /transactions/${(await pay({ intent: 'capture' })).id}/refunds`,
      body: { amount: 500 },
    }),
    tell: ({ status, error_code }) => [status, error_code],
    done: ['succeeded', null],
    notDone: ['failed', 'service_network_error'],
  },
  'an increment': {
    prepare: async () => ({
      route: `POST /transactions/${(await pay()).id}/authorization/increment`,
      body: { amount: 500 },
    }),
    tell: ({ status, transaction }) => [status, transaction?.['authorized_amount']],
    done: ['succeeded', 1799],
    notDone: ['failed', 1299],
  },
}

const each = Object.entries(OPERATIONS)
const rows = async () => {
  const { rows: counts } = await sql<{
    payments: string
    attempts: string
    refunds: string
    captures: string
  }>`
    select (select count(*) from transactions) as payments, (select count(*) from attempts) as attempts,
      (select count(*) from refunds) as refunds, (select count(*) from transaction_captures) as captures
  `.execute(service.database.db)
  return counts[0]
}

describe('a process that dies', () => {
  test.each(each)('before %s is on record has begun nothing', async (_name, { prepare, tell, done }) => {
    const { route, body } = await prepare()
    const key = newKey()
    die()
    const dead = await send(route, body, key)
    revive()
    service.moveClock(LEASE_MS)

    const again = await send(route, body, key)

    expect(dead.statusCode).toBe(500)
    expect(tell(again.json()), again.body).toEqual(done)
  })

  test.each(each)(
    'before %s is sent has done nothing, and a retry with its key says so',
    async (_name, { prepare, tell, notDone }) => {
      const { route, body } = await prepare()
      const key = newKey()
      line.intercept(() => {
        die()
        return Promise.reject(new TypeError('fetch failed'))
      })
      const dead = await send(route, body, key)
      revive()
      const begun = await rows()
      const early = await send(route, body, key)
      service.moveClock(LEASE_MS)

      const again = await send(route, body, key)

      expect(dead.statusCode).toBe(500)
      expect(early.statusCode).toBe(409)
      expect(early.headers['retry-after']).toBeDefined()
      expect(tell(again.json()), again.body).toEqual(notDone)
      expect(await rows()).toEqual(begun)
      const replayed = await send(route, body, key)
      expect([replayed.headers['idempotent-replayed'], replayed.body]).toEqual(['true', again.body])
    },
  )

  test.each(each)(
    'after %s was sent has done it, and a retry with its key says so',
    async (_name, { prepare, tell, done }) => {
      const { route, body } = await prepare()
      const key = newKey()
      line.intercept(async (go) => {
        const response = await go()
        die()
        return response
      })
      const dead = await send(route, body, key)
      revive()
      service.moveClock(LEASE_MS)
      const begun = await rows()

      const again = await send(route, body, key)

      expect(dead.statusCode).toBe(500)
      expect(tell(again.json()), again.body).toEqual(done)
      expect({ ...(await rows()), captures: 0 }).toEqual({ ...begun, captures: 0 })
      const replayed = await send(route, body, key)
      expect([replayed.headers['idempotent-replayed'], replayed.body]).toEqual(['true', again.body])
    },
  )

  test.each(each)(
    'after %s was sent leaves it to the job, and a retry with its key gets what the job found',
    async (_name, { prepare, tell, done }) => {
      const { route, body } = await prepare()
      const key = newKey()
      line.intercept(async (go) => {
        const response = await go()
        die()
        return response
      })
      await send(route, body, key)
      revive()
      service.moveClock(LEASE_MS)
      await service.resolveDue()

      const again = await send(route, body, key)

      expect(tell(again.json()), again.body).toEqual(done)
    },
  )

  test.each(each)(
    'before its answer to %s got out answers the retry',
    async (_name, { prepare, tell, done }) => {
      const { route, body } = await prepare()
      const key = newKey()
      const lost = await send(route, body, key)
      const begun = await rows()

      const again = await send(route, body, key)

      expect([again.statusCode, again.body]).toEqual([lost.statusCode, lost.body])
      expect(again.headers['idempotent-replayed']).toBe('true')
      expect(tell(again.json())).toEqual(done)
      expect(await rows()).toEqual(begun)
    },
  )
})

describe('a process that was thought dead', () => {
  test.each(each)('and sends %s late has no effect', async (_name, { prepare, tell, notDone }) => {
    const { route, body } = await prepare()
    const key = newKey()
    const gate = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    line.intercept(async (go) => {
      line.repair()
      arrived.resolve()
      await gate.promise
      return go()
    })
    const slow = send(route, body, key)
    await arrived.promise
    service.moveClock(LEASE_MS)

    const again = await send(route, body, key)
    gate.resolve()

    expect(tell(again.json()), again.body).toEqual(notDone)
    expect((await slow).statusCode).toBe(409)
    expect((await send(route, body, key)).body).toBe(again.body)
  })

  test.each(each)('and gets the answer to %s late adds nothing', async (_name, { prepare, tell, done }) => {
    const { route, body } = await prepare()
    const key = newKey()
    const gate = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    line.intercept(async (go) => {
      line.repair()
      const response = await go()
      arrived.resolve()
      await gate.promise
      return response
    })
    const slow = send(route, body, key)
    await arrived.promise
    service.moveClock(LEASE_MS)

    const again = await send(route, body, key)
    gate.resolve()

    expect(tell(again.json()), again.body).toEqual(done)
    expect((await slow).statusCode).toBe(409)
    expect((await send(route, body, key)).body).toBe(again.body)
  })

  test('begins nothing when another one has used its key before', async () => {
    const key = newKey()
    const held = holdNextCommit(service)
    const slow = send('POST /transactions', payment({ external_identifier: key }), key)
    await held.isSent
    service.moveClock(LEASE_MS)

    const again = await send('POST /transactions', payment({ external_identifier: key }), key)
    held.letGo()

    expect((await slow).headers['idempotent-replayed']).toBe('true')
    expect((await slow).body).toBe(again.body)
    const { items } = (
      await service.send(`GET /transactions?external_identifier=${key}`, undefined, { token })
    ).json()
    expect(items).toMatchObject([{ id: again.json().id, status: 'authorization_succeeded' }])
  })
})

describe('a refund of everything whose process dies', () => {
  const begin = async () => {
    const { id } = await pay({ intent: 'capture' })
    const key = newKey()
    return { id, ask: () => send(`POST /transactions/${id}/refunds/all`, undefined, key) }
  }
  const told = (answer: { json: () => { items: { status: string; amount: number }[] } }) =>
    answer.json().items.map(({ status, amount }) => [status, amount])

  test('after it was sent has done it once', async () => {
    const { ask } = await begin()
    line.intercept(async (go) => {
      const response = await go()
      die()
      return response
    })
    await ask()
    revive()
    service.moveClock(LEASE_MS)

    const again = await ask()

    expect(told(again), again.body).toEqual([['succeeded', 1299]])
    const replayed = await ask()
    expect([replayed.headers['idempotent-replayed'], replayed.body]).toEqual(['true', again.body])
  })

  test('before it was sent is done by the retry, which shows both', async () => {
    const { ask } = await begin()
    line.intercept(() => {
      die()
      return Promise.reject(new TypeError('fetch failed'))
    })
    await ask()
    revive()
    service.moveClock(LEASE_MS)

    const again = await ask()

    expect(told(again), again.body).toEqual([
      ['failed', 1299],
      ['succeeded', 1299],
    ])
    expect((await ask()).body).toBe(again.body)
  })
})

test('a retry is told that the outcome is still unknown, and the job resolves the payment later', async () => {
  const key = newKey()
  line.intercept(async (go) => {
    await go()
    die()
    throw new TypeError('fetch failed')
  })
  await send('POST /transactions', payment(), key)
  revive()
  line.intercept(() => Promise.reject(new TypeError('fetch failed')))
  service.moveClock(LEASE_MS)

  const again = await send('POST /transactions', payment(), key)

  expect(again.statusCode).toBe(201)
  expect(again.json().status).toBe('processing')
  line.repair()
  service.moveClock(61_000)
  await service.resolveDue()
  const { status } = (await service.send(`GET /transactions/${again.json().id}`, undefined, { token })).json()
  expect(status).toBe('authorization_succeeded')
})

test('an increment without an answer is told to a retry once it is resolved', async () => {
  const { id } = await pay({
    connection_options: { 'mock-card': { fault: { on: 'increment', kind: 'lose-answer' } } },
  })
  const key = newKey()
  const ask = () => send(`POST /transactions/${id}/authorization/increment`, { amount: 500 }, key)
  const first = await ask()
  line.intercept(() => Promise.reject(new TypeError('fetch failed')))
  const second = await ask()
  line.repair()

  const third = await ask()

  expect([first.statusCode, second.statusCode]).toEqual([504, 504])
  expect([first.headers['retry-after'], second.headers['retry-after']]).toEqual(['1', '1'])
  expect(third.statusCode, third.body).toBe(200)
  expect(third.json()).toMatchObject({ status: 'succeeded', transaction: { authorized_amount: 1799 } })
  const fourth = await ask()
  expect([fourth.headers['idempotent-replayed'], fourth.body]).toEqual(['true', third.body])
})
