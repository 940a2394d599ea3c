import { randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import type { PresentedCard } from '#connectors/contract/gift-card.ts'
import { activateOrder, giveBackOrder, redeemOrder } from '#connectors/contract/gift-card-samples.ts'
import type { GiftCardBench } from '#connectors/contract/gift-card-stage.ts'
import { describeGiftCardConnector } from '#connectors/contract/gift-card-suite.ts'
import { testLink } from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { FAULTS } from '#connectors/simulators/options.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { FAULT_KINDS } from '../../simulator/faults.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { mockGiftCard } from './connector.ts'

const API_KEY = 'canary-ключ & more'
const GUIDE = readFileSync('docs/guide/simulator.md', 'utf8')

let database: Database
let simulator: Simulator
const sleeps: (() => void)[] = []
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  simulator = createSimulator({
    pool: database.pool,
    clock: () => new Date(),
    sleep: () => new Promise((resolve) => sleeps.push(() => resolve())),
  })
})
afterAll(() => database.close())

function linkWith(options: Link['options'] = {}, fields: Record<string, string> = {}): Link {
  return testLink({ fetch: simulator.fetch, fields: { api_key: API_KEY, ...fields }, options })
}

function cardWith(pin: string | null): PresentedCard {
  const number = `4123${String(randomInt(10 ** 12)).padStart(12, '0')}`
  return { number: secret(number), pin: pin === null ? null : secret(pin) }
}

async function books(query: string) {
  const response = await simulator.handle(new Request(`https://gift-cards.simulator.invalid/books?${query}`))
  return (await response.json()) as { entries: object[]; effects: Record<string, number> }
}

const effectsOf = async (attemptId: string) =>
  (await books(`attempt_id=${attemptId}`)).effects[attemptId] ?? 0

async function openBench(): Promise<GiftCardBench> {
  return {
    link: linkWith(),
    currency: 'USD',
    effectsOf,
    card: async (balance) => cardWith(`0${balance}`),
    refused: async () => cardWith('10000'),
    blank: async () => cardWith('02500'),
  }
}

describeGiftCardConnector(mockGiftCard, openBench)

const balance = (card: PresentedCard, link = linkWith()) => mockGiftCard.balance({ card }, link)

