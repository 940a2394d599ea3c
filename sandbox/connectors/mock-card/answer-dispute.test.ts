import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnswerDisputeOrder, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Link } from '#connectors/contract/connector.ts'
import * as samples from '#connectors/contract/samples.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { mockCard } from './connector.ts'
import { simulation } from './simulation.ts'

const DAY_MS = 24 * 3_600_000

let database: Database
let simulator: Simulator
let now = new Date('2026-11-16T10:00:00Z')
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 4, onError: () => {} })
  simulator = createSimulator({ pool: database.pool, clock: () => now })
})
afterAll(() => database.close())

const { answerDispute, authorize, readNotification } = mockCard as Required<typeof mockCard>

function openShop(fields: Record<string, string> = {}): Link {
  const own = { merchant_id: randomUUID(), dispute_notifications: 'true', ...fields }
  return samples.testLink({ fetch: simulator.fetch, fields: own })
}

/** A payment that was charged back, and the processor's id of the dispute. */
async function disputed(link: Link, amount = 1_299) {
  const paid = await authorize(samples.authorizeOrder({ amount, intent: 'capture' }), link)
  if (paid.outcome !== 'approved') throw new Error(`the sale was ${paid.outcome}`)
  if (amount > 600_000) {
    now = new Date(now.getTime() + DAY_MS)
  } else {
    const { reference } = paid
    await simulation.dispute(
      { attemptId: randomUUID(), stage: 'chargeback', amount: null, reason: 'not_received', reference },
      link,
    )
  }
  const [notice] = await told(link)
  if (notice?.about !== 'chargeback' || !notice.dispute) throw new Error('no dispute was told')
  return { dispute: notice.dispute, reference: paid.reference }
}

/** What the processor tells now, once. */
async function told(link: Link) {
  const messages = await simulation.dueMessages(link)
  return Promise.all(
    messages.map(async ({ id, message }) => {
      const reading = await readNotification(message, link)
      await simulation.noteSent({ id, isTaken: true }, link)
      return reading.outcome === 'read' ? reading.notifications[0] : undefined
    }),
  )
}

async function toldAfter(link: Link, days: number) {
  now = new Date(now.getTime() + days * DAY_MS)
  return told(link)
}

const saying = (text: string): Evidence[] => [{ name: 'explanation', text }]
const answer = (link: Link, order: Pick<AnswerDisputeOrder, 'dispute'> & Partial<AnswerDisputeOrder>) =>
  answerDispute(
    {
      attemptId: randomUUID(),
      act: 'defend',
      evidence: order.act === 'accept' ? [] : saying('It was delivered.'),
      told: [],
      isRepeated: false,
      ...order,
    },
    link,
  )

describe('a chargeback', () => {
  test('that is accepted is lost at once, and never reversed', async () => {
    const link = openShop()
    // Without an answer, the bank would give it back.
    const { dispute, reference } = await disputed(link, 611_002)

    expect(await answer(link, { dispute, act: 'accept' })).toMatchObject({ outcome: 'approved' })

    expect(await told(link)).toEqual([
      {
        about: 'dispute',
        dispute,
        reference,
        stage: 'lost',
        providerStage: 'accepted',
        amount: 611_002,
        currency: 'USD',
        code: '610002',
        reason: 'not_received',
        postedAt: now,
      },
    ])
    expect(await toldAfter(link, 30)).toEqual([])
  })

  test('that is defended is won five days later, in place of what would have become of it', async () => {
    const link = openShop()
    const { dispute, reference } = await disputed(link, 610_002)

    expect(await answer(link, { dispute })).toMatchObject({ outcome: 'approved' })

    expect(await toldAfter(link, 4.9)).toEqual([])
    expect(await toldAfter(link, 0.1)).toMatchObject([
      { about: 'chargeback_reversal', dispute, reference, amount: 610_002 },
    ])
    expect(await toldAfter(link, 30)).toEqual([])
  })

  test('is lost five days later if the evidence says so', async () => {
    const link = openShop()
    const { dispute } = await disputed(link)
    await answer(link, { dispute, evidence: saying('lose') })

    expect(await told(link)).toEqual([])
    expect(await toldAfter(link, 5)).toMatchObject([
      { about: 'dispute', dispute, stage: 'lost', providerStage: 'lost' },
    ])
  })

  test('without an answer is lost when the time for it is over', async () => {
    const link = openShop()
    const { dispute } = await disputed(link)

    expect(await toldAfter(link, 13.9)).toEqual([])
    expect(await toldAfter(link, 0.1)).toMatchObject([
      { dispute, stage: 'lost', providerStage: 'unanswered' },
    ])
    expect(await answer(link, { dispute })).toMatchObject({ outcome: 'failed', code: 'invalid_operation' })
  })

  test('that was reversed on request is not lost later', async () => {
    const link = openShop()
    const { reference } = await disputed(link)
    await simulation.dispute(
      { attemptId: randomUUID(), stage: 'reversal', amount: null, reason: null, reference },
      link,
    )

    expect(await toldAfter(link, 0)).toMatchObject([{ about: 'chargeback_reversal' }])
    expect(await toldAfter(link, 30)).toEqual([])
  })
})

