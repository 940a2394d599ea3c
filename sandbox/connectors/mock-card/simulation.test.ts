import { createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { DISPUTE_REASONS, type DisputeOrder } from '#connectors/contract/simulation.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { DISPUTE_REASONS as SIMULATED_REASONS } from '../../simulator/fates.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { mockCard } from './connector.ts'
import { simulation } from './simulation.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const SECRET = 'whsec-canary-59'

let database: Database
let simulator: Simulator
let now = new Date('2026-11-16T10:00:00Z')
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 4, onError: () => {} })
  simulator = createSimulator({ pool: database.pool, clock: () => now })
})
afterAll(() => database.close())

const { authorize, capture, refund, readNotification } = mockCard as Required<typeof mockCard>

/** A merchant of its own, with notifications of disputes. */
function openShop(fields: Record<string, string> = {}): Link {
  const own = { merchant_id: randomUUID(), webhook_secret: SECRET, dispute_notifications: 'true', ...fields }
  return samples.testLink({ fetch: simulator.fetch, fields: own })
}

async function sell(link: Link, amount = 1_299, number = samples.CARD_NUMBER) {
  const instrument = samples.card({ number: secret(number) })
  const order = samples.authorizeOrder({ amount, intent: 'capture', instrument })
  const answer = await authorize(order, link)
  if (answer.outcome !== 'approved') throw new Error(`the sale was ${answer.outcome}`)
  return { order, reference: answer.reference }
}

function dispute(link: Link, order: Partial<DisputeOrder> & { reference: string }) {
  return simulation.dispute(
    { attemptId: randomUUID(), stage: 'chargeback', amount: null, reason: null, ...order },
    link,
  )
}

/** What the processor sends now, as the server reads it. */
async function told(link: Link) {
  const messages = await simulation.dueMessages(link)
  return Promise.all(
    messages.map(async ({ id, message }) => {
      const reading = await readNotification(message, link)
      const [read = null] = reading.outcome === 'read' ? reading.notifications : []
      return { id, read }
    }),
  )
}

/** The rows of the tables below a heading of the guide. */
function rowsOf(heading: string): string[][] {
  const guide = readFileSync('docs/guide/simulator.md', 'utf8')
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

describe('a dispute on request', () => {
  test('takes a payment back, and gives it back', async () => {
    const link = openShop()
    const { reference } = await sell(link)

    const taken = await dispute(link, { reference, reason: 'not_received', amount: 999 })
    const given = await dispute(link, { reference, stage: 'reversal' })

    const money = { amount: 999, currency: 'USD', code: '610002', reason: 'not_received', postedAt: now }
    expect(taken).toEqual({ outcome: 'disputed', id: expect.any(String), ...money })
    expect(given).toEqual({ outcome: 'disputed', id: expect.any(String), ...money })
    const about = { reference, ...money }
    expect((await told(link)).map(({ read }) => read).toSorted(byAbout)).toEqual([
      {
        ...about,
        about: 'chargeback',
        id: taken.outcome === 'disputed' && taken.id,
        dispute: taken.outcome === 'disputed' && taken.id,
        respondBy: new Date(now.getTime() + 14 * 86_400_000),
      },
      {
        ...about,
        about: 'chargeback_reversal',
        id: given.outcome === 'disputed' && given.id,
        dispute: taken.outcome === 'disputed' && taken.id,
        respondBy: null,
      },
    ])
  })

  test('is refused for what was not captured, or not so much, or not by this merchant', async () => {
    const link = openShop()
    const held = await authorize(samples.authorizeOrder(), link)
    const reference = held.outcome === 'approved' ? held.reference : ''
    const sale = await sell(link)

    const refused = { outcome: 'refused' }
    expect(await dispute(link, { reference })).toEqual({ ...refused, why: 'not_captured' })
    expect(await dispute(link, { reference: randomUUID() })).toEqual({ ...refused, why: 'unknown_payment' })
    expect(await dispute(link, { reference: 'none' })).toEqual({ ...refused, why: 'unknown_payment' })
    expect(await dispute(openShop(), sale)).toEqual({ ...refused, why: 'unknown_payment' })
    expect(await dispute(link, { ...sale, amount: 1_300 })).toEqual({
      ...refused,
      why: 'over_captured',
      left: 1_299,
    })
    expect(await dispute(link, { ...sale, stage: 'reversal' })).toEqual({ ...refused, why: 'no_chargeback' })
    expect(await told(link)).toEqual([])
  })

  test('takes no more than was captured, and is reversed once', async () => {
    const link = openShop()
    const sale = await sell(link)
    await dispute(link, { ...sale, amount: 1_000 })

    expect(await dispute(link, { ...sale, amount: 300 })).toMatchObject({ why: 'over_captured', left: 299 })
    const over = await dispute(link, { ...sale, stage: 'reversal', amount: 1_001 })
    expect(over).toMatchObject({ why: 'over_chargeback', left: 1_000 })
    expect(await dispute(link, { ...sale, stage: 'reversal' })).toMatchObject({ outcome: 'disputed' })
    expect(await dispute(link, { ...sale, stage: 'reversal' })).toMatchObject({ why: 'no_chargeback' })
  })

  test('is done once for an attempt, however often it arrives', async () => {
    const link = openShop()
    const order = { ...(await sell(link)), attemptId: randomUUID(), amount: 500 }

    const answers = await Promise.all([1, 2, 3].map(() => dispute(link, order)))

    expect(answers[0]).toMatchObject({ outcome: 'disputed', amount: 500 })
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await told(link)).toHaveLength(1)
  })

  test('makes refunds of the same money impossible until it is reversed', async () => {
    const link = openShop()
    const sale = await sell(link)
    await dispute(link, { ...sale, amount: 1_000 })

    const refused = await refund(samples.refundOrder(sale, { amount: 300 }), link)
    await dispute(link, { ...sale, stage: 'reversal' })
    const done = await refund(samples.refundOrder(sale, { amount: 300 }), link)

    expect(refused).toMatchObject({ outcome: 'failed', code: 'disputed_transaction' })
    expect(done).toMatchObject({ outcome: 'approved' })
  })

  test('is told by a file alone unless the service wants a notification', async () => {
    const link = openShop({ dispute_notifications: 'false' })

    await dispute(link, await sell(link))

    expect(await told(link)).toEqual([])
  })

  test('has the reasons that the processor knows', () => {
    expect(SIMULATED_REASONS).toEqual(DISPUTE_REASONS)
  })
})

