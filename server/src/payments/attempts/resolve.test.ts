import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { holdProcessorLine, type ProcessorLine } from '#testing/processor-line.ts'
import { CARD } from '#testing/till.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let service: TestService
let line: ProcessorLine
let token: string
let serviceId: string
let otherServiceId: string
beforeAll(async () => {
  service = await startTestService()
  line = holdProcessorLine(service)
  // These tests move the clock by days.
  token = await signToken(service.admin, { exp: Math.floor(Date.now() / 1000) + 400 * 86_400 })
  const made = await send('POST /payment-services', {
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
  const { items } = (await send('GET /payment-services')).json()
  otherServiceId = items.find(({ id }: { id: string }) => id !== serviceId).id
})
afterEach(async () => {
  line.repair()
  expect(await disagreements(service.database.pool)).toEqual([])
})
afterAll(() => service.close())

const send = (route: string, body?: object, headers: Record<string, string> = {}) =>
  service.send(route, body, { token, headers })
const get = async (path: string) => (await send(`GET ${path}`)).json()
const faultOn = (on: string, kind: string) => ({
  connection_options: { 'mock-card': { fault: { on, kind } } },
})
const LOST = faultOn('authorize', 'lose-answer')
const pay = async (body: object = {}) => {
  const response = await send('POST /transactions', {
    amount: 1299,
    currency: 'USD',
    payment_method: CARD,
    payment_service_id: serviceId,
    ...body,
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}
const resolveAfter = async (ms: number) => {
  service.moveClock(ms)
  await service.resolveDue()
}
const attemptsOf = async (transactionId: string) => {
  const { rows } = await sql<{ kind: string; state: string; checks: number; due_at: Date | null }>`
    select kind, state, checks, due_at from attempts
    where transaction_id = ${transactionId} order by created_at, id`.execute(service.database.db)
  return rows
}
const attemptIdsOf = async (transactionId: string) => {
  const { rows } = await sql<{ id: string }>`
    select id from attempts where transaction_id = ${transactionId}`.execute(service.database.db)
  return rows.map(({ id }) => id)
}
const eventsAbout = async (id: string) => {
  const events = await service.database.db
    .selectFrom('events')
    .select('name')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  return events.map(({ name }) => name)
}

/** Sends the request that the fault hits. If it is never answered, only this one gives up early: the machine may be busy. */
const hit = <Answer>(kind: string, work: () => Promise<Answer>): Promise<Answer> =>
  kind === 'stall' ? line.waitingOnly(300, work) : work()

type Case = {
  /** The request that the fault hits. */
  readonly ask: (kind: string) => Promise<{ readonly id: string; readonly answer: unknown }>
  readonly waiting: unknown
  readonly done: unknown
  readonly notDone: unknown
  /** What can be read of it at any time. */
  readonly read: (id: string) => Promise<unknown>
}

const statusOf = async (id: string) => {
  const { status, error_code } = await get(`/transactions/${id}`)
  return [status, error_code]
}

const CASES: Record<string, Case> = {
  authorize: {
    ask: async (kind) => {
      const { id, status, error_code } = await hit(kind, () => pay(faultOn('authorize', kind)))
      return { id, answer: [status, error_code] }
    },
    waiting: ['processing', null],
    done: ['authorization_succeeded', null],
    notDone: ['authorization_failed', 'service_network_error'],
    read: statusOf,
  },
  'capture at once': {
    ask: async (kind) => {
      const order = { intent: 'capture', ...faultOn('authorize', kind) }
      const { id, status, error_code } = await hit(kind, () => pay(order))
      return { id, answer: [status, error_code] }
    },
    waiting: ['processing', null],
    done: ['capture_succeeded', null],
    notDone: ['authorization_failed', 'service_network_error'],
    read: statusOf,
  },
  capture: {
    ask: async (kind) => {
      const { id } = await pay(faultOn('capture', kind))
      const capture = () => send(`POST /transactions/${id}/capture`, { amount: 999 })
      const { status, error_code } = (await hit(kind, capture)).json()
      return { id, answer: [status, error_code] }
    },
    waiting: ['capture_pending', null],
    done: ['capture_succeeded', null],
    notDone: ['authorization_succeeded', null],
    read: statusOf,
  },
  void: {
    ask: async (kind) => {
      const { id } = await pay(faultOn('void', kind))
      const letGo = () => send(`POST /transactions/${id}/void`)
      const { status, error_code } = (await hit(kind, letGo)).json()
      return { id, answer: [status, error_code] }
    },
    waiting: ['authorization_void_pending', null],
    done: ['authorization_voided', null],
    notDone: ['authorization_succeeded', null],
    read: statusOf,
  },
  refund: {
    ask: async (kind) => {
      const { id } = await pay({ intent: 'capture', ...faultOn('refund', kind) })
      const refund = () => send(`POST /transactions/${id}/refunds`, { amount: 500 })
      const { status, error_code } = (await hit(kind, refund)).json()
      return { id, answer: [status, error_code] }
    },
    waiting: ['processing', null],
    done: ['succeeded', null],
    notDone: ['failed', 'service_network_error'],
    read: async (id) => {
      const { items } = await get(`/transactions/${id}/refunds`)
      return [items[0].status, items[0].error_code]
    },
  },
}
/** The API has no status for an undecided increment, so an error says that its outcome is unknown. */
CASES['increment'] = {
  ask: async (kind) => {
    const { id } = await pay(faultOn('increment', kind))
    const increment = () => send(`POST /transactions/${id}/authorization/increment`, { amount: 500 })
    const response = await hit(kind, increment)
    const { status, transaction } = response.json()
    return { id, answer: transaction ? [status, transaction.authorized_amount] : [status, 1299] }
  },
  waiting: [504, 1299],
  done: ['succeeded', 1799],
  notDone: ['failed', 1299],
  read: async (id) => {
    const { amount, authorized_amount } = await get(`/transactions/${id}`)
    const { state } = (await attemptsOf(id)).at(-1) ?? { state: '' }
    expect(amount).toBe(authorized_amount)
    const said = { unknown: 504, approved: 'succeeded', failed: 'failed' }[state]
    return [said, authorized_amount]
  },
}

const DONE = ['lose-answer', 'late', 'garbage']
const NOT_DONE = ['stall', 'unreachable']
const every = (kinds: readonly string[]) =>
  Object.entries(CASES).flatMap(([name, found]) => kinds.map((kind) => [name, kind, found] as const))

describe('an answer that never came', () => {
  test.each(every(DONE))(
    'to %s (%s) is no failure, and is resolved after a minute',
    async (_name, kind, on) => {
      const { id, answer } = await on.ask(kind)
      await line.letArrive()
      const early = [answer, await on.read(id)]
      // Not close to a minute: a busy machine takes seconds for this test.
      await resolveAfter(30_000)
      early.push(await on.read(id))

      await resolveAfter(31_000)

      expect(early).toEqual([on.waiting, on.waiting, on.waiting])
      expect(await on.read(id)).toEqual(on.done)
      expect((await attemptsOf(id)).at(-1)).toMatchObject({ state: 'approved', due_at: null })
    },
  )

  test.each(every(NOT_DONE))(
    'to %s that never arrived (%s) is a failure only once that is certain',
    async (_name, kind, on) => {
      const { id, answer } = await on.ask(kind)

      await resolveAfter(61_000)

      expect(answer).toEqual(on.waiting)
      expect(await on.read(id)).toEqual(on.notDone)
    },
  )

  test.each(every(['late']))('to %s that arrives after our inquiry is not done', async (_n, kind, on) => {
    const { id } = await on.ask(kind)
    await resolveAfter(61_000)

    await line.letArrive()

    expect(await on.read(id)).toEqual(on.notDone)
  })

  test.each(every(['twice']))(
    'to a request that was sent twice: %s (%s) happens once',
    async (_name, kind, on) => {
      const { id, answer } = await on.ask(kind)

      expect(answer).toEqual(on.done)
      expect(await on.read(id)).toEqual(on.done)
    },
  )
})

describe('the schedule', () => {
  test('asks after 1 minute, 5 minutes, 1 hour and then daily, until the outcome is known', async () => {
    const { id } = await pay(faultOn('authorize', 'lose-answer'))
    line.intercept(() => Promise.reject(new TypeError('fetch failed')))
    const checks: number[] = []

    for (const ms of [MINUTE, 5 * MINUTE, HOUR, DAY, DAY, DAY]) {
      // Not close to the time: a busy machine takes seconds for this test.
      await resolveAfter(ms - 20_000)
      checks.push((await attemptsOf(id))[0]?.checks ?? -1)
      await resolveAfter(21_000)
      checks.push((await attemptsOf(id))[0]?.checks ?? -1)
    }
    expect(await statusOf(id)).toEqual(['processing', null])
    line.repair()
    await resolveAfter(DAY)

    expect(checks).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6])
    expect(await statusOf(id)).toEqual(['authorization_succeeded', null])
  })

  test('goes on with other attempts when one provider cannot be reached', async () => {
    const { id: stuck } = await pay({
      ...faultOn('authorize', 'lose-answer'),
      payment_service_id: otherServiceId,
    })
    const others = await Promise.all(
      Array.from({ length: 10 }, () => pay(faultOn('authorize', 'lose-answer'))),
    )
    const isStuck = new RegExp(String((await attemptIdsOf(stuck))[0]))
    line.intercept((go, url) => (isStuck.test(url) ? Promise.reject(new TypeError('fetch failed')) : go()))

    await resolveAfter(61_000)

    const statuses = await Promise.all(others.map(({ id }) => statusOf(id)))
    expect(new Set(statuses.map(([status]) => status))).toEqual(new Set(['authorization_succeeded']))
    expect(await statusOf(stuck)).toEqual(['processing', null])
    line.repair()
    await resolveAfter(5 * MINUTE)
    expect(await statusOf(stuck)).toEqual(['authorization_succeeded', null])
  })

  test('resolves each attempt once with eight workers at once', async () => {
    const paid = await Promise.all(
      Array.from({ length: 24 }, () => pay({ intent: 'capture', ...faultOn('authorize', 'lose-answer') })),
    )
    service.moveClock(61_000)

    await Promise.all(Array.from({ length: 8 }, () => service.resolveDue()))

    for (const { id } of paid) {
      expect(await statusOf(id)).toEqual(['capture_succeeded', null])
      expect(await attemptsOf(id)).toMatchObject([{ state: 'approved', checks: 1 }])
      expect(await eventsAbout(id)).toEqual(['transaction.captured'])
      expect((await get(`/transactions/${id}/captures`)).items).toHaveLength(1)
    }
  })

  test('resolves other attempts while a provider with eight open requests does not answer', async () => {
    const deaf = await Promise.all(Array.from({ length: 12 }, () => pay(LOST)))
    const isDeaf = new RegExp((await Promise.all(deaf.map(({ id }) => attemptIdsOf(id)))).join('|'))
    const others = await Promise.all(
      Array.from({ length: 20 }, () => pay({ ...LOST, payment_service_id: otherServiceId })),
    )
    const gate = Promise.withResolvers<void>()
    let asked = 0
    line.intercept(async (go, url) => {
      if (!isDeaf.test(url)) return go()
      asked += 1
      await gate.promise
      return go()
    })
    const leftOf = async (payments: { id: string }[]) => {
      const statuses = await Promise.all(payments.map(({ id }) => statusOf(id)))
      return statuses.filter(([status]) => status === 'processing').length
    }

    const resolving = line.waitingOnly(60_000, () => resolveAfter(61_000))

    await expect.poll(() => leftOf(others)).toBe(0)
    expect([asked, await leftOf(deaf)]).toEqual([8, 12])
    gate.resolve()
    await resolving
    expect(await leftOf(deaf)).toBe(0)
  })

  test('ends when the process stops, and leaves the rest of the queue to other workers', async () => {
    const paid = await Promise.all(Array.from({ length: 12 }, () => pay(LOST)))
    const stopping = new AbortController()
    line.intercept((go) => {
      stopping.abort()
      return go()
    })
    service.moveClock(61_000)

    await service.resolveDue({ stopping: stopping.signal })

    const checks = await Promise.all(paid.map(async ({ id }) => (await attemptsOf(id))[0]?.checks))
    expect(checks.toSorted()).toEqual([...Array(4).fill(0), ...Array(8).fill(1)])
    await resolveAfter(0)
  })

  test('leaves an attempt to the worker that took it until that worker counts as dead', async () => {
    const { id } = await pay(faultOn('authorize', 'lose-answer'))
    service.moveClock(61_000)
    const [gate, asked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    line.intercept(async (go) => {
      line.repair()
      asked.resolve()
      await gate.promise
      return go()
    })
    const slow = service.resolveDue()
    // The lease is measured from the question, so the clock stands until the provider is asked.
    await asked.promise

    await resolveAfter(20_000)
    const untouched = await attemptsOf(id)
    await resolveAfter(11_000)
    gate.resolve()
    await slow

    expect(untouched).toMatchObject([{ state: 'unknown', checks: 1 }])
    expect(await attemptsOf(id)).toMatchObject([{ state: 'approved', checks: 2 }])
    expect(await statusOf(id)).toEqual(['authorization_succeeded', null])
    expect(await eventsAbout(id)).toEqual(['transaction.authorized'])
  })
})

describe('before the next operation', () => {
  test('a lost authorization is resolved, and captured at once', async () => {
    const { id, status } = await pay(faultOn('authorize', 'lose-answer'))

    const captured = await send(`POST /transactions/${id}/capture`, {})

    expect(status).toBe('processing')
    expect(captured.statusCode, captured.body).toBe(200)
    expect(captured.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 1299 })
  })

  test('an authorization that never arrived is resolved, and there is nothing to capture', async () => {
    const { id } = await pay(faultOn('authorize', 'late'))

    const captured = await send(`POST /transactions/${id}/capture`, {})
    await line.letArrive()

    expect(captured.statusCode).toBe(400)
    expect(captured.json().message).toContain('authorization_failed')
    expect(await statusOf(id)).toEqual(['authorization_failed', 'service_network_error'])
  })

  test('a lost void is resolved, and not voided twice', async () => {
    const { id } = await pay(faultOn('void', 'garbage'))
    await send(`POST /transactions/${id}/void`)

    const again = await send(`POST /transactions/${id}/void`)

    expect(again.statusCode).toBe(400)
    expect(again.json().message).toContain('authorization_voided')
  })

  test('a void that never arrived is resolved, and voided', async () => {
    const { id } = await pay(faultOn('void', 'unreachable'))
    await send(`POST /transactions/${id}/void`)

    const again = await send(`POST /transactions/${id}/void`)

    expect(again.json().status).toBe('authorization_void_pending')
    await resolveAfter(61_000)
    expect(await statusOf(id)).toEqual(['authorization_succeeded', null])
  })

  test('a lost capture is resolved, and what is left is refunded', async () => {
    const { id } = await pay(faultOn('capture', 'lose-answer'))
    await send(`POST /transactions/${id}/capture`, { amount: 1000 })

    const refund = await send(`POST /transactions/${id}/refunds`, {})

    expect(refund.statusCode, refund.body).toBe(201)
    expect(refund.json()).toMatchObject({ status: 'succeeded', amount: 1000 })
  })

  test('a lost increment is resolved, and the whole is captured', async () => {
    const { id } = await pay(faultOn('increment', 'lose-answer'))
    await send(`POST /transactions/${id}/authorization/increment`, { amount: 500 })

    const captured = await send(`POST /transactions/${id}/capture`, {})

    expect(captured.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 1799 })
  })

  test('an unknown outcome blocks other operations, and says how long to wait', async () => {
    const { id } = await pay(faultOn('capture', 'lose-answer'))
    await send(`POST /transactions/${id}/capture`, { amount: 500, final: false })
    line.intercept(() => Promise.reject(new TypeError('fetch failed')))

    const answers = [
      await send(`POST /transactions/${id}/capture`, { amount: 100 }),
      await send(`POST /transactions/${id}/void`),
      await send(`POST /transactions/${id}/refunds`, { amount: 100 }),
      await send(`POST /transactions/${id}/authorization/increment`, { amount: 100 }),
    ]
    for (const answer of answers) {
      expect(answer.statusCode, answer.body).toBe(425)
      expect(answer.json()).toMatchObject({ code: 'too_early' })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect(await attemptsOf(id)).toHaveLength(2)
    line.repair()
    await resolveAfter(61_000)
    expect(await statusOf(id)).toEqual(['capture_succeeded', null])
  })

  test('refunds may run side by side, and never exceed the captured amount', async () => {
    const { id } = await pay({ intent: 'capture', ...faultOn('refund', 'lose-answer') })
    await send(`POST /transactions/${id}/refunds`, { amount: 700 })
    line.intercept(() => Promise.reject(new TypeError('fetch failed')))

    const second = await send(`POST /transactions/${id}/refunds`, { amount: 500 })
    const tooMuch = await send(`POST /transactions/${id}/refunds`, { amount: 100 })

    expect(second.json()).toMatchObject({ status: 'processing', amount: 500 })
    expect(tooMuch.statusCode).toBe(400)
    line.repair()
    await resolveAfter(61_000)
    expect(await get(`/transactions/${id}`)).toMatchObject({ refunded_amount: 700 })
  })

  test('does not inquire about an attempt that waits for its answer, as the provider could then refuse it', async () => {
    const { id } = await pay()
    const gate = Promise.withResolvers<void>()
    line.intercept(async (go) => {
      await gate.promise
      return go()
    })
    const capture = send(`POST /transactions/${id}/capture`, {})
    await expect.poll(async () => (await attemptsOf(id)).length).toBe(2)

    const void_ = await send(`POST /transactions/${id}/void`)
    gate.resolve()

    expect(void_.statusCode).toBe(425)
    expect((await capture).json().status).toBe('capture_succeeded')
  })
})

describe('an attempt of a dead process', () => {
  test('is resolved once no process can be waiting for it', async () => {
    const { id } = await pay()
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    line.intercept(async (go) => {
      line.repair()
      const response = await go()
      asked.resolve()
      await gate.promise
      return response
    })
    const dead = send(`POST /transactions/${id}/capture`, {})
    // Not before: the attempt is held once more just before the provider is asked, by the clock of that moment.
    await asked.promise
    await resolveAfter(10_000)
    const early = await statusOf(id)

    await resolveAfter(6_000)

    expect(early).toEqual(['capture_pending', null])
    expect(await statusOf(id)).toEqual(['capture_succeeded', null])
    const known = [await attemptsOf(id), await eventsAbout(id)]
    gate.resolve()
    expect((await dead).json().status).toBe('capture_succeeded')
    expect([await attemptsOf(id), await eventsAbout(id)]).toEqual(known)
  })

  test('a late approval does not undo what was decided in the meantime', async () => {
    const gate = Promise.withResolvers<void>()
    line.intercept(async (go) => {
      line.repair()
      await gate.promise
      return go()
    })
    const slow = pay({ external_identifier: 'slow' })
    const find = async () => (await get('/transactions?external_identifier=slow')).items
    await expect.poll(find).toHaveLength(1)
    const [waiting] = await find()
    await resolveAfter(16_000)

    gate.resolve()

    expect(await slow).toMatchObject({ status: 'authorization_failed', error_code: 'service_network_error' })
    expect(await statusOf(waiting.id)).toEqual(['authorization_failed', 'service_network_error'])
  })

  test('an asynchronous capture is done by the next turn of the job', async () => {
    const { id, status } = await pay({ intent: 'capture', async_capture: true })

    await resolveAfter(0)

    expect(status).toBe('capture_pending')
    expect(await statusOf(id)).toEqual(['capture_succeeded', null])
    expect(await attemptsOf(id)).toMatchObject([
      { kind: 'authorize', state: 'approved' },
      { kind: 'capture', state: 'approved' },
    ])
  })

  test('an asynchronous capture survives the death of the job that sends it', async () => {
    const { id } = await pay({ intent: 'capture', async_capture: true })
    line.intercept(async (go) => {
      line.repair()
      vi.spyOn(service.database.db, 'transaction').mockImplementationOnce(() => {
        throw new Error('the process died')
      })
      return go()
    })
    await expect(resolveAfter(0)).rejects.toThrow('the process died')
    const left = await attemptsOf(id)

    await resolveAfter(31_000)

    expect(left[1]).toMatchObject({ state: 'queued', checks: 0 })
    expect(await statusOf(id)).toEqual(['capture_succeeded', null])
  })

  test('an asynchronous capture whose answer is lost is resolved after a minute', async () => {
    const { id, status } = await pay({
      intent: 'capture',
      async_capture: true,
      ...faultOn('capture', 'late'),
    })
    await resolveAfter(0)
    const sent = await statusOf(id)

    await line.letArrive()
    await resolveAfter(61_000)

    expect(status).toBe('capture_pending')
    expect(sent).toEqual(['capture_pending', null])
    expect(await statusOf(id)).toEqual(['capture_succeeded', null])
  })

  test('a failed capture releases the hold, even if the answer to the void is lost, too', async () => {
    const { id } = await pay({
      amount: 500_001,
      intent: 'capture',
      async_capture: true,
      ...faultOn('void', 'lose-answer'),
    })
    await resolveAfter(0)
    await resolveAfter(0)
    const held = await attemptsOf(id)

    await resolveAfter(61_000)

    expect(held.at(-1)).toMatchObject({ kind: 'void', state: 'unknown' })
    expect(await statusOf(id)).toEqual(['authorization_failed', 'service_network_error'])
    expect((await attemptsOf(id)).map(({ kind, state }) => [kind, state])).toEqual([
      ['authorize', 'approved'],
      ['capture', 'failed'],
      ['void', 'approved'],
    ])
  })

  describe('a hold that the provider does not release', () => {
    const refuseVoids = () =>
      line.intercept((go, url) =>
        url.endsWith('/voids')
          ? Promise.resolve(Response.json({ error: 'bad_request' }, { status: 400 }))
          : go(),
      )
    const voidsOf = async (id: string) =>
      (await attemptsOf(id)).flatMap(({ kind, state }) => (kind === 'void' ? [state] : []))

    test('is voided again every day, and the history has each void', async () => {
      const { id } = await pay({ amount: 500_001, intent: 'capture', async_capture: true })
      refuseVoids()
      const tries: string[][] = []

      for (const ms of [0, DAY - MINUTE, 2 * MINUTE, DAY]) {
        await resolveAfter(ms)
        tries.push(await voidsOf(id))
      }
      const { items } = await get(`/transactions/${id}/events`)
      line.repair()
      await resolveAfter(DAY)

      expect(tries).toEqual([
        ['failed', 'queued'],
        ['failed', 'queued'],
        ['failed', 'failed', 'queued'],
        ['failed', 'failed', 'failed', 'queued'],
      ])
      const refused = items.filter(({ name }: { name: string }) => name.endsWith('-void-failed'))
      expect(refused).toHaveLength(3)
      expect(await voidsOf(id)).toEqual(['failed', 'failed', 'failed', 'approved'])
    })

    test('does not delay the news that the payment has failed, and ends with a correction', async () => {
      const { id } = await pay({ amount: 500_001, intent: 'capture', async_capture: true })
      refuseVoids()
      await resolveAfter(0)

      const captured = await send(`POST /transactions/${id}/capture`, {})
      const corrected = await send(`PUT /transactions/${id}`, { status: 'authorization_succeeded' })

      expect(captured.statusCode, captured.body).toBe(400)
      expect(captured.json().message).toContain('its status is authorization_failed')
      expect(corrected.json().status).toBe('authorization_succeeded')
      expect(await voidsOf(id)).toEqual(['failed', 'failed'])
    })
  })
})

test('no second service is asked while the first may have taken the money', async () => {
  const { id, payment_service } = await pay({
    payment_service_id: undefined,
    ...faultOn('authorize', 'lose-answer'),
  })

  await resolveAfter(61_000)

  expect(await attemptsOf(id)).toHaveLength(1)
  expect(await get(`/transactions/${id}`)).toMatchObject({
    status: 'authorization_succeeded',
    payment_service: { id: payment_service.id },
  })
})
