import { describe, expect, test } from 'vitest'
import { giftCardWith, openGiftCardTill, refusedGiftCard } from '#testing/gift-cards.ts'

const HOUR_MS = 3_600_000

const { service, counter, till, line } = await openGiftCardTill()

const resolveAll = () => service.resolveDue()
const USUAL_MS = service.providers.timeoutMs
const waitFor = (timeoutMs: number) => Object.assign(service.providers, { timeoutMs })
const revive = () => {
  line.repair()
  waitFor(USUAL_MS)
}

/**
 * A process dies while it asks a provider, before the request is sent or after it was done. The rest of its
 * work is lost, so a request that is never answered has the same effect.
 */
async function dieAt(step: number, isDone: boolean, work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = []
  const death = Promise.withResolvers<'dead'>()
  waitFor(10 * HOUR_MS)
  line.intercept(async (go, url) => {
    asked.push(new URL(url).pathname)
    if (asked.length <= step) return go()
    if (isDone) await go()
    death.resolve('dead')
    return new Promise(() => {})
  })
  const end = await Promise.race([work(), death.promise])
  expect(end).toBe('dead')
  revive()
  return asked
}

/** Runs the job at a time when the process counts as dead. */
async function restart(): Promise<void> {
  service.moveClock(11 * HOUR_MS)
  await resolveAll()
}

const GOOD = () => [giftCardWith(500), giftCardWith(500), giftCardWith(500)]
const BAD = () => [giftCardWith(500), giftCardWith(500), refusedGiftCard(2)]
type Story = {
  readonly cards: () => ReturnType<typeof GOOD>
  readonly body: object
  readonly steps: readonly string[]
  readonly status: string
  readonly balances: readonly number[]
}

const PAID = [400, 400, 400]
const UNDONE = [500, 500]
const STORIES: Readonly<Record<string, Story>> = {
  'gift cards pay': {
    cards: GOOD,
    body: {},
    steps: ['redeem', 'redeem', 'redeem'],
    status: 'capture_succeeded',
    balances: PAID,
  },
  'gift cards and a card pay': {
    cards: GOOD,
    body: { amount: 1000, intent: 'capture' },
    steps: ['authorize', 'redeem', 'redeem', 'redeem', 'capture'],
    status: 'capture_succeeded',
    balances: PAID,
  },
  'gift cards are undone': {
    cards: BAD,
    body: {},
    steps: ['redeem', 'redeem', 'redeem', 'reverse', 'reverse'],
    status: 'authorization_failed',
    balances: UNDONE,
  },
  'gift cards and a card are undone': {
    cards: BAD,
    body: { amount: 1000 },
    steps: ['authorize', 'redeem', 'redeem', 'redeem', 'reverse', 'reverse', 'void'],
    status: 'authorization_failed',
    balances: UNDONE,
  },
  'a capture is refused': {
    cards: GOOD,
    body: { amount: 500_302, intent: 'capture' },
    steps: ['authorize', 'redeem', 'redeem', 'redeem', 'capture', 'reverse', 'reverse', 'reverse', 'void'],
    status: 'authorization_failed',
    balances: [500, 500, 500],
  },
}

const CASES = Object.entries(STORIES).flatMap(([name, story]) =>
  story.steps.flatMap((step, index) =>
    [false, true].map((isDone) => [name, index, step, isDone ? 'done' : 'not done', story] as const),
  ),
)

describe('a process that dies', () => {
  test.each(CASES)('while %s, at step %i (%s, %s), is replaced by another that goes on', async (...given) => {
    const [, index, , isDone, { cards: make, body, status, balances }] = given
    const cards = make()
    const parts = cards.map((card) => ({ ...card, amount: 100 }))
    const key = { headers: { 'idempotency-key': crypto.randomUUID() } }

    const asked = await dieAt(index, isDone === 'done', () => counter.ask(parts, body, key))
    await restart()
    const again = await counter.pay(parts, body, key)

    expect(asked).toHaveLength(index + 1)
    // The inquiry makes the provider refuse a late redemption. Whether to try again is the buyer's decision.
    const isLost = given[2] === 'authorize' && isDone === 'not done'
    expect(again.status).toBe(isLost ? 'authorization_failed' : status)
    const left = await Promise.all(
      cards.filter(({ pin }) => pin.startsWith('0')).map((card) => counter.balanceOf(card)),
    )
    expect(left).toEqual(isLost ? balances.map(() => 500) : balances)
    expect(await counter.get(again.id)).toEqual(again)
    const told = await till.told(again.id)
    expect(told).toEqual([...new Set(told)])
  })

  test.each(Object.entries(STORIES))(
    'while %s, is replaced by a retry of the caller',
    async (_name, story) => {
      const cards = story.cards()
      const parts = cards.map((card) => ({ ...card, amount: 100 }))
      const key = { headers: { 'idempotency-key': crypto.randomUUID() } }
      await dieAt(2, true, () => counter.ask(parts, story.body, key))
      service.moveClock(11 * HOUR_MS)

      const again = await counter.pay(parts, story.body, key)

      expect(again.status).toBe(story.status)
    },
  )

  test('may be replaced by others that die, too', async () => {
    const cards = BAD()
    const parts = cards.map((card) => ({ ...card, amount: 100 }))
    const body = { amount: 1000, external_identifier: 'many deaths' }
    await dieAt(0, true, () => counter.ask(parts, body))

    for (let deaths = 0; deaths < 6; deaths += 1) {
      service.moveClock(21 * HOUR_MS)
      // It may resolve the open attempt, and dies at the next one.
      await dieAt(1, deaths % 2 === 0, resolveAll)
    }
    service.moveClock(21 * HOUR_MS)
    await resolveAll()

    const { items } = (await counter.send('GET /transactions?external_identifier=many%20deaths')).json()
    expect(items).toMatchObject([{ status: 'authorization_failed', error_code: 'inactive_card' }])
    expect(await Promise.all(cards.slice(0, 2).map(counter.balanceOf))).toEqual([500, 500])
  })

  test('while gift cards are refunded after a void, is replaced by another that goes on', async () => {
    const cards = GOOD()
    const paid = await counter.pay(
      cards.map((card) => ({ ...card, amount: 100 })),
      { amount: 1000 },
    )
    for (const step of [1, 2]) {
      const { id } =
        step === 1 ? paid : await counter.pay([{ ...giftCardWith(9), amount: 9 }], { amount: 99 })
      const key = { headers: { 'idempotency-key': crypto.randomUUID() } }

      await dieAt(1, step === 2, () => counter.act(id, 'void', undefined, key))
      await restart()
      const again = await counter.act(id, 'void', undefined, key)

      expect(again.statusCode, again.body).toBe(200)
      expect(again.json().status).toBe('authorization_voided')
    }
    expect(await Promise.all(cards.map(counter.balanceOf))).toEqual([500, 500, 500])
  })
})