describe('by amount and by card', () => {
  const [amounts, cards] = [rowsOf('Chargebacks').slice(0, 6), rowsOf('Chargebacks').slice(6)]
  const numbers = cards.flatMap(([cell = '', what = '']) =>
    [...cell.matchAll(/\d{14,16}/g)].map(([number]) => ({ number, what })),
  )

  test('the guide lists all of them', () => {
    expect(amounts.map(([, , reason]) => reason)).toEqual([...DISPUTE_REASONS])
    expect(numbers).toHaveLength(11)
  })

  test.each(amounts)(
    'a sale of %s is disputed a day later, and one of %s is reversed, too',
    async (...row) => {
      const [plain, reversed, reason] = row
      const [one, other] = [openShop(), openShop()]
      await sell(one, Number(plain))
      await sell(other, Number(reversed))

      expect(await told(one)).toEqual([])
      now = new Date(now.getTime() + DAY_MS)
      expect(await told(one)).toMatchObject([{ read: { about: 'chargeback', code: plain, reason } }])
      now = new Date(now.getTime() + 5 * DAY_MS)
      expect(await told(other)).toMatchObject([
        { read: { about: 'chargeback', code: plain, reason } },
        { read: { about: 'chargeback_reversal', code: plain, reason } },
      ])
    },
  )

  test.each(numbers)('$number: $what', async ({ number, what }) => {
    const link = openShop()
    const sale = await sell(link, 1_299, number)
    await refund(samples.refundOrder(sale, { amount: 100 }), link)
    now = new Date(now.getTime() + 6 * DAY_MS)

    const expected = what.includes('refunds fail')
      ? ['late_failure']
      : what.includes('captures fail')
        ? ['late_failure']
        : what.includes('reversed')
          ? ['chargeback', 'chargeback_reversal']
          : ['chargeback']
    const events = (await told(link)).map(({ read }) => read?.about)
    expect(events).toEqual(expected)
  })

  test('a capture is disputed like a sale, also one that the processor confirms later', async () => {
    const link = openShop({ asynchronous: 'true' })
    const order = samples.authorizeOrder({ amount: 700_000 })
    const held = await authorize(order, link)
    const reference = held.outcome === 'approved' ? held.reference : ''
    await capture(samples.captureOrder({ order, reference }, { amount: 610_001 }), link)
    const body = Buffer.from(
      JSON.stringify({ event: 'capture.succeeded', payment_service_transaction_id: reference }),
    )
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    await readNotification({ headers: { 'x-signature': signature }, body }, link)
    now = new Date(now.getTime() + DAY_MS)

    expect(await told(link)).toMatchObject([{ read: { about: 'chargeback', reference, amount: 610_001 } }])
  })
})

