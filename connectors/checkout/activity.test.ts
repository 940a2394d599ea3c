import { expect, test } from 'vitest'
import type { Link, ListedOperation } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { activity } from './activity.ts'
import { authorize } from './authorize.ts'
import { capture, increment, refund, release } from './follow-ups.ts'
import { CARD_ORDER, card, openShop } from './testing/shop.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

function open() {
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const shop = openShop({ now })
  const pay = async (over: Partial<AuthorizeOrder> = {}) => {
    const order = samples.authorizeOrder({ ...CARD_ORDER, ...over })
    const answer = await authorize(order, shop.link)
    return { order, reference: 'reference' in answer ? (answer.reference ?? '') : '' }
  }
  const pages = async (from: Date, link: Link = shop.link, until = now()) => {
    const found: (readonly ListedOperation[])[] = []
    let after: string | null = null
    do {
      const page = await activity({ from, until, after }, link)
      if (page.outcome !== 'listed') throw new Error(page.message)
      found.push(page.operations)
      after = page.next
    } while (after !== null)
    return found
  }
  const list = async (...asked: Parameters<typeof pages>) => (await pages(...asked)).flat()
  return { ...shop, now, pay, pages, list, wait: (ms: number) => (aheadMs += ms) }
}

const shown = ({ operation, attemptId, amount, total, isFinal, answer }: ListedOperation) => ({
  operation,
  attemptId,
  amount,
  ...(total !== undefined && { total }),
  isFinal,
  outcome: answer.outcome,
})

test('lists what was done with a payment, by the ids of its attempts, oldest first', async () => {
  const { link, control, pay, list, now } = open()
  const from = new Date(now().getTime() - HOUR_MS)
  const paid = await pay()
  const acts = {
    increment: samples.incrementOrder(paid),
    capture: samples.captureOrder(paid, { amount: 500, isFinal: false }),
    void: samples.voidOrder(paid, { amount: 899 }),
    refund: samples.refundOrder(paid, { amount: 200 }),
  }
  await increment(acts.increment, link)
  await capture(acts.capture, link)
  await control('finish')
  await release(acts.void, link)
  await control('finish')
  await refund(acts.refund, link)
  await control('finish')

  const found = await list(from)

  expect(found.map(shown)).toEqual([
    {
      operation: 'authorize',
      attemptId: paid.order.attemptId,
      amount: 1399,
      isFinal: false,
      outcome: 'approved',
    },
    {
      operation: 'increment',
      attemptId: acts.increment.attemptId,
      amount: null,
      total: 1399,
      isFinal: false,
      outcome: 'approved',
    },
    {
      operation: 'capture',
      attemptId: acts.capture.attemptId,
      amount: 500,
      isFinal: false,
      outcome: 'approved',
    },
    { operation: 'void', attemptId: acts.void.attemptId, amount: 899, isFinal: false, outcome: 'approved' },
    {
      operation: 'refund',
      attemptId: acts.refund.attemptId,
      amount: 200,
      isFinal: false,
      outcome: 'approved',
    },
  ])
  expect(new Set(found.map(({ transactionId }) => transactionId))).toEqual(
    new Set([paid.order.transactionId]),
  )
  expect(found[0]?.card).toEqual({ scheme: 'visa', last4: '1111' })
})

test('a sale in one step is one operation, and a refusal is told', async () => {
  const { control, pay, list, now } = open()
  const from = new Date(now().getTime() - HOUR_MS)
  const sale = await pay({ intent: 'capture' })
  await control('finish')
  const declined = await pay({ instrument: card('4544249167673670') })

  const found = (await list(from)).map(shown)

  expect(found).toHaveLength(2)
  expect(found).toEqual(
    expect.arrayContaining([
      {
        operation: 'authorize',
        attemptId: sale.order.attemptId,
        amount: 1299,
        isFinal: true,
        outcome: 'approved',
      },
      {
        operation: 'authorize',
        attemptId: declined.order.attemptId,
        amount: 1299,
        isFinal: false,
        outcome: 'declined',
      },
    ]),
  )
})

test('the last capture releases the rest, which is no operation of its own', async () => {
  const { link, control, pay, list, now } = open()
  const from = new Date(now().getTime() - HOUR_MS)
  const paid = await pay()
  for (const [amount, isFinal] of [
    [300, false],
    [500, true],
  ] as const) {
    await capture(samples.captureOrder(paid, { amount, isFinal }), link)
    await control('finish')
  }

  const found = (await list(from)).map(({ operation, amount, isFinal }) => [operation, amount, isFinal])

  expect(found).toEqual([
    ['authorize', 1299, false],
    ['capture', 300, false],
    ['capture', 500, true],
  ])
})

