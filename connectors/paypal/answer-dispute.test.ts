import { beforeEach, describe, expect, test } from 'vitest'
import type { AnswerDisputeOrder, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { authorizeOrder } from '#connectors/contract/samples.ts'
import { payPalCard } from './connectors.ts'
import { DISPUTE_ANSWERS, EVIDENCE_TYPES } from './dispute-answers.ts'
import { AMEX, type Desk, newOrder, openStandIn } from './testing/bench.ts'

const PDF = Buffer.from('%PDF-1.4\r\n--boundary\r\n\u0000binary')
const FILE: Evidence = {
  name: 'PROOF_OF_DELIVERY_SIGNATURE',
  fileName: 'reçu v2.final.pdf',
  contentType: 'application/pdf',
  content: PDF,
}
const TEXTS: Evidence[] = [
  { name: 'carrier_name', text: 'Die Post' },
  { name: 'tracking_number', text: '99.00.123' },
  { name: 'PROOF_OF_FULFILLMENT', text: 'Handed over — twice.' },
  { name: 'refund_id', text: '8AB12345CD678901E' },
]

let desk: Desk
let sent: { readonly method: string; readonly url: string }[]
let fetch: Link['fetch']
let link: Link

beforeEach(() => {
  desk = openStandIn()
  sent = []
  const open = desk.link.fetch
  fetch = open
  link = {
    ...desk.link,
    fetch: (url, init) => {
      if (!url.endsWith('/token')) sent.push({ method: init?.method ?? 'GET', url })
      return fetch(url, init)
    },
  }
})

const answer = (order: AnswerDisputeOrder) => payPalCard.answerDispute?.(order, link)
async function disputed(over: object = {}): Promise<string> {
  const paid = await payPalCard.authorize?.(
    authorizeOrder(newOrder({ intent: 'capture', instrument: AMEX })),
    desk.link,
  )
  if (paid?.outcome !== 'approved') throw new Error('a payment was to be approved')
  return desk.dispute({ capture_id: paid.reference, ...over })
}

function order(dispute: string, change: Partial<AnswerDisputeOrder> = {}): AnswerDisputeOrder {
  const attemptId = crypto.randomUUID()
  return {
    attemptId,
    dispute,
    act: 'defend',
    evidence: [...TEXTS, FILE],
    told: [],
    isRepeated: false,
    ...change,
  }
}

const accepted = (dispute: string, change: Partial<AnswerDisputeOrder> = {}) =>
  order(dispute, { act: 'accept', evidence: [], ...change })

/** Lets a request through, and loses its answer. */
function loseAnswers(): void {
  const open = fetch
  fetch = async (url, init) => {
    const response = await open(url, init)
    if (init?.method === 'POST' && !url.endsWith('/token')) throw new Error('the line broke')
    return response
  }
}

const posts = () => sent.filter(({ method }) => method === 'POST').length
const evidencesOf = (id: string) => desk.standIn.books.disputes.get(id)?.evidences ?? []

describe('evidence', () => {
  test('reaches PayPal, one item for each type, with our mark', async () => {
    const dispute = await disputed()
    const given = order(dispute)

    expect(await answer(given)).toMatchObject({ outcome: 'approved', reference: dispute })

    expect(evidencesOf(dispute)).toMatchObject([
      {
        evidence_type: 'PROOF_OF_FULFILLMENT',
        notes: `Handed over — twice.\n(${given.attemptId})`,
        evidence_info: {
          tracking_info: [
            { carrier_name: 'OTHER', carrier_name_other: 'Die Post', tracking_number: '99.00.123' },
          ],
        },
      },
      { evidence_type: 'PROOF_OF_REFUND', evidence_info: { refund_ids: ['8AB12345CD678901E'] } },
      { evidence_type: 'PROOF_OF_DELIVERY_SIGNATURE', documents: [{ name: 'rec-u-v2-final-1.pdf' }] },
    ])
  })

  test('names a carrier as PayPal does, if the merchant does', async () => {
    const dispute = await disputed()
    const evidence = [
      { name: 'carrier_name', text: 'Royal_Mail' },
      { name: 'tracking_number', text: 'AB1' },
    ]

    expect(await answer(order(dispute, { evidence }))).toMatchObject({ outcome: 'approved' })
    expect(evidencesOf(dispute)).toMatchObject([
      { evidence_info: { tracking_info: [{ carrier_name: 'ROYAL_MAIL', tracking_number: 'AB1' }] } },
    ])
  })

  test('with half of a parcel is refused before PayPal gets it', async () => {
    const evidence = [{ name: 'tracking_number', text: 'AB1' }]

    expect(await answer(order(await disputed(), { evidence }))).toMatchObject({
      outcome: 'failed',
      code: 'invalid_request_parameters',
      facts: { rawDescription: 'carrier_name and tracking_number need each other' },
    })
    expect(posts()).toBe(0)
  })

  test('is sent once, though its answer was lost, also after its buyer was erased', async () => {
    const dispute = await disputed()
    const given = order(dispute)
    loseAnswers()
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })
    desk.clock.move(48 * 3_600_000)

    expect(await answer({ ...given, isRepeated: true })).toMatchObject({ outcome: 'approved' })
    expect(await answer({ ...given, evidence: null, isRepeated: true })).toMatchObject({
      outcome: 'approved',
    })
    expect(posts()).toBe(1)
    expect(evidencesOf(dispute)).toHaveLength(3)
  })

  test('that is gone is unknown as long as the first request may arrive', async () => {
    const dispute = await disputed()
    const gone = order(dispute, { evidence: null, isRepeated: true })

    expect(await answer(gone)).toMatchObject({ outcome: 'unknown' })
    await desk.dispute({ outcome: 'RESOLVED_BUYER_FAVOUR' }, `/${dispute}`)
    expect(await answer(gone)).toMatchObject({ outcome: 'failed', code: 'unexpected_state' })
    expect(posts()).toBe(0)
  })

  test('of somebody else, after the deadline, and of an inquiry has failed', async () => {
    const answered = await disputed()
    await answer(order(answered))
    const failed = { outcome: 'failed', code: 'unexpected_state' }

    expect(await answer(order(answered))).toMatchObject(failed)
    expect(await answer(order(await disputed({ stage: 'INQUIRY' })))).toMatchObject(failed)
    const late = await disputed()
    desk.clock.move(11 * 24 * 3_600_000)
    expect(await answer(order(late))).toMatchObject(failed)
  })

  test('may be as long as we say, of every type', async () => {
    const dispute = await disputed()
    const texts = Object.entries(DISPUTE_ANSWERS.texts).map(([name, max]) => ({
      name,
      text: 'X'.repeat(max),
    }))
    const files = EVIDENCE_TYPES.map((name) => ({ ...FILE, name }))

    expect(await answer(order(dispute, { evidence: [...texts, ...files] }))).toMatchObject({
      outcome: 'approved',
    })
    expect(evidencesOf(dispute)).toHaveLength(EVIDENCE_TYPES.length)
  })
})