describe('what fails later', () => {
  const rows = rowsOf('Captures and refunds that fail later')

  test.each(rows)('a %s of %s fails %s: %s', async (operation = '', amount, when = '', code = '') => {
    const link = openShop({ dispute_notifications: 'false' })
    const isRefund = operation === 'refund'
    const sale = await sell(link, isRefund ? 700_000 : Number(amount))
    const order = samples.refundOrder(sale, { amount: Number(amount) })
    const done = isRefund ? await refund(order, link) : null
    const reference = done && 'reference' in done ? done.reference : sale.reference
    const waits = when.startsWith('an hour') ? HOUR_MS : 3 * DAY_MS

    now = new Date(now.getTime() + waits - 1)
    expect(await told(link)).toEqual([])
    now = new Date(now.getTime() + 1)
    expect((await told(link)).map(({ read }) => read)).toEqual([
      {
        about: 'late_failure',
        of: isRefund ? 'refund' : 'authorization',
        reference,
        code,
        failedAt: now,
        facts: { rawCode: isRefund ? 'refund_failed' : 'capture_failed', rawDescription: code },
      },
    ])
  })

  test('a capture after an authorization is named by its own reference', async () => {
    const link = openShop()
    const order = samples.authorizeOrder({ amount: 700_000 })
    const held = await authorize(order, link)
    const root = held.outcome === 'approved' ? held.reference : ''
    const done = await capture(samples.captureOrder({ order, reference: root }, { amount: 620_001 }), link)
    now = new Date(now.getTime() + HOUR_MS)

    const reference = 'reference' in done ? done.reference : ''
    expect(await told(link)).toMatchObject([{ read: { of: 'capture', reference } }])
    expect(reference).not.toBe(root)
  })
})

describe('a notification', () => {
  test('comes until it is taken, later each time', async () => {
    // What other tests have not taken is given up by then.
    now = new Date(now.getTime() + 30 * DAY_MS)
    const link = openShop()
    await dispute(link, await sell(link))
    const [first] = await told(link)
    const id = first?.id ?? ''

    await simulation.noteSent({ id, isTaken: false }, link)
    expect(await told(link)).toEqual([])
    expect((await simulation.nextMessageAt(link))?.getTime()).toBe(now.getTime() + 60_000)
    now = new Date(now.getTime() + 60_000)
    expect(await told(link)).toHaveLength(1)
    await simulation.noteSent({ id, isTaken: true }, link)
    now = new Date(now.getTime() + DAY_MS)
    expect(await told(link)).toEqual([])
  })

  test('is given up after a week, so that it does not come forever', async () => {
    const link = openShop()
    await dispute(link, await sell(link))
    now = new Date(now.getTime() + 7 * DAY_MS)

    expect(await told(link)).toEqual([])
  })

  test('is rejected if its signature does not fit, or the processor does not know its event', async () => {
    const link = openShop()
    await dispute(link, await sell(link))
    const [due] = await simulation.dueMessages(link)
    if (!due) throw new Error('nothing is due')
    const write = (event: string, id: string) => {
      const body = Buffer.from(JSON.stringify({ event, payment_service_event_id: id }))
      return { headers: { 'x-signature': createHmac('sha256', SECRET).update(body).digest('hex') }, body }
    }
    const rejected = { outcome: 'rejected', message: expect.any(String) }

    expect(await readNotification(due.message, link)).toMatchObject({ outcome: 'read' })
    expect(await readNotification({ ...due.message, headers: {} }, link)).toEqual(rejected)
    expect(await readNotification(write('late_failure', due.id), link)).toEqual(rejected)
    expect(await readNotification(write('chargeback', randomUUID()), link)).toEqual(rejected)
    expect(await readNotification(write('chargeback', 'none'), link)).toEqual(rejected)
    expect(await readNotification(due.message, openShop())).toEqual(rejected)
  })
})

function byAbout(one: object | null, other: object | null): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1
}
