import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { secretsFrom } from '#platform/access/secrets.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { expireCards } from './expire.ts'
import { createIssuer, ISSUER_URL, type Issuer } from './issuer.ts'
import { verifyLedger } from './verify.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const PROGRAM = { 'x-program': 'shop', 'x-program-key': 'a-key-of-the-merchant' }

let database: Database
let issuer: Issuer
let offsetMs = 0
const troubles: unknown[] = []
const secrets = secretsFrom(randomBytes(32))
const clock = () => new Date(Date.now() + offsetMs)
const open = () =>
  createIssuer({
    pool: database.pool,
    clock,
    secrets,
    publicUrl: 'https://pay.example.com',
    onError: (error) => troubles.push(error),
  })

beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  issuer = open()
})
beforeEach(() => {
  offsetMs = 0
})
afterAll(async () => {
  const findings = await verifyLedger(database.pool)
  await database.close()
  expect(findings).toEqual([])
  expect(troubles).toEqual([])
})

type Reply = { readonly status: number; readonly body: Record<string, unknown> }

async function send(route: string, body: object = {}, via = issuer): Promise<Reply> {
  const [method = '', path = ''] = route.split(' ')
  const response = await via.fetch(ISSUER_URL + path, {
    method,
    headers: PROGRAM,
    ...(method === 'POST' && { body: JSON.stringify({ attempt_id: randomUUID(), ...body }) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function say(route: string, body: object = {}, via = issuer): Promise<unknown> {
  const { status, body: answer } = await send(route, body, via)
  return answer['raw_code'] ?? answer['error'] ?? (status === 200 ? answer['status'] : status)
}

const NEW = { amount: 5000, currency: 'EUR', theme: 'birthday', valid_months: 12 }
type Card = { readonly number: string; readonly pin: string }

async function issue(over: object = {}): Promise<Card & { readonly id: string }> {
  const { body } = await send('POST cards', { ...NEW, ...over })
  const url = String(body['url']).replace('https://pay.example.com/gift-cards/', ISSUER_URL)
  const shown = await (await issuer.handle(new Request(url, { method: 'POST' }))).json()
  const { card } = shown as { card: Card }
  return { ...card, id: String(body['reference']) }
}

const euros = (amount: number) => ({ amount, currency: 'EUR' })
const balanceOf = async ({ number, pin }: Card) => {
  const { body } = await send('POST balances', { number, pin })
  return body['balance'] ?? body['raw_code']
}
const take = async (place: 'holds' | 'redemptions', body: object) => {
  const { body: answer } = await send(`POST ${place}`, body)
  expect(answer).toMatchObject({ status: 'approved' })
  return String(answer['reference'])
}

/** Of the whole program, what each kind of account holds. */
async function accounts(card: { readonly id: string }): Promise<Record<string, number>> {
  const { rows } = await database.pool.query(
    `select a.kind, sum(case when e.credit_account = a.id then e.amount else -e.amount end)::float8 as sum
     from issuer.entries e
     join issuer.operations o on o.id = e.operation_id
     join issuer.accounts a on a.id in (e.debit_account, e.credit_account)
     where o.card_id = (select card_id from issuer.operations where id = $1)
     group by a.kind`,
    [card.id],
  )
  return Object.fromEntries(rows.map(({ kind, sum }) => [kind, sum]))
}

describe('the ledger', () => {
  test('moves value from account to account, and none is made or lost', async () => {
    const card = await issue()
    const { number, pin } = card
    await send('POST loads', { number, ...euros(1000), valid_months: 12 })
    const hold = await take('holds', { number, pin, ...euros(2000) })
    await take('redemptions', { hold, ...euros(500) })
    const redemption = await take('redemptions', { number, pin, ...euros(1500) })
    await send('POST refunds', { redemption, redemption_attempt_id: 'x', ...euros(300) })
    await send('POST reversals', { redemption, redemption_attempt_id: 'x', ...euros(200) })
    const between = await accounts(card)
    await send('POST releases', { hold })
    offsetMs = 400 * DAY_MS
    await expireCards(database.pool, clock)

    expect(between).toEqual({ sold: -6000, card: 3000, hold: 1500, redeemed: 1800, refunded: -300 })
    expect(await accounts(card)).toEqual({
      sold: -6000,
      card: 0,
      hold: 0,
      redeemed: 1800,
      refunded: -300,
      expired: 4500,
    })
  })

  test.each([
    ['a balance', "update issuer.accounts set balance = balance + 1 where id = 'card:' || $1", 2],
    ['an entry', 'update issuer.entries set amount = amount + 1 where operation_id = $2', 3],
    [
      'a direction',
      'update issuer.entries set debit_account = credit_account, credit_account = debit_account where operation_id = $2',
      2,
    ],
    ['an operation', 'update issuer.operations set amount = 1, given_back = 1 where id = $3', 2],
    ['an entry that is gone', 'delete from issuer.entries where operation_id = $2', 2],
  ])('that was changed in %s does not add up', async (_name, sql, least) => {
    const card = await issue()
    const redemption = await take('redemptions', { ...card, ...euros(100) })
    const client = await database.pool.connect()
    const { rows } = await client.query('select card_id from issuer.operations where id = $1', [card.id])
    const values = [rows[0].card_id, card.id, redemption]
    const used = values.filter((_value, index) => sql.includes(`$${index + 1}`))
    await client.query('begin')
    await client.query(sql.replace(/\$[123]/g, '$1'), used)

    // The checks run in this very transaction, which is undone afterwards.
    const pool = {
      connect: async () => Object.assign(Object.create(client), { release: () => {}, query: inSavepoint }),
    }
    const findings = await verifyLedger(pool as unknown as Database['pool'])
    await client.query('rollback')
    client.release()

    expect(findings.length).toBeGreaterThanOrEqual(least)
    expect(await verifyLedger(database.pool)).toEqual([])

    function inSavepoint(text: string) {
      return /^(begin|commit|set )/.test(text) ? Promise.resolve({ rows: [] }) : client.query(text)
    }
  })

  test('refuses a negative balance', async () => {
    const card = await issue()
    const { rows } = await database.pool.query('select card_id from issuer.operations where id = $1', [
      card.id,
    ])

    const owing = database.pool.query('update issuer.accounts set balance = -1 where card_id = $1', [
      rows[0].card_id,
    ])

    await expect(owing).rejects.toThrow(/check constraint/)
  })
})

describe('holds', () => {
  test('set value aside that other redemptions cannot take', async () => {
    const card = await issue()
    const hold = await take('holds', { ...card, ...euros(4000) })

    expect(await balanceOf(card)).toBe(1000)
    expect(await say('POST redemptions', { ...card, ...euros(1001) })).toBe('over_balance')
    expect(await say('POST redemptions', { hold, ...euros(4001) })).toBe('over_hold')
    expect(await say('POST redemptions', { hold, ...euros(4000) })).toBe('approved')
    expect(await say('POST redemptions', { hold, ...euros(1) })).toBe('over_hold')
    expect(await say('POST releases', { hold })).toBe('nothing_held')
  })

  test('are released once, and what is left goes back', async () => {
    const card = await issue()
    const hold = await take('holds', { ...card, ...euros(4000) })
    await take('redemptions', { hold, ...euros(1500) })
    const attempt = { hold, attempt_id: randomUUID() }

    const answers = await Promise.all([say('POST releases', attempt), say('POST releases', attempt)])

    expect(answers).toEqual(['approved', 'approved'])
    expect(await say('POST releases', { hold })).toBe('nothing_held')
    expect(await balanceOf(card)).toBe(3500)
  })

  test('that are not redeemed are released after a week', async () => {
    const card = await issue()
    await take('holds', { ...card, ...euros(4000) })

    offsetMs = 6 * DAY_MS
    await expireCards(database.pool, clock)
    const before = await balanceOf(card)
    offsetMs = 8 * DAY_MS
    await expireCards(database.pool, clock)

    expect([before, await balanceOf(card)]).toEqual([1000, 5000])
  })

  test('that do not exist are refused', async () => {
    const card = await issue()
    const redemption = await take('redemptions', { ...card, ...euros(1) })

    for (const hold of [randomUUID(), redemption]) {
      expect(await say('POST redemptions', { hold, ...euros(1) })).toBe('unknown_hold')
      expect(await say('POST releases', { hold })).toBe('unknown_hold')
    }
  })
})

describe('PINs', () => {
  const tryPin = ({ number }: Card, pin: string | null, via = issuer) =>
    say('POST balances', { number, pin }, via)
  const wrong = (index: number) => `wrong-${index}`

  test('that are wrong lock a card for a quarter of an hour, for the right one as well', async () => {
    const card = await issue()
    await balanceOf(card)

    const answers = []
    for (const index of [1, 2, 3, 4, 5, 6]) answers.push(await tryPin(card, wrong(index)))
    const locked = [await tryPin(card, card.pin), await say('POST redemptions', { ...card, ...euros(1) })]
    const elsewhere = await tryPin(card, card.pin, open())
    offsetMs = 14 * MINUTE_MS
    const soon = await tryPin(card, card.pin)
    offsetMs = 16 * MINUTE_MS

    expect(answers).toEqual([...Array(5).fill('unknown_card'), 'too_many_wrong_pins'])
    expect([...locked, elsewhere, soon]).toEqual(Array(4).fill('too_many_wrong_pins'))
    expect(await tryPin(card, card.pin)).toBe('known')
  })

  test('that are tried many at once are counted, too', async () => {
    const card = await issue()

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_none, index) => tryPin(card, wrong(index), index % 2 ? open() : issuer)),
    )

    expect(answers.filter((answer) => answer === 'unknown_card')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'too_many_wrong_pins')).toHaveLength(15)
  })

  test('that are wrong now and then lock nothing', async () => {
    const card = await issue()

    const answers = []
    for (const index of [1, 2, 3, 4, 5, 6, 7, 8]) {
      offsetMs = index * 5 * MINUTE_MS
      answers.push(await tryPin(card, wrong(index)))
      if (index === 4) await tryPin(card, card.pin)
    }

    expect(answers).toEqual(Array(8).fill('unknown_card'))
  })

  test('that are right are remembered, so that a popular card is not slow', async () => {
    const card = await issue()
    await balanceOf(card)
    const { rows } = await database.pool.query('select card_id from issuer.operations where id = $1', [
      card.id,
    ])
    const breakHash = (hash: Buffer) =>
      database.pool.query('update issuer.pins set hash = $2 where card_id = $1', [rows[0].card_id, hash])

    await breakHash(Buffer.alloc(32))
    const remembered = await tryPin(card, card.pin)
    offsetMs = 6 * MINUTE_MS
    const later = await tryPin(card, card.pin)

    expect([remembered, later]).toEqual(['known', 'unknown_card'])
  })

  test('are needed, but for activating and loading', async () => {
    const { number } = await issue()

    expect(await say('POST balances', { number })).toBe('missing_pin')
    expect(await say('POST redemptions', { number, ...euros(1) })).toBe('missing_pin')
    expect(await say('POST loads', { number, ...euros(1), valid_months: 1 })).toBe('approved')
  })

  test('do not change what an attempt was answered before', async () => {
    const card = await issue()
    const attempt = { ...card, ...euros(100), attempt_id: randomUUID() }
    await say('POST redemptions', attempt)
    for (const index of [1, 2, 3, 4, 5]) await tryPin(card, wrong(index))

    expect(await tryPin(card, card.pin)).toBe('too_many_wrong_pins')
    expect(await say('POST redemptions', attempt)).toBe('approved')
    expect(await say(`GET attempts/${attempt.attempt_id}`)).toBe('approved')
  })
})

test('a refusal holds for its attempt, whatever happens later', async () => {
  const card = await issue()
  const attempt = { ...card, ...euros(6000), attempt_id: randomUUID() }
  const before = await say('POST redemptions', attempt)
  await send('POST loads', { ...card, ...euros(9000), valid_months: 12 })

  expect([before, await say('POST redemptions', attempt)]).toEqual(['over_balance', 'over_balance'])
  expect(await balanceOf(card)).toBe(14000)
})

describe('time', () => {
  test('makes cards expire, and their value the merchant’s', async () => {
    const card = await issue({ valid_months: 1 })
    offsetMs = 32 * DAY_MS

    const before = [await balanceOf(card), await say('POST redemptions', { ...card, ...euros(1) })]
    const counts = await Promise.all([expireCards(database.pool, clock), expireCards(database.pool, clock)])

    expect(before).toEqual(['expired', 'expired'])
    expect(counts[0] + counts[1]).toBeGreaterThanOrEqual(1)
    expect(await balanceOf(card)).toBe('expired')
    expect(await accounts(card)).toEqual({ sold: -5000, card: 0, expired: 5000 })
    expect(await say('POST loads', { ...card, ...euros(1), valid_months: 1 })).toBe('expired')
  })

  test('does not touch blanks', async () => {
    const card = await issue({ amount: 0 })

    offsetMs = 2000 * DAY_MS
    await expireCards(database.pool, clock)

    expect(await balanceOf(card)).toBe('inactive')
    expect(await say('POST activations', { ...card, ...euros(100), valid_months: 1 })).toBe('approved')
    expect(await balanceOf(card)).toBe(100)
  })

  test('is given again to an expired card that value comes back to', async () => {
    const card = await issue({ valid_months: 1 })
    const redemption = await take('redemptions', { ...card, ...euros(2000) })
    offsetMs = 40 * DAY_MS
    await expireCards(database.pool, clock)

    const refund = await say('POST refunds', { redemption, redemption_attempt_id: 'x', ...euros(2000) })
    const usable = await balanceOf(card)
    offsetMs = 71 * DAY_MS
    await expireCards(database.pool, clock)

    expect([refund, usable]).toEqual(['approved', 2000])
    expect(await balanceOf(card)).toBe('expired')
    expect(await accounts(card)).toMatchObject({ card: 0, expired: 5000 })
  })

  test.each([
    ['2030-01-31T10:00:00Z', 1, '2030-02-28T10:00:00.000Z'],
    ['2028-02-29T10:00:00Z', 12, '2029-02-28T10:00:00.000Z'],
    ['2030-12-15T10:00:00Z', 60, '2035-12-15T10:00:00.000Z'],
  ])('from %s, %i months on, is %s', async (now, months, expected) => {
    offsetMs = new Date(now).getTime() - Date.now()
    const card = await issue({ valid_months: months })

    const { body } = await send('POST balances', card)

    expect(String(body['expires_at']).slice(0, 10)).toBe(expected.slice(0, 10))
  })

  test('is added by loading', async () => {
    const card = await issue({ valid_months: 1 })
    offsetMs = 20 * DAY_MS
    await send('POST loads', { ...card, ...euros(100), valid_months: 1 })

    offsetMs = 45 * DAY_MS

    expect(await balanceOf(card)).toBe(5100)
  })
})

describe('the page of a new card', () => {
  async function issued() {
    const { body } = await send('POST cards', { ...NEW, theme: '<b>' })
    return String(body['url']).replace('https://pay.example.com/gift-cards/', ISSUER_URL)
  }
  const look = async (url: string, method = 'GET') => {
    const response = await issuer.handle(new Request(url, { method }))
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  test('shows number and PIN after a click, for a day', async () => {
    const url = await issued()

    const closed = await look(url)
    const opened = await look(url, 'POST')
    offsetMs = 23 * 60 * MINUTE_MS
    const again = await look(url, 'POST')
    offsetMs = 25 * 60 * MINUTE_MS
    const after = [await look(url), await look(url, 'POST')]

    expect(JSON.parse(closed.text)).toMatchObject({ amount: 5000, currency: 'EUR', card: null })
    expect(JSON.parse(opened.text).card).toEqual({
      number: expect.stringMatching(/^9000\d{12}$/),
      pin: expect.stringMatching(/^\d{6}$/),
    })
    expect(again.text).toBe(opened.text)
    expect(after.map(({ status }) => status)).toEqual([410, 410])
  })

  test('is there for thirty days, and then forgotten', async () => {
    const url = await issued()
    const id = url.split('/').at(-2)
    const rows = async () =>
      (await database.pool.query('select from issuer.pages where operation_id = $1', [id])).rowCount

    offsetMs = 29 * DAY_MS
    await expireCards(database.pool, clock)
    const before = [(await look(url)).status, await rows()]
    offsetMs = 31 * DAY_MS
    const late = (await look(url, 'POST')).status
    await expireCards(database.pool, clock)

    expect(before).toEqual([200, 1])
    expect([late, await rows()]).toEqual([410, 0])
  })

  test('is not found under another address', async () => {
    const url = await issued()
    const wrong = [
      url.slice(0, -1) + (url.endsWith('A') ? 'B' : 'A'),
      url.slice(0, -1),
      url.replace(/[0-9a-f-]{36}/, randomUUID()),
      `${ISSUER_URL}issued/x/y`,
      `${ISSUER_URL}issued`,
    ]

    const statuses = await Promise.all(wrong.map(async (one) => (await look(one, 'POST')).status))

    expect(statuses).toEqual([404, 404, 404, 404, 404])
  })

  test('is not cached', async () => {
    const { headers } = await look(await issued())

    expect(headers.get('cache-control')).toBe('no-store')
  })
})

test('the tables hold no number, no PIN and no key', async () => {
  const card = await issue()
  await take('redemptions', { ...card, ...euros(1) })
  await say('POST balances', { number: card.number, pin: 'canary-pin' })

  const tables = ['programs', 'cards', 'pins', 'operations', 'accounts', 'entries', 'pages']
  const all = await Promise.all(
    tables.map((table) => database.pool.query(`select t::text as line from issuer.${table} t`)),
  )

  const text = all.flatMap(({ rows }) => rows.map(({ line }) => String(line))).join('\n')
  expect(text.length).toBeGreaterThan(1000)
  expect(text).not.toContain(card.number)
  expect(text).not.toContain('canary-pin')
  expect(text).not.toContain(PROGRAM['x-program-key'])
})

describe('requests that are not understood', () => {
  const CARD = { number: '9000000000000003', pin: '123456' }

  test.each([
    ['POST cards', { amount: 1.5, currency: 'EUR', valid_months: 1 }, 'amount'],
    ['POST cards', { amount: -1, currency: 'EUR', valid_months: 1 }, 'amount'],
    ['POST cards', { amount: 100_000_000, currency: 'EUR', valid_months: 1 }, 'amount'],
    ['POST cards', { amount: 1, currency: 'euro', valid_months: 1 }, 'currency'],
    ['POST cards', { amount: 1, currency: 'EUR', valid_months: 0 }, 'valid_months'],
    ['POST cards', { ...NEW, theme: 'x'.repeat(201) }, 'theme'],
    ['POST cards', { ...NEW, external_identifier: 'a\0b' }, 'external_identifier'],
    ['POST cards', { ...NEW, attempt_id: 'a/b' }, 'attempt_id'],
    ['POST redemptions', { ...CARD, ...euros(1), number: '9000 0000' }, 'number'],
    ['POST redemptions', { ...CARD, ...euros(1), pin: 7 }, 'pin'],
    ['POST redemptions', { hold: 'that one', ...euros(1) }, 'hold'],
    ['POST releases', {}, 'hold'],
    ['POST refunds', { ...euros(1), redemption: 'x', redemption_attempt_id: 'y' }, 'redemption'],
    ['POST refunds', { ...euros(1), redemption: null }, 'redemption_attempt_id'],
    ['POST activations', { ...CARD, amount: 1, valid_months: 1 }, 'currency'],
  ])('%s with %j', async (route, body, field) => {
    expect(await send(route, body)).toEqual({ status: 400, body: { error: 'bad_request', field } })
  })

  test.each(['GET cards', 'POST nowhere', 'DELETE cards'])('%s', async (route) => {
    expect(await say(route)).toBe('unknown_path')
  })

  test('a body that is no object', async () => {
    const response = await issuer.fetch(`${ISSUER_URL}cards`, {
      method: 'POST',
      headers: PROGRAM,
      body: '[]',
    })

    expect(response.status).toBe(400)
  })

  test('a database that is away looks like a broken connection', async () => {
    const gone = openDatabase({ host: '/nowhere' }, { poolSize: 1, onError: () => {} })
    const said: unknown[] = []
    const lost = createIssuer({
      pool: gone.pool,
      clock,
      secrets,
      publicUrl: '',
      onError: (error) => said.push(error),
    })

    const asked = send('POST cards', NEW, lost)

    await expect(asked).rejects.toThrow('fetch failed')
    expect(said).toHaveLength(1)
    await gone.close()
  })
})