describe('what the guide says about gift cards', () => {
  const section = GUIDE.split('\n## Gift cards\n')[1]?.split('\n## ')[0] ?? ''
  const rows = section
    .split('\n')
    .filter((line) => /^\| `/.test(line))
    .map((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text))

  test('lists every code in both ways of writing', () => {
    expect(rows).toHaveLength(12)
  })

  test.each(rows)('the PINs for the code %s are %s and %s', async (code, ...pins) => {
    for (const pin of pins) {
      const card = cardWith(pin)
      const order = redeemOrder(card)

      expect(await balance(card)).toMatchObject({ outcome: 'refused', code, rawCode: 'validation_error' })
      expect(await mockGiftCard.redeem(order, linkWith())).toMatchObject({ outcome: 'refused', code })
      expect(await effectsOf(order.attemptId)).toBe(0)
    }
  })

  test.each([
    ['1', 'validation_error'],
    ['2', 'server_error'],
    ['3', 'client_error'],
  ])('a first digit of %s makes it a %s', async (first, rawCode) => {
    expect(await balance(cardWith(`${first}0006`))).toMatchObject({ code: 'insufficient_funds', rawCode })
  })
})

test('a card expires a year from now', async () => {
  const answer = await balance(cardWith('01000'))

  const expected = new Date()
  expected.setUTCFullYear(expected.getUTCFullYear() + 1)
  expected.setUTCHours(0, 0, 0, 0)
  expect(answer).toEqual({
    outcome: 'known',
    balance: 1000,
    currency: 'USD',
    expiresAt: expected.toISOString(),
  })
})

test('a card without a PIN can only be activated', async () => {
  const card = cardWith(null)

  const activated = await mockGiftCard.activate?.(activateOrder(card), linkWith())

  expect(activated).toMatchObject({
    outcome: 'approved',
    expiresAt: expect.stringMatching(/T00:00:00.000Z$/),
  })
  expect(await balance(card)).toMatchObject({ outcome: 'refused', code: 'invalid_gift_card' })
})

test('an activation does not change the PIN’s balance, and takes only dollars', async () => {
  const card = cardWith('01000')

  const inDollars = await mockGiftCard.activate?.(
    activateOrder(card, { amount: 500, currency: 'USD' }),
    linkWith(),
  )
  const inEuros = await mockGiftCard.activate?.(
    activateOrder(card, { amount: 500, currency: 'EUR' }),
    linkWith(),
  )

  expect(inDollars).toMatchObject({ outcome: 'approved' })
  expect(inEuros).toMatchObject({ outcome: 'refused', code: 'incorrect_currency' })
  expect(await balance(card)).toMatchObject({ balance: 1000 })
})

test('another API key is another merchant, whose cards are untouched and whose attempts are hidden', async () => {
  const card = cardWith('05000')
  const order = redeemOrder(card)
  const answer = await mockGiftCard.redeem(order, linkWith())
  const other = linkWith({}, { api_key: 'another' })
  const reference = answer.outcome === 'approved' ? answer.reference : ''

  const seen = await mockGiftCard.sync({ attemptId: order.attemptId, operation: 'redeem' }, other)
  const refund = await mockGiftCard.refund(giveBackOrder({ order, reference }), other)

  expect(await balance(card, other)).toMatchObject({ balance: 5000 })
  expect(seen.outcome).toBe('unknown')
  expect(refund).toMatchObject({ outcome: 'refused', code: 'unexpected_state' })
  expect(await balance(card)).toMatchObject({ balance: 5000 - order.amount })
})

test('nothing is done without an API key', async () => {
  const link = linkWith({}, { api_key: '' })

  const answers = [
    await balance(cardWith('01000'), link),
    await mockGiftCard.redeem(redeemOrder(cardWith('01000')), link),
  ]

  expect(answers).toMatchObject([
    { outcome: 'refused', code: 'invalid_service_credentials' },
    { outcome: 'refused', code: 'invalid_service_credentials' },
  ])
})

test('an attempt id of another operation is not mistaken for this one', async () => {
  const card = cardWith('05000')
  const order = redeemOrder(card)
  await mockGiftCard.redeem(order, linkWith())

  const other = await mockGiftCard.redeem({ ...order, amount: order.amount + 1 }, linkWith())

  expect(other.outcome).toBe('unknown')
  expect(await balance(card)).toMatchObject({ balance: 5000 - order.amount })
})

test('the books hold no number, no PIN and no API key', async () => {
  const card = cardWith('0987654')
  await mockGiftCard.redeem(redeemOrder(card), linkWith())

  const { rows } = await database.pool.query(
    `select t::text as line from simulator.gift_cards t
     union all select t::text from simulator.gift_card_entries t`,
  )

  const text = rows.map(({ line }) => line).join('\n')
  expect(text).not.toContain(card.number.use(String))
  expect(text).not.toContain('0987654')
  expect(text).not.toContain('canary')
})

describe('faults', () => {
  const withFault = (kind: string, on = 'redeem') => linkWith({ fault: { on, kind } })

  test('are the ones of the simulator', () => {
    expect(FAULTS).toEqual(FAULT_KINDS)
  })

  test.each(['lose-answer', 'garbage'])('%s: it is done, and its answer is lost', async (kind) => {
    const order = redeemOrder(cardWith('05000'))

    const answer = await mockGiftCard.redeem(order, withFault(kind))
    const again = await mockGiftCard.redeem(order, withFault(kind))

    expect([answer.outcome, again.outcome]).toEqual(['unknown', 'approved'])
    expect(await effectsOf(order.attemptId)).toBe(1)
  })

  test('unreachable: it is not done', async () => {
    const order = redeemOrder(cardWith('05000'))

    const answer = await mockGiftCard.redeem(order, withFault('unreachable'))

    expect(answer.outcome).toBe('unknown')
    expect(await mockGiftCard.sync({ attemptId: order.attemptId, operation: 'redeem' }, linkWith())).toEqual({
      outcome: 'not_found',
    })
  })

  test('twice: it is done once', async () => {
    const order = redeemOrder(cardWith('05000'))

    const answer = await mockGiftCard.redeem(order, withFault('twice'))

    expect(answer.outcome).toBe('approved')
    expect(await effectsOf(order.attemptId)).toBe(1)
  })

  test('late: it is done later, unless we inquired in between', async () => {
    const [early, late] = [redeemOrder(cardWith('05000')), redeemOrder(cardWith('05000'))]
    const answers = [
      await mockGiftCard.redeem(early, withFault('late')),
      await mockGiftCard.redeem(late, withFault('late')),
    ]
    await mockGiftCard.sync({ attemptId: late.attemptId, operation: 'redeem' }, linkWith())

    for (const wake of sleeps.splice(0)) wake()
    await simulator.idle()

    expect(answers.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown'])
    expect([await effectsOf(early.attemptId), await effectsOf(late.attemptId)]).toEqual([1, 0])
  })

  test('stall: it is neither done nor answered', async () => {
    const order = redeemOrder(cardWith('05000'))
    const signal = AbortSignal.timeout(50)
    const link = withFault('stall')

    const answer = await mockGiftCard.redeem(order, {
      ...link,
      fetch: (url, init) => link.fetch(url, { ...init, signal }),
    })

    expect(answer.outcome).toBe('unknown')
    expect(await effectsOf(order.attemptId)).toBe(0)
  })

  test('affect only the operation that they name', async () => {
    const order = redeemOrder(cardWith('05000'))
    const redeemed = await mockGiftCard.redeem(order, withFault('unreachable', 'refund'))
    const reference = redeemed.outcome === 'approved' ? redeemed.reference : ''

    const refund = await mockGiftCard.refund(
      giveBackOrder({ order, reference }),
      withFault('unreachable', 'refund'),
    )

    expect([redeemed.outcome, refund.outcome]).toEqual(['approved', 'unknown'])
  })

  test.each([{ on: 'redeem', kind: 'earthquake' }, { on: 'authorize', kind: 'late' }, 'late', 7])(
    'that do not exist are refused: %j',
    async (fault) => {
      const answer = await mockGiftCard.redeem(redeemOrder(cardWith('05000')), linkWith({ fault }))

      expect(answer).toMatchObject({ outcome: 'refused', code: 'invalid_service_configuration' })
    },
  )
})

test.each([
  ['no number', { number: undefined }],
  ['a number with letters', { number: '4123abcd41234567' }],
  ['a PIN that is no text', { pin: 1234 }],
  ['an amount with a fraction', { amount: 1.5 }],
  ['a currency that is none', { currency: 'dollars' }],
  ['an attempt id with a slash', { attempt_id: 'a/b' }],
  ['a transaction id that is too long', { transaction_id: 'x'.repeat(101) }],
])('the provider refuses %s', async (_name, over) => {
  const body = {
    attempt_id: randomUUID(),
    amount: 1,
    currency: 'USD',
    number: '4'.repeat(16),
    pin: '01',
    ...over,
  }

  const response = await simulator.fetch('https://gift-cards.simulator.invalid/redemptions', {
    method: 'POST',
    headers: { 'x-api-key': 'key' },
    body: JSON.stringify(body),
  })

  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({ error: 'bad_request', field: Object.keys(over)[0] })
})

test.each(['GET balances', 'POST nowhere', 'DELETE redemptions'])('the provider has no %s', async (route) => {
  const [method = '', path] = route.split(' ')

  const response = await simulator.fetch(`https://gift-cards.simulator.invalid/${path}`, {
    method,
    headers: { 'x-api-key': 'key' },
    ...(method === 'POST' && { body: JSON.stringify({ attempt_id: randomUUID() }) }),
  })

  expect(response.status).toBe(404)
})
