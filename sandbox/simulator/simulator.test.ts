import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { createSimulator, SIMULATOR_URL, type Simulator } from './simulator.ts'

const NUMBER = '4111111111111111'
const CODE = '9173'
const INSTRUMENT = { type: 'card', number: NUMBER, expiration_date: '12/35', security_code: CODE }

let database: Database
let simulator: Simulator
const troubles: unknown[] = []
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  const { rows } = await database.pool.query("select to_regclass('simulator.entries') as found")
  if (rows[0].found === null) {
    for (const name of readdirSync('sandbox/simulator/migrations').toSorted())
      await database.pool.query(readFileSync(`sandbox/simulator/migrations/${name}`, 'utf8'))
  }
  simulator = open()
})
afterAll(() => database.close())

function open(sleep?: (ms: number) => Promise<void>): Simulator {
  return createSimulator({
    pool: database.pool,
    clock: () => new Date(),
    onError: (error) => troubles.push(error),
    ...(sleep && { sleep }),
  })
}

type Reply = { readonly status: number; readonly body: Record<string, unknown> }
type Sending = {
  readonly fault?: string
  readonly merchant?: string
  readonly signal?: AbortSignal
  readonly via?: Simulator
}

async function send(route: string, body?: object, sending: Sending = {}): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ')
  const response = await (sending.via ?? simulator).fetch(`${SIMULATOR_URL}${path}`, {
    method,
    headers: {
      'x-merchant-id': sending.merchant ?? 'shop',
      ...(sending.fault && { 'x-fault': sending.fault }),
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(sending.signal && { signal: sending.signal }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const order = (over: object = {}) => ({
  attempt_id: randomUUID(),
  transaction_id: randomUUID(),
  amount: 1000,
  currency: 'USD',
  instrument: INSTRUMENT,
  ...over,
})

async function authorize(over: object = {}) {
  const sent = order(over)
  const { body } = await send('POST authorizations', sent)
  return { ...sent, reference: String(body['reference']) }
}

const act = (reference: string, what: string, over: object = {}) =>
  send(`POST authorizations/${reference}/${what}`, {
    attempt_id: randomUUID(),
    amount: 1000,
    currency: 'USD',
    ...over,
  })

async function booksOf(query: string) {
  const { body } = await send(`GET books?${query}`)
  return body as {
    entries: Record<string, unknown>[]
    sums: Record<string, unknown>[]
    effects: Record<string, number>
    next: string | null
  }
}

const effectsOf = async (attemptId: string) =>
  (await booksOf(`attempt_id=${attemptId}`)).effects[attemptId] ?? 0

const refusal = (code: string, description: string) => ({
  status: 200,
  body: { status: 'refused', code, description },
})
const approval = { status: 200, body: { status: 'approved' } }

describe('the rules', () => {
  test('authorization, captures and refunds add up', async () => {
    const { reference, transaction_id, attempt_id } = await authorize()
    await act(reference, 'increments', { amount: 500 })
    await act(reference, 'captures', { amount: 700 })
    await act(reference, 'captures', { amount: 300, final: true })
    await act(reference, 'refunds', { amount: 400 })

    const books = await booksOf(`transaction_id=${transaction_id}`)
    const all = await booksOf(`reference=${reference}`)

    expect(books.entries).toMatchObject([{ attempt_id, operation: 'authorize', last4: '1111' }])
    expect(books.sums).toEqual([
      {
        reference,
        transaction_id,
        currency: 'USD',
        authorized: 1500,
        captured: 1000,
        refunded: 400,
        voided: 0,
        charged_back: 0,
        reversed: 0,
      },
    ])
    expect(all.entries.length).toBe(5)
    expect(all.sums).toEqual(books.sums)
    expect(Object.values(all.effects)).toEqual([1, 1, 1, 1, 1])
  })

  test.each([
    ['a capture after a void', ['voids', 'captures'], 'already_voided', 'invalid_operation'],
    ['an increment after a void', ['voids', 'increments'], 'already_voided', 'invalid_operation'],
    ['a second void', ['voids', 'voids'], 'already_voided', 'invalid_operation'],
    ['a refund after a void', ['voids', 'refunds'], 'not_captured', 'invalid_operation'],
    ['a void after a capture', ['captures', 'voids'], 'already_captured', 'invalid_operation'],
    ['a refund before a capture', ['refunds'], 'not_captured', 'invalid_operation'],
    ['a third full capture', ['captures', 'captures', 'captures'], 'over_authorized', 'invalid_amount'],
    ['a second full refund', ['captures', 'refunds', 'refunds'], 'nothing_left', 'refund_already_satisfied'],
    ['giving up what is authorized', ['cancels'], 'not_pending', 'invalid_operation'],
  ])('%s is refused', async (_name, steps, code, description) => {
    const { reference } = await authorize()
    for (const step of steps.slice(0, -1)) expect(await act(reference, step)).toMatchObject(approval)
    const { sums } = await booksOf(`reference=${reference}`)

    const reply = await act(reference, steps.at(-1) ?? '')

    expect(reply).toMatchObject(refusal(code, description))
    expect((await booksOf(`reference=${reference}`)).sums).toEqual(sums)
  })

  test.each([
    ['captures', { amount: 0 }, 'zero_amount', 'invalid_amount'],
    ['captures', { amount: 2001 }, 'over_authorized', 'invalid_amount'],
    ['captures', { currency: 'EUR' }, 'other_currency', 'unsupported_currency'],
    ['increments', { amount: 0 }, 'zero_amount', 'invalid_amount'],
  ])('of an authorization of 10 dollars, %s with %j are refused', async (what, over, code, description) => {
    const { reference } = await authorize()

    expect(await act(reference, what, over)).toMatchObject(refusal(code, description))
  })

  test.each([
    [{ amount: 0 }, 'zero_amount', 'invalid_amount'],
    [{ amount: 1001 }, 'over_captured', 'invalid_amount'],
    [{ currency: 'EUR' }, 'other_currency', 'unsupported_currency'],
  ])('of a sale of 10 dollars, a refund with %j is refused', async (over, code, description) => {
    const { reference } = await authorize({ capture: true })

    expect(await act(reference, 'refunds', over)).toMatchObject(refusal(code, description))
  })

  test.each([
    ['captures', 'already_captured'],
    ['increments', 'already_captured'],
    ['voids', 'already_captured'],
  ])('after a final capture, %s are refused', async (what, code) => {
    const { reference } = await authorize()
    await act(reference, 'captures', { amount: 10, final: true })

    expect(await act(reference, what)).toMatchObject(refusal(code, 'invalid_operation'))
  })

  test('a sale cannot be captured again', async () => {
    const { reference } = await authorize({ capture: true })

    expect(await act(reference, 'captures')).toMatchObject(refusal('already_captured', 'invalid_operation'))
    expect(await act(reference, 'refunds')).toMatchObject(approval)
  })

  test('what was refused cannot be captured', async () => {
    const { reference } = await authorize({ amount: 200011 })

    expect(await act(reference, 'captures')).toMatchObject(refusal('not_authorized', 'invalid_operation'))
  })

  test('what is pending counts as if it will succeed', async () => {
    const { reference } = await authorize()
    expect(await act(reference, 'captures', { asynchronous: true, final: true })).toMatchObject({
      body: { status: 'pending', code: null },
    })

    expect(await act(reference, 'voids')).toMatchObject(refusal('already_captured', 'invalid_operation'))
    expect(await act(reference, 'captures')).toMatchObject(refusal('already_captured', 'invalid_operation'))
    expect(await act(reference, 'refunds')).toMatchObject(refusal('not_captured', 'invalid_operation'))
  })

  test('a void is decided by what was authorized', async () => {
    const { reference } = await authorize({ amount: 510002 })

    expect(await act(reference, 'voids')).toMatchObject(refusal('510002', 'issuer_decline'))
  })

  test.each([
    ['another merchant’s', 'another', (reference: string) => reference],
    ['a made-up', 'shop', () => randomUUID()],
    ['a senseless', 'shop', () => 'x'],
  ])('%s reference is unknown', async (_name, merchant, pick) => {
    const { reference } = await authorize()
    const body = { attempt_id: randomUUID(), amount: 1, currency: 'USD' }

    const reply = await send(`POST authorizations/${pick(reference)}/captures`, body, { merchant })

    expect(reply).toEqual({ status: 404, body: { error: 'unknown_reference' } })
  })

  test('a refund is no authorization', async () => {
    const { reference } = await authorize({ capture: true })
    const { body } = await act(reference, 'refunds', { amount: 10 })

    expect(await act(String(body['reference']), 'refunds', { amount: 1 })).toMatchObject({ status: 404 })
  })
})

describe('many at once', () => {
  test('one attempt, twenty times: one authorization', async () => {
    const sent = order()

    const replies = await Promise.all(Array.from({ length: 20 }, () => send('POST authorizations', sent)))

    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await booksOf(`transaction_id=${sent.transaction_id}`)).sums).toMatchObject([
      { authorized: 1000 },
    ])
  })

  test('one attempt, twenty times: one refund', async () => {
    const { reference } = await authorize({ capture: true })
    const attempt_id = randomUUID()

    const replies = await Promise.all(
      Array.from({ length: 20 }, () => act(reference, 'refunds', { attempt_id, amount: 10 })),
    )

    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await booksOf(`reference=${reference}`)).sums).toMatchObject([{ refunded: 10 }])
  })

  test('twenty refunds of a tenth: ten', async () => {
    const { reference } = await authorize({ capture: true })

    const replies = await Promise.all(
      Array.from({ length: 20 }, () => act(reference, 'refunds', { amount: 100 })),
    )

    expect(replies.filter(({ body }) => body['status'] === 'approved').length).toBe(10)
    expect((await booksOf(`reference=${reference}`)).sums).toMatchObject([{ refunded: 1000 }])
  })

  test('a capture and a void: one of them', async () => {
    const { reference } = await authorize()

    const replies = await Promise.all([act(reference, 'captures'), act(reference, 'voids')])

    expect(replies.filter(({ body }) => body['status'] === 'approved').length).toBe(1)
  })

  test('an attempt and the question about it: done and found, or closed and refused', async () => {
    for (let round = 0; round < 20; round += 1) {
      const sent = order()
      const [done, asked] = await Promise.all([
        send('POST authorizations', sent),
        send(`GET attempts/${sent.attempt_id}`),
      ])

      const isDone = done.body['status'] === 'approved'
      expect(asked.body['status'] === 'approved').toBe(isDone)
      expect(await effectsOf(sent.attempt_id)).toBe(isDone ? 1 : 0)
    }
  })
})

