import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { createSimulator, type Simulator } from '../simulator.ts'

const URL_START = 'https://processor.simulator.invalid'
const DAY_MS = 24 * 3_600_000

let database: Database
let simulator: Simulator
let now = new Date('2026-11-16T10:00:00Z')
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  simulator = createSimulator({ pool: database.pool, clock: () => now })
})
afterAll(() => database.close())

/** A merchant of its own for each test, at ten o'clock on a Monday. */
function openShop() {
  const merchantId = `shop ${randomUUID()}`
  now = new Date('2026-11-16T10:00:00Z')
  const headers = { 'x-merchant-id': encodeURIComponent(merchantId) }
  const call = async (method: string, path: string, body?: object) => {
    const init = body ? { body: JSON.stringify(body) } : {}
    return simulator.fetch(`${URL_START}/${path}`, { method, headers, ...init })
  }
  const operate = async (path: string, body: object) => {
    const answer = await call('POST', path, { attempt_id: randomUUID(), ...body })
    return (await answer.json()) as { reference: string; status: string; code: string }
  }
  const sell = (amount: number, over: { currency?: string; number?: string; attempt_id?: string } = {}) => {
    const { number = '4111111111111111', ...rest } = over
    const instrument = { type: 'card', number, expiration_date: '12/35' }
    return operate('authorizations', { amount, currency: 'USD', capture: true, instrument, ...rest })
  }
  const list = async (query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ since: '1970-01-01T00:00:00Z', ...query })
    const answer = await call('GET', `files?${search}`)
    expect(answer.status).toBe(200)
    const { files } = (await answer.json()) as { files: { id: string; name: string; published_at: string }[] }
    return files
  }
  const read = async (id: string) => (await call('GET', `files/${id}`)).text()
  const sums = async () => {
    const answer = await simulator.fetch(
      `${URL_START}/books/files?merchant_id=${encodeURIComponent(merchantId)}`,
    )
    const { files } = (await answer.json()) as {
      files: { id: string; count: number; gross: number; fees: number }[]
    }
    return files
  }
  return { merchantId, call, operate, sell, list, read, sums }
}

type Shop = ReturnType<typeof openShop>

function linesOf(text: string): string[][] {
  const rows = text
    .trimEnd()
    .split('\n')
    .map((row) => row.split(','))
  return rows.filter(([first]) => first === 'line').map((row) => row.slice(1))
}

function trailerOf(text: string): number[] {
  const [name, ...sums] = text.trimEnd().split('\n').at(-1)?.split(',') ?? []
  expect(name).toBe('trailer')
  return sums.map(Number)
}

/** Each trailer is what the lines add up to, and what the books say. */
async function checkSums(shop: Shop): Promise<void> {
  const sums = await shop.sums()
  for (const { id } of await shop.list()) {
    const text = await shop.read(id)
    const lines = linesOf(text)
    const [gross, fees] = [5, 7].map((cell) => lines.reduce((sum, line) => sum + Number(line[cell]), 0))
    const expected = [lines.length, gross, fees, (gross ?? 0) - (fees ?? 0)]
    expect(trailerOf(text)).toEqual(expected)
    const { count, gross: inBooks, fees: feesInBooks } = sums.find((sum) => sum.id === id) ?? {}
    expect([count, inBooks, feesInBooks]).toEqual(expected.slice(0, 3))
  }
}