test('of an approval in part, Checkout.com does not show what was asked for', async () => {
  const { control, pay, list, now } = open()
  const from = new Date(now().getTime() - HOUR_MS)
  await control('next', { response_code: '10010' })
  await pay({ isPartialAllowed: true })

  expect((await list(from)).map(({ amount }) => amount)).toEqual([null])
})

test('lists what was done in the window with payments of some days before, and nothing else of them', async () => {
  const { link, control, pay, list, now, wait } = open()
  const paid = await pay()
  wait(5 * DAY_MS)
  const from = new Date(now().getTime() - HOUR_MS)
  const asked = samples.captureOrder(paid)
  await capture(asked, link)
  await control('finish')

  expect((await list(from)).map(({ operation, attemptId }) => [operation, attemptId])).toEqual([
    ['capture', asked.attemptId],
  ])
})

test('comes in short pages, each payment once', async () => {
  const { pay, pages, now } = open()
  const from = new Date(now().getTime() - HOUR_MS)
  const ids = new Set<string>()
  for (let count = 0; count < 45; count++) ids.add((await pay()).order.attemptId)

  const found = await pages(from)

  expect(Math.max(...found.map((page) => page.length))).toBe(20)
  expect(found.flat()).toHaveLength(45)
  expect(new Set(found.flat().map(({ attemptId }) => attemptId))).toEqual(ids)
})

test('a time with more payments than are found at once is halved', async () => {
  const { pay, list, now, link, wait } = open()
  const from = new Date(now().getTime() - HOUR_MS)
  const ids: string[] = []
  for (let count = 0; count < 4; count++) {
    ids.push((await pay()).order.attemptId)
    wait(60_000)
  }
  /** Finds two payments at most. */
  const fetch: Link['fetch'] = (url, init) => {
    if (!url.endsWith('/search')) return link.fetch(url, init)
    return link.fetch(url, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), limit: 2 }) })
  }

  const found = (await list(from, { ...link, fetch })).map(({ attemptId }) => attemptId)

  expect(new Set(found)).toEqual(new Set(ids))
})

test.each([
  [401, 'does not accept secret_key'],
  [403, 'give it the scope payments:search'],
  [422, 'does not list its payments (422)'],
])('says what to do after %i', async (status, message) => {
  const link = samples.testLink({
    fetch: async () => Response.json({ error_type: 'request_invalid', error_codes: ['x'] }, { status }),
  })
  const window = { from: new Date(0), until: new Date(HOUR_MS), after: null }

  expect(await activity(window, link)).toEqual({
    outcome: 'unreachable',
    message: expect.stringContaining(message),
  })
})

test('payments of other systems have no ids of ours, and payouts are no payments', async () => {
  const data = [
    { id: 'pay_mbabizu24mvu3mela5njyhpit4', status: 'Paid', destination: { type: 'card' }, amount: 5 },
    {
      id: 'pay_mbabizu24mvu3mela5njyhpit5',
      status: 'Levitating',
      amount: 5,
      requested_on: '2026-07-01T00:00:00Z',
    },
    {
      id: 'pay_mbabizu24mvu3mela5njyhpit6',
      status: 'Captured',
      approved: true,
      amount: 700,
      currency: 'USD',
      requested_on: '2026-07-01T00:00:00Z',
    },
  ]
  const action = {
    id: 'act_mbabizu24mvu3mela5njyhpit6',
    type: 'Capture',
    amount: 700,
    approved: true,
    processed_on: '2026-07-01T00:00:01Z',
    metadata: { capture_attempt: 7 },
  }
  const link = samples.testLink({
    fetch: async (url) =>
      Response.json(url.endsWith('/search') ? { data, total_count: 3 } : [action, 'none', {}]),
  })
  const window = { from: new Date('2026-06-30'), until: new Date('2026-07-02') }
  const page = await activity({ ...window, after: `${window.from.getTime()} ${2 * DAY_MS} 0` }, link)

  expect(page).toMatchObject({
    outcome: 'listed',
    next: null,
    operations: expect.arrayContaining([
      expect.objectContaining({ operation: 'authorize', attemptId: null, transactionId: null, amount: 700 }),
      expect.objectContaining({ operation: 'capture', attemptId: null, amount: 700 }),
    ]),
  })
})