describe('questions', () => {
  test('an unknown attempt is closed: it has no effect when it arrives after all', async () => {
    const sent = order()

    const asked = await send(`GET attempts/${sent.attempt_id}`)
    const late = await send('POST authorizations', sent)
    const again = await send(`GET attempts/${sent.attempt_id}`)

    expect(asked).toEqual({ status: 404, body: { error: 'attempt_closed' } })
    expect(late).toEqual({ status: 409, body: { error: 'attempt_closed' } })
    expect(again).toEqual(asked)
    expect(await effectsOf(sent.attempt_id)).toBe(0)
  })

  test('another merchant’s attempt is not shown, and not closed either', async () => {
    const { attempt_id } = await authorize()

    expect(await send(`GET attempts/${attempt_id}`, undefined, { merchant: 'another' })).toEqual({
      status: 403,
      body: { error: 'other_merchant' },
    })
    expect(await send(`GET attempts/${attempt_id}`)).toMatchObject(approval)
  })

  test.each([
    ['amount', { amount: 2000 }],
    ['currency', { currency: 'EUR' }],
  ])('an attempt with another %s is not the same', async (_name, over) => {
    const sent = order()
    await send('POST authorizations', sent)

    expect(await send('POST authorizations', { ...sent, ...over })).toEqual({
      status: 422,
      body: { error: 'attempt_reused' },
    })
  })

  test('the books are read page by page', async () => {
    const seen = new Set<unknown>()
    let after: string | null = ''
    while (after !== null) {
      const page = await booksOf(`limit=7&after=${after}`)
      for (const { attempt_id } of page.entries) seen.add(attempt_id)
      after = page.next
    }

    const { rows } = await database.pool.query('select count(*)::int as total from simulator.entries')
    expect(seen.size).toBe(rows[0].total)
    expect(seen.size).toBeGreaterThan(20)
  })
})