describe('a day', () => {
  test('is closed at two in the night, and becomes a file', async () => {
    const shop = openShop()
    const attemptId = randomUUID()
    const { reference } = await shop.sell(1_299, { attempt_id: attemptId })

    now = new Date('2026-11-17T01:59:59.999Z')
    expect(await shop.list()).toEqual([])
    now = new Date('2026-11-17T02:00:00Z')
    const files = await shop.list()

    const [file] = files
    expect(files).toEqual([
      {
        id: expect.any(String),
        name: 'settlement_2026-11-16_USD.csv',
        published_at: '2026-11-17T02:00:00.000Z',
      },
    ])
    const text = await shop.read(file?.id ?? '')
    expect(text.split('\n')[0]).toBe(
      `header,${file?.id},2026-11-16,${encodeURIComponent(shop.merchantId)},USD`,
    )
    expect(linesOf(text)).toEqual([
      [
        'settlement',
        reference,
        reference,
        attemptId,
        '2026-11-18',
        '1299',
        'USD',
        '38',
        '20',
        '3',
        '15',
        ...Array(5).fill(''),
      ],
    ])
    expect(trailerOf(text)).toEqual([1, 1_299, 38, 1_261])
    await checkSums(shop)
  })

  test('has a file for each currency, and none without payments', async () => {
    const shop = openShop()
    await shop.sell(1_299)
    await shop.sell(500, { currency: 'EUR' })
    now = new Date('2026-11-19T10:00:00Z')
    await shop.sell(700)
    now = new Date('2026-11-20T10:00:00Z')

    const names = (await shop.list()).map(({ name }) => name)

    expect(names).toHaveLength(3)
    expect(new Set(names)).toEqual(
      new Set([
        'settlement_2026-11-16_EUR.csv',
        'settlement_2026-11-16_USD.csv',
        'settlement_2026-11-19_USD.csv',
      ]),
    )
    await checkSums(shop)
  })

  test('has captures, sales and refunds, and nothing that moved no money', async () => {
    const shop = openShop()
    const instrument = { type: 'card', number: '4111111111111111', expiration_date: '12/35' }
    const money = { currency: 'USD', instrument }
    const held = await shop.operate('authorizations', { ...money, amount: 900 })
    await shop.operate('authorizations', { ...money, amount: 800 })
    await shop.operate('authorizations', { ...money, amount: 200_011, capture: true })
    await shop.operate(`authorizations/${held.reference}/captures`, {
      amount: 900,
      currency: 'USD',
      final: true,
    })
    await shop.operate(`authorizations/${held.reference}/refunds`, { amount: 400, currency: 'USD' })
    await shop.operate('payouts', { ...money, amount: 100 })
    now = new Date(now.getTime() + DAY_MS)

    const [file] = await shop.list()
    const lines = linesOf(await shop.read(file?.id ?? ''))

    expect(lines).toHaveLength(2)
    expect(new Set(lines.map(([kind, , , , , amount]) => `${kind} ${amount}`))).toEqual(
      new Set(['refund_settlement -400', 'settlement 900']),
    )
    await checkSums(shop)
  })

  test('that is closed while a payment commits loses nothing: the payment is in the next file, once', async () => {
    const shop = openShop()
    now = new Date('2026-11-17T01:59:59.900Z')
    await shop.sell(1_000)
    // A payment that has been begun before two o'clock, and is committed after the closing.
    const open = await database.pool.connect()
    await open.query('begin')
    await open.query(
      `insert into simulator.entries (attempt_id, status, operation, merchant_id, reference, requested_amount, amount,
         currency, is_final, created_at, ended_at)
       values ($1, 'approved', 'authorize', $2, $3, 2000, 2000, 'USD', true, $4, $4)`,
      [randomUUID(), shop.merchantId, randomUUID(), now],
    )
    now = new Date('2026-11-17T02:00:01Z')
    const first = await shop.list()
    await open.query('commit')
    open.release()

    expect(await shop.list()).toEqual(first)
    now = new Date('2026-11-18T02:00:00Z')
    const files = await shop.list()

    expect(files).toHaveLength(2)
    const amounts = await Promise.all(
      files.map(async ({ id }) => linesOf(await shop.read(id)).map((line) => line[5])),
    )
    expect(amounts).toEqual([['1000'], ['2000']])
    await checkSums(shop)
  })

  test('is closed once by many callers at once', async () => {
    const shop = openShop()
    for (let index = 0; index < 20; index++) await shop.sell(1_000 + index)
    now = new Date(now.getTime() + DAY_MS)

    const lists = await Promise.all(Array.from({ length: 6 }, () => shop.list()))

    expect(new Set(lists.map((files) => JSON.stringify(files))).size).toBe(1)
    expect(trailerOf(await shop.read(lists[0]?.[0]?.id ?? ''))[0]).toBe(20)
    await checkSums(shop)
  })

  test('is listed from a time on, to its merchant alone', async () => {
    const shop = openShop()
    await shop.sell(1_000)
    now = new Date('2026-11-18T10:00:00Z')

    const [file] = await shop.list()

    expect(await shop.list({ since: '2026-11-17T02:00:00Z' })).toHaveLength(1)
    expect(await shop.list({ since: '2026-11-17T02:00:00.001Z' })).toEqual([])
    expect((await openShop().call('GET', `files/${file?.id}`)).status).toBe(404)
    expect((await shop.call('GET', 'files?since=yesterday')).status).toBe(400)
    expect((await shop.call('GET', 'files/none')).status).toBe(404)
  })

  test('with more lines than a page is the same text each time', async () => {
    const shop = openShop()
    await database.pool.query(
      `insert into simulator.entries (attempt_id, status, operation, merchant_id, reference, requested_amount, amount,
         currency, is_final, created_at, ended_at)
       select gen_random_uuid()::text, 'approved', 'authorize', $1, gen_random_uuid(), n, n, 'USD', true, $2, $2
       from generate_series(1, 12000) n`,
      [shop.merchantId, now],
    )
    now = new Date(now.getTime() + DAY_MS)

    const [file] = await shop.list()
    const [once, twice] = await Promise.all([1, 2].map(() => shop.read(file?.id ?? '')))

    expect(once).toBe(twice)
    expect(trailerOf(once ?? '').slice(0, 2)).toEqual([12_000, (12_000 * 12_001) / 2])
    await checkSums(shop)
  })
})