describe('an answer', () => {
  test('is taken once, and repeated under its attempt', async () => {
    const link = openShop()
    const { dispute } = await disputed(link)
    const attemptId = randomUUID()

    const [first, again] = await Promise.all([
      answer(link, { dispute, attemptId }),
      answer(link, { dispute, attemptId, isRepeated: true }),
    ])

    expect(first).toMatchObject({ outcome: 'approved' })
    expect(again).toEqual(first)
    expect(await answer(link, { dispute })).toMatchObject({
      outcome: 'failed',
      facts: { rawCode: 'already_answered' },
    })
    expect(await toldAfter(link, 5)).toHaveLength(1)
  })

  test('of which the reply is lost has arrived', async () => {
    const link = openShop()
    const { dispute } = await disputed(link)
    const attemptId = randomUUID()
    const order = { dispute, attemptId, evidence: saying('lose-answer') }

    expect(await answer(link, order)).toMatchObject({ outcome: 'unknown' })
    expect(await answer(link, { ...order, evidence: null, isRepeated: true })).toMatchObject({
      outcome: 'approved',
    })
    expect(await answer(link, { ...order, isRepeated: true })).toMatchObject({ outcome: 'approved' })
    expect(await toldAfter(link, 5)).toMatchObject([{ about: 'chargeback_reversal' }])
  })

  test('that never arrived is refused from the moment on that we ask without its evidence', async () => {
    const link = openShop()
    const { dispute } = await disputed(link)
    const order = { dispute, attemptId: randomUUID() }

    expect(await answer(link, { ...order, evidence: null, isRepeated: true })).toMatchObject({
      outcome: 'failed',
      code: 'service_network_error',
    })
    expect(await answer(link, order)).toMatchObject({ outcome: 'failed', code: 'service_resource_conflict' })
    expect(await answer(link, { dispute })).toMatchObject({ outcome: 'approved' })
  })

  test('that the processor refuses can be sent again', async () => {
    const link = openShop()
    const { dispute } = await disputed(link)

    expect(await answer(link, { dispute, evidence: saying('refuse') })).toMatchObject({
      outcome: 'failed',
      code: 'invalid_request_parameters',
      facts: { rawCode: 'bad_evidence' },
    })
    expect(await answer(link, { dispute })).toMatchObject({ outcome: 'approved' })
  })

  test('needs a dispute of this merchant', async () => {
    const { dispute, reference } = await disputed(openShop())
    const refused = { outcome: 'failed', code: 'unknown_service_resource' }

    expect(await answer(openShop(), { dispute })).toMatchObject(refused)
    expect(await answer(openShop(), { dispute: reference })).toMatchObject(refused)
    expect(await answer(openShop(), { dispute: 'none' })).toMatchObject(refused)
  })
})