describe('many at once', () => {
  test('conclude each card once when eight workers go on with payments of dead processes', async () => {
    const cards = Array.from({ length: 6 }, () => [giftCardWith(500), giftCardWith(500)])
    waitFor(10 * HOUR_MS)
    line.intercept((go, url) => (url.endsWith('/redemptions') ? new Promise(() => {}) : go()))
    for (const [index, pair] of cards.entries()) {
      const body = { amount: 1000, intent: 'capture', external_identifier: `dead-${index}` }
      void counter.ask(
        pair.map((card) => ({ ...card, amount: 100 })),
        body,
      )
    }
    const dead = async () =>
      (await counter.send('GET /transactions?status=processing&limit=50')).json().items.length
    await expect.poll(dead).toBe(6)
    await expect
      .poll(async () => {
        const found = await service.database.pool.query(
          `select from attempts where kind = 'redeem' and state = 'queued'`,
        )
        return found.rowCount
      })
      .toBe(6)
    revive()
    service.moveClock(11 * HOUR_MS)

    await Promise.all(Array.from({ length: 8 }, resolveAll))

    for (const [index, pair] of cards.entries()) {
      const found = await counter.send(`GET /transactions?external_identifier=dead-${index}`)
      expect(found.json().items).toMatchObject([{ status: 'capture_succeeded', captured_amount: 800 }])
      expect(await Promise.all(pair.map(counter.balanceOf))).toEqual([400, 400])
    }
  })

  test('do not redeem more than the balance of a shared card', async () => {
    const card = giftCardWith(1000)

    const paid = await Promise.all(
      Array.from({ length: 20 }, (_none, index) =>
        counter.pay([{ ...card, amount: 90 }], index % 2 ? {} : { amount: 200, intent: 'capture' }),
      ),
    )

    const statuses = paid.map(({ status, error_code }) => `${status} ${error_code}`)
    expect(statuses.filter((one) => one === 'capture_succeeded null')).toHaveLength(11)
    expect(statuses.filter((one) => one === 'authorization_failed insufficient_funds')).toHaveLength(9)
    expect(await counter.balanceOf(card)).toBe(10)
  })

  test('that fail for one card leave the others as they were', async () => {
    const popular = giftCardWith(300)
    const others = Array.from({ length: 10 }, () => giftCardWith(100))

    const paid = await Promise.all(
      others.map((other) =>
        counter.pay([
          { ...other, amount: 100 },
          { ...popular, amount: 100 },
        ]),
      ),
    )

    const won = paid.map(({ status }) => status === 'capture_succeeded')
    expect(won.filter(Boolean)).toHaveLength(3)
    expect(await Promise.all(others.map(counter.balanceOf))).toEqual(won.map((isWon) => (isWon ? 0 : 100)))
    expect(await counter.balanceOf(popular)).toBe(0)
  })

  test('pay once with one idempotency key', async () => {
    const card = giftCardWith(1000)
    const body = { amount: 500, intent: 'capture', external_identifier: 'one of twenty' }
    const key = { headers: { 'idempotency-key': 'twenty at once' } }

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => counter.ask([{ ...card, amount: 100 }], body, key)),
    )
    const late = await counter.ask([{ ...card, amount: 100 }], body, key)

    const codes = new Set(answers.map(({ statusCode }) => statusCode))
    expect([...codes].filter((code) => code !== 201 && code !== 409)).toEqual([])
    const made = [...answers, late].filter(({ statusCode }) => statusCode === 201)
    expect(new Set(made.map((answer) => answer.body)).size).toBe(1)
    const { items } = (await counter.send('GET /transactions?external_identifier=one%20of%20twenty')).json()
    expect(items).toHaveLength(1)
    expect(await counter.balanceOf(card)).toBe(900)
  })
})