test('money is exchanged into the currency of the settlement, and a currency without a rate is not', async () => {
  const shop = openShop()
  await shop.sell(1_000, { currency: 'EUR' })
  await shop.sell(1_000, { currency: 'XTS' })
  now = new Date(now.getTime() + DAY_MS)

  const files = await shop.list({ settlement_currency: 'USD' })

  const lines = await Promise.all(
    files.map(async ({ id }) =>
      linesOf(await shop.read(id))[0]
        ?.slice(5)
        .join(),
    ),
  )
  expect(lines.toSorted()).toEqual(['1000,XTS,34,18,3,13,,,,,', '1080,USD,35,19,3,13,1000,EUR,1.080000,,'])
  await checkSums(shop)
})

describe('a fault', () => {
  /** The files after a day with two payments and a refund, while the fault is asked for. */
  async function faulty(fault: string) {
    const shop = openShop()
    const { reference } = await shop.sell(1_299)
    await shop.sell(701)
    await shop.operate(`authorizations/${reference}/refunds`, { amount: 100, currency: 'USD' })
    now = new Date('2026-11-17T10:00:00Z')
    const files = await shop.list({ fault })
    return { shop, files, fault }
  }

  test('missing_day withholds the file until the fault is gone', async () => {
    const { shop, files, fault } = await faulty('missing_day')
    now = new Date('2026-11-20T10:00:00Z')

    expect(files).toEqual([])
    expect(await shop.list({ fault })).toEqual([])
    expect(await shop.list()).toMatchObject([
      { name: 'settlement_2026-11-16_USD.csv', published_at: now.toISOString() },
    ])
    await checkSums(shop)
  })

  test('late_file publishes it two days later', async () => {
    const { shop, files, fault } = await faulty('late_file')
    now = new Date('2026-11-19T02:00:00Z')

    expect(files).toEqual([])
    expect(await shop.list({ fault })).toMatchObject([{ published_at: '2026-11-19T02:00:00.000Z' }])
  })

  test('duplicate_file publishes the same bytes under another name', async () => {
    const { shop, files } = await faulty('duplicate_file')

    expect(files.map(({ name }) => name)).toEqual([
      'settlement_2026-11-16_USD.csv',
      'settlement_2026-11-16_USD_copy.csv',
    ])
    const texts = await Promise.all(files.map(({ id }) => shop.read(id)))
    expect(texts[0]).toBe(texts[1])
  })

  test.each([
    ['wrong_sum', '2026-11-17T10:00:00Z', '2026-11-18T02:00:00.000Z'],
    ['duplicate_file', '2026-11-17T02:30:00Z', '2026-11-17T03:00:00.000Z'],
    ['late_file', '2026-11-19T01:59:00Z', '2026-11-19T02:00:00.000Z'],
    ['missing_day', '2026-11-17T10:00:00Z', null],
  ])(
    '%s: the list tells when the next file comes, unless the merchant decides that',
    async (fault, at, next) => {
      const { shop } = await faulty(fault)
      now = new Date(at)

      const answer = await shop.call('GET', `files?since=2026-11-16&fault=${fault}`)

      expect(await answer.json()).toMatchObject({ next_at: next })
    },
  )

  test('wrong_sum is a trailer that is not what the lines add up to', async () => {
    const { shop, files } = await faulty('wrong_sum')

    const text = await shop.read(files[0]?.id ?? '')

    expect(trailerOf(text)).toEqual([3, 2_000, 68, 1_932])
    expect(linesOf(text).reduce((sum, line) => sum + Number(line[5]), 0)).toBe(1_900)
  })

  test('unknown_reference adds a line about no payment', async () => {
    const { shop, files } = await faulty('unknown_reference')

    const text = await shop.read(files[0]?.id ?? '')

    expect(linesOf(text)[0]?.slice(0, 6)).toMatchObject([
      'settlement',
      expect.any(String),
      expect.any(String),
      expect.stringMatching(/^unknown-/),
      '2026-11-18',
      '1000',
    ])
    expect(trailerOf(text).slice(0, 2)).toEqual([4, 2_900])
    expect(await shop.read(files[0]?.id ?? '')).toBe(text)
  })

  test('partial_lines splits each payment in two, with the same sums', async () => {
    const { shop, files } = await faulty('partial_lines')

    const text = await shop.read(files[0]?.id ?? '')

    const amounts = linesOf(text).map((line) => Number(line[5]))
    expect(amounts.toSorted((one, other) => one - other)).toEqual([-100, 350, 351, 649, 650])
    const [count, ...sums] = trailerOf(text)
    expect([count, ...sums]).toEqual([5, 1_900, 68, 1_832])
    expect(new Set(linesOf(text).map((line) => line[1])).size).toBe(5)
  })

  test('off_by_one settles one minor unit less', async () => {
    const { shop, files } = await faulty('off_by_one')

    expect(trailerOf(await shop.read(files[0]?.id ?? '')).slice(0, 2)).toEqual([3, 1_898])
  })

  test('that does not exist is refused', async () => {
    const shop = openShop()

    expect((await shop.call('GET', 'files?since=2026-11-16&fault=off_by_two')).status).toBe(400)
    expect((await shop.call('GET', 'files?since=2026-11-16&settlement_currency=euro')).status).toBe(400)
  })
})