describe('accepting', () => {
  test('gives the claim to the buyer, once', async () => {
    const dispute = await disputed()
    const given = accepted(dispute)
    loseAnswers()
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })

    expect(await answer({ ...given, isRepeated: true })).toMatchObject({ outcome: 'approved' })
    expect(posts()).toBe(1)
    expect(desk.standIn.books.disputes.get(dispute)).toMatchObject({ outcome: 'RESOLVED_BUYER_FAVOUR' })
  })

  test('a claim that is decided already has failed', async () => {
    const dispute = await disputed()
    await desk.dispute({ outcome: 'RESOLVED_BUYER_FAVOUR' }, `/${dispute}`)

    expect(await answer(accepted(dispute))).toMatchObject({ outcome: 'failed', code: 'unexpected_state' })
  })

  test('an unknown dispute has failed, unless an earlier request may have found it', async () => {
    expect(await answer(accepted('PP-R-NONE'))).toMatchObject({ outcome: 'failed' })
    expect(await answer(accepted('PP-R-NONE', { isRepeated: true }))).toMatchObject({ outcome: 'unknown' })
  })

  test('a repetition that is refused for itself says nothing about the first request', async () => {
    const dispute = await disputed()
    const open = fetch
    fetch = async (url, init) =>
      init?.method === 'POST' && !url.endsWith('/token')
        ? Response.json({ name: 'NOT_AUTHORIZED', message: 'no', debug_id: '1' }, { status: 403 })
        : open(url, init)

    expect(await answer(accepted(dispute))).toMatchObject({ outcome: 'failed' })
    expect(await answer(accepted(dispute, { isRepeated: true }))).toMatchObject({ outcome: 'unknown' })
  })
})