describe('faults', () => {
  const failsLike = (code: string) => expect.objectContaining({ cause: expect.objectContaining({ code }) })

  test('lose-answer: done, and the answer does not arrive', async () => {
    const sent = order()

    await expect(send('POST authorizations', sent, { fault: 'lose-answer' })).rejects.toEqual(
      failsLike('ECONNRESET'),
    )

    expect(await send(`GET attempts/${sent.attempt_id}`)).toMatchObject(approval)
    expect(await send('POST authorizations', sent, { fault: 'lose-answer' })).toMatchObject(approval)
    expect(await effectsOf(sent.attempt_id)).toBe(1)
  })

  test('unreachable: nothing happens, and the next try gets through', async () => {
    const sent = order()

    await expect(send('POST authorizations', sent, { fault: 'unreachable' })).rejects.toEqual(
      failsLike('ECONNREFUSED'),
    )
    expect(await effectsOf(sent.attempt_id)).toBe(0)

    expect(await send('POST authorizations', sent, { fault: 'unreachable' })).toMatchObject(approval)
    expect(await effectsOf(sent.attempt_id)).toBe(1)
  })

  test('stall: no answer until the caller gives up, and nothing is done', async () => {
    const sent = order()
    const signal = AbortSignal.timeout(50)

    await expect(send('POST authorizations', sent, { fault: 'stall', signal })).rejects.toThrow(/timeout/)

    expect(await effectsOf(sent.attempt_id)).toBe(0)
    expect(await send('POST authorizations', sent, { fault: 'stall' })).toMatchObject(approval)
  })

  test('stall: a caller that never gives up is cut off', async () => {
    const slept: number[] = []
    const via = open(async (ms) => void slept.push(ms))

    await expect(send('POST authorizations', order(), { fault: 'stall', via })).rejects.toEqual(
      failsLike('ECONNRESET'),
    )

    expect(slept).toEqual([120_000])
  })

  test('late: done after the caller has timed out', async () => {
    const sent = order()

    const reply = await send('POST authorizations', sent, { fault: 'late' })
    const before = await effectsOf(sent.attempt_id)
    await simulator.idle()

    expect(reply.status).toBe(504)
    expect(before).toBe(0)
    expect(await effectsOf(sent.attempt_id)).toBe(1)
  })

  test('late: not done after an inquiry in between', async () => {
    const sent = order()
    await send('POST authorizations', sent, { fault: 'late' })

    const asked = await send(`GET attempts/${sent.attempt_id}`)
    await simulator.idle()

    expect(asked.status).toBe(404)
    expect(await effectsOf(sent.attempt_id)).toBe(0)
  })

  test('twice: the request arrives twice and is done once', async () => {
    const { reference } = await authorize({ capture: true })
    const body = { attempt_id: randomUUID(), amount: 300, currency: 'USD' }

    const reply = await send(`POST authorizations/${reference}/refunds`, body, { fault: 'twice' })

    expect(reply).toMatchObject(approval)
    expect((await booksOf(`reference=${reference}`)).sums).toMatchObject([{ refunded: 300 }])
  })

  test('garbage: done, and the answer is no JSON', async () => {
    const sent = order()

    await expect(send('POST authorizations', sent, { fault: 'garbage' })).rejects.toThrow(/JSON/)

    expect(await effectsOf(sent.attempt_id)).toBe(1)
    expect(await send('POST authorizations', sent, { fault: 'garbage' })).toMatchObject(approval)
  })

  test('a caller who gives up does not stop what is being done', async () => {
    const sent = order()
    const controller = new AbortController()
    const blocker = await database.pool.connect()
    await blocker.query('begin')
    await blocker.query('lock table simulator.entries in exclusive mode')
    const sending = send('POST authorizations', sent, { signal: controller.signal })
    const waiting = async () => {
      const { rows } = await database.pool.query(
        "select 1 from pg_locks where relation = 'simulator.entries'::regclass and not granted",
      )
      return rows.length
    }
    await expect.poll(waiting).toBeGreaterThan(0)

    controller.abort(new Error('given up'))
    await expect(sending).rejects.toThrow('given up')
    await blocker.query('commit')
    blocker.release()

    await expect.poll(() => effectsOf(sent.attempt_id)).toBe(1)
  })
})