describe('what happens later', () => {
  test.each([
    ['captured', 'captures', { amount: 620_001, currency: 'USD', final: true }],
    ['voided', 'voids', {}],
  ])('a payment whose final capture failed can be %s', async (_name, operation, body) => {
    const shop = openShop()
    const instrument = { type: 'card', number: '4111111111111111', expiration_date: '12/35' }
    const held = await shop.operate('authorizations', { amount: 620_001, currency: 'USD', instrument })
    const capture = { amount: 620_001, currency: 'USD', final: true }
    await shop.operate(`authorizations/${held.reference}/captures`, capture)
    const again = () => shop.operate(`authorizations/${held.reference}/${operation}`, body)

    expect(await again()).toMatchObject({ status: 'refused', code: 'already_captured' })
    now = new Date(now.getTime() + 2 * 3_600_000)
    expect(await again()).toMatchObject({ status: 'approved' })
  })

  test('chargebacks and late failures are no earnings that can be paid out, once they have happened', async () => {
    const shop = openShop()
    const instrument = { type: 'card', number: '4111111111111111', expiration_date: '12/35' }
    const payOut = (amount: number) =>
      shop.operate('payouts', { amount, currency: 'USD', instrument, funded: true })
    await shop.sell(1_000)
    await shop.sell(611_001)
    await shop.sell(620_001)

    // After an hour, a day and six days.
    now = new Date(now.getTime() + 2 * 3_600_000)
    expect((await payOut(1_000 + 611_001 + 1)).status).toBe('refused')
    now = new Date(now.getTime() + DAY_MS)
    expect((await payOut(1_001)).status).toBe('refused')
    now = new Date(now.getTime() + 6 * DAY_MS)
    expect((await payOut(1_001)).status).toBe('approved')
    expect((await payOut(611_001)).status).toBe('refused')
  })

  const kindsOf = async (shop: Shop) => {
    const files = await shop.list()
    const texts = await Promise.all(files.map(({ id }) => shop.read(id)))
    return texts.map((text) => linesOf(text).map(([kind, , , , , amount]) => `${kind} ${amount}`))
  }

  test('a payment that is disputed is in a file of its own day', async () => {
    const shop = openShop()
    const { reference } = await shop.sell(610_002)
    now = new Date('2026-11-18T10:00:00Z')

    expect(await kindsOf(shop)).toEqual([['settlement 610002'], ['chargeback -610002']])
    const [, file] = await shop.list()
    const [line] = linesOf(await shop.read(file?.id ?? ''))
    expect(line?.[2]).toBe(reference)
    expect(line?.slice(-2)).toEqual(['610002', 'not_received'])
    await checkSums(shop)
  })

  test('a chargeback is reversed days later', async () => {
    const shop = openShop()
    await shop.sell(1_000, { number: '4000000000611006' })
    now = new Date('2026-11-30T10:00:00Z')

    expect(await kindsOf(shop)).toEqual([
      ['settlement 1000'],
      ['chargeback -1000'],
      ['chargeback_reversal 1000'],
    ])
    await checkSums(shop)
  })

  test('a capture and a refund that fail later are taken back in the files', async () => {
    const shop = openShop()
    const captured = await shop.sell(620_002)
    const { reference } = await shop.sell(700_000)
    await shop.operate(`authorizations/${reference}/refunds`, { amount: 630_002, currency: 'USD' })
    now = new Date('2026-11-30T10:00:00Z')

    const files = await kindsOf(shop)

    expect(files.map((lines) => lines.toSorted())).toEqual([
      ['refund_settlement -630002', 'settlement 620002', 'settlement 700000'],
      ['refund_settlement 630002', 'settlement -620002'],
    ])
    const [, file] = await shop.list()
    const lines = linesOf(await shop.read(file?.id ?? ''))
    expect(lines.find(([kind]) => kind === 'settlement')?.[2]).toBe(captured.reference)
    await checkSums(shop)
  })
})