describe('requests that are not understood', () => {
  test.each([
    ['attempt_id', { attempt_id: 'x y' }],
    ['amount', { amount: '1000' }],
    ['amount', { amount: -1 }],
    ['currency', { currency: 'usd' }],
    ['capture', { capture: 'yes' }],
    ['instrument', { instrument: null }],
    ['instrument.number', { instrument: { ...INSTRUMENT, number: 'four' } }],
    ['instrument.expiration_date', { instrument: { ...INSTRUMENT, expiration_date: '2035' } }],
    ['postal_code', { postal_code: 'a\0b' }],
  ])('a bad %s is named and not repeated: %j', async (field, over) => {
    expect(await send('POST authorizations', order(over))).toEqual({
      status: 400,
      body: { error: 'bad_request', field },
    })
  })

  test('an unknown path, fault, merchant or limit', async () => {
    expect((await send('POST elsewhere', order())).status).toBe(404)
    expect((await send('GET elsewhere')).status).toBe(404)
    expect((await send('POST authorizations', order(), { fault: 'fire' })).status).toBe(400)
    expect((await send('POST authorizations', order(), { merchant: 'invalid' })).status).toBe(401)
    expect((await send('POST authorizations', order(), { merchant: '%' })).status).toBe(401)
    expect((await send('GET books?limit=0')).status).toBe(400)
    expect((await send('GET books?reference=x')).status).toBe(400)
  })

  test('a database that is away looks like a broken connection, and is reported', async () => {
    const pool = openDatabase({ host: '/nowhere' }, { poolSize: 1, onError: () => {} })
    const reported: unknown[] = []
    const via = createSimulator({
      pool: pool.pool,
      clock: () => new Date(),
      onError: (error) => reported.push(error),
    })

    await expect(send('POST authorizations', order(), { via })).rejects.toThrow('fetch failed')
    await pool.close()

    expect(reported.length).toBe(1)
  })
})

test('neither numbers nor codes are in the books', async () => {
  const { rows } = await database.pool.query(
    'select e::text as text from simulator.entries e union all select f::text from simulator.faults f',
  )

  // Random ids contain any four digits now and then. A code that is stored stands between other characters.
  const standsAlone = new RegExp(`(?<![0-9a-f-])${CODE}(?![0-9a-f-])`)
  const texts = rows.map(({ text }) => String(text))
  expect(texts.length).toBeGreaterThan(20)
  expect(texts.filter((text) => text.includes(NUMBER) || standsAlone.test(text))).toEqual([])
  expect(troubles).toEqual([])
})

describe('payouts of a funded merchant', () => {
  const payOut = (merchant: string, over: object = {}) =>
    send('POST payouts', order({ funded: true, ...over }), { merchant })
  const statuses = (replies: readonly Reply[]) => replies.map(({ body }) => body['status']).toSorted()

  /** A merchant that has sold for 1000. */
  async function earner() {
    const merchant = randomUUID()
    const sale = order({ capture: true })
    const { body } = await send('POST authorizations', sale, { merchant })
    const give = (over: object) =>
      send(
        `POST authorizations/${body['reference']}/refunds`,
        { attempt_id: randomUUID(), currency: 'USD', ...over },
        { merchant },
      )
    return { merchant, give }
  }

  test('are limited to what was captured, less refunds and earlier payouts', async () => {
    const { merchant, give } = await earner()
    await give({ amount: 300 })

    const over = await payOut(merchant, { amount: 701 })
    const half = await payOut(merchant, { amount: 400 })
    const rest = await payOut(merchant, { amount: 300 })
    const more = await payOut(merchant, { amount: 1 })

    expect(over.body).toMatchObject({
      status: 'refused',
      code: 'insufficient_balance',
      description: 'insufficient_funds',
    })
    expect(statuses([half, rest, more])).toEqual(['approved', 'approved', 'refused'])
  })

  test('count neither authorizations, nor other currencies, nor other merchants', async () => {
    const merchant = randomUUID()
    await send('POST authorizations', order(), { merchant })
    await send('POST authorizations', order({ capture: true, currency: 'EUR' }), { merchant })

    expect((await payOut(merchant, { amount: 1 })).body['status']).toBe('refused')
    expect((await payOut(merchant, { amount: 1, currency: 'EUR' })).body['status']).toBe('approved')
  })

  test('at the same time spend no money twice', async () => {
    const { merchant } = await earner()

    const replies = await Promise.all(Array.from({ length: 20 }, () => payOut(merchant, { amount: 300 })))

    expect(replies.filter(({ body }) => body['status'] === 'approved')).toHaveLength(3)
  })

  test('reserve the money while they are pending, and give it back if they fail', async () => {
    const { merchant } = await earner()
    const pending = await payOut(merchant, { asynchronous: true })

    const meanwhile = await payOut(merchant, { amount: 1 })
    const settlement = { operation: 'payout', outcome: 'failed', reference: pending.body['reference'] }
    await send('POST settle', settlement, { merchant })
    const after = await payOut(merchant)

    expect([pending, meanwhile, after].map(({ body }) => body['status'])).toEqual([
      'pending',
      'refused',
      'approved',
    ])
  })

  test('get their first answer again when they arrive twice', async () => {
    const { merchant } = await earner()
    const sent = order({ funded: true })

    const replies = [1, 2].map(() => send('POST payouts', sent, { merchant }))

    expect(statuses(await Promise.all(replies))).toEqual(['approved', 'approved'])
  })
})
