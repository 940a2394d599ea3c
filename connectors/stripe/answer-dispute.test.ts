import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AnswerDisputeOrder, Evidence } from '#connectors/contract/answer-dispute.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { authorizeOrder } from '#connectors/contract/samples.ts'
import { TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { stripeConnectors } from './connectors.ts'
import { DISPUTE_ANSWERS } from './dispute-answers.ts'
import { API, openShop } from './testing/shop.ts'

const PDF = Buffer.from('%PDF-1.4\r\n--boundary\r\n\u0000binary')
const TEXT: Evidence = { name: 'product_description', text: 'Shoes — two pairs & a bag' }
const FILE: Evidence = {
  name: 'receipt',
  fileName: 'reçu.pdf',
  contentType: 'application/pdf',
  content: PDF,
}

let now: Date
let shop: ReturnType<typeof openShop>
let sent: { readonly method: string; readonly url: string }[]
let fetch: Link['fetch']
let link: Link

beforeEach(() => {
  now = new Date('2026-11-16T10:00:00Z')
  sent = []
  shop = openShop({ now: () => now })
  fetch = (url, init) => {
    sent.push({ method: init?.method ?? 'GET', url })
    return shop.link.fetch(url, init)
  }
  link = { ...shop.link, fetch: (url, init) => fetch(url, init) }
})

const card = stripeConnectors[0]
const answer = (order: AnswerDisputeOrder) => card?.answerDispute?.(order, link)
const shown = async (path: string) => {
  const headers = { authorization: `Bearer ${TEST_KEY}` }
  return (await shop.standIn.fetch(`${API}/v1/${path}`, { headers })).json() as Promise<
    Record<string, unknown>
  >
}

async function disputed(reason?: string): Promise<string> {
  const paid = await card?.authorize?.(authorizeOrder({ intent: 'capture' }), link)
  if (paid?.outcome !== 'approved') throw new Error('a payment was to be approved')
  const id = await shop.dispute(paid.reference, reason)
  sent = []
  return id
}

function order(dispute: string, change: Partial<AnswerDisputeOrder> = {}): AnswerDisputeOrder {
  const attemptId = crypto.randomUUID()
  return { attemptId, dispute, act: 'defend', evidence: [TEXT, FILE], told: [], isRepeated: false, ...change }
}

/** Lets a request through, and loses its answer. */
function loseAnswers(isMeant: (url: string) => boolean): void {
  const open = fetch
  fetch = async (url, init) => {
    const response = await open(url, init)
    if (init?.method === 'POST' && isMeant(url)) throw new Error('the line broke')
    return response
  }
}

describe('evidence', () => {
  test('reaches the bank: texts and files as they were given', async () => {
    const dispute = await disputed()

    const answered = await answer(order(dispute))

    expect(answered).toMatchObject({
      outcome: 'approved',
      reference: dispute,
      facts: { rawCode: 'under_review' },
    })
    const { evidence, evidence_details } = (await shown(`disputes/${dispute}`)) as Record<
      string,
      Record<string, string>
    >
    expect(evidence).toMatchObject({ product_description: 'Shoes — two pairs & a bag' })
    expect(evidence_details).toMatchObject({ submission_count: 1 })
    expect(shop.standIn.fileOf(evidence?.['receipt'] ?? '')).toMatchObject({
      filename: 'reçu.pdf',
      size: PDF.length,
      sha256: createHash('sha256').update(PDF).digest('hex'),
    })
    expect(sent.map(({ url }) => new URL(url).origin)).toEqual([API, 'https://files.stripe.com', API])
  })

  test('answers an inquiry, too', async () => {
    const dispute = await disputed('inquiry')

    expect(await answer(order(dispute))).toMatchObject({ facts: { rawCode: 'warning_under_review' } })
  })

  test('is sent once, though its answer was lost, also after Stripe has forgotten the key', async () => {
    const dispute = await disputed()
    const given = order(dispute)
    loseAnswers((url) => url.endsWith(dispute))
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })
    fetch = (url, init) => shop.standIn.fetch(url, init)
    now = new Date(now.getTime() + 48 * 3_600_000)

    const again = await answer({ ...given, isRepeated: true })

    expect(again).toMatchObject({ outcome: 'approved', reference: dispute })
    const { evidence_details } = await shown(`disputes/${dispute}`)
    expect(evidence_details).toMatchObject({ submission_count: 1 })
  })

  test('is sent when it never arrived, and is unknown when it is gone, until Stripe takes none any more', async () => {
    const dispute = await disputed()
    const given = order(dispute)
    const open = fetch
    fetch = async (url, init) => {
      if (url.endsWith('/files')) throw new Error('no connection')
      return open(url, init)
    }
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })
    fetch = open

    const gone = { ...given, evidence: null, isRepeated: true }
    expect(await answer(gone)).toMatchObject({ outcome: 'unknown' })
    expect(await answer({ ...given, isRepeated: true })).toMatchObject({ outcome: 'approved' })
    expect(await answer(gone)).toMatchObject({ outcome: 'approved' })

    const other = order(await disputed(), { evidence: null, isRepeated: true })
    expect(await answer(other)).toMatchObject({ outcome: 'unknown' })
    await shop.control(`disputes/${other.dispute}/close`, { outcome: 'lost' })
    expect(await answer(other)).toMatchObject({ outcome: 'failed' })
  })

  test('of somebody else is not ours', async () => {
    const dispute = await disputed()
    await answer(order(dispute))

    expect(await answer(order(dispute))).toMatchObject({ outcome: 'failed', code: 'unexpected_state' })
  })

  test('that Stripe refuses has failed', async () => {
    const dispute = await disputed()
    const wrong: Evidence = { ...FILE, content: Buffer.from('no such file') }

    expect(await answer(order(dispute, { evidence: [wrong] }))).toMatchObject({
      outcome: 'failed',
      facts: { rawCode: 'invalid_file_type' },
    })
    expect(await shown(`disputes/${dispute}`)).toMatchObject({ status: 'needs_response' })
  })

  test('after the deadline has failed', async () => {
    const dispute = await disputed()
    now = new Date(now.getTime() + 8 * 24 * 3_600_000)

    expect(await answer(order(dispute))).toMatchObject({ outcome: 'failed' })
  })

  test('may be as long as we say', async () => {
    for (const [name, max] of Object.entries(DISPUTE_ANSWERS.texts)) {
      const dispute = await disputed()
      const fits: Evidence = { name, text: 'x'.repeat(max) }
      const over: Evidence = { name, text: 'x'.repeat(max + 1) }

      fetch = shop.standIn.fetch
      expect(await answer(order(dispute, { evidence: [over] }))).toMatchObject({ outcome: 'failed' })
      fetch = shop.link.fetch
      expect(await answer(order(dispute, { evidence: [fits] }))).toMatchObject({ outcome: 'approved' })
    }
  })
})

describe('accepting', () => {
  const accepted = (dispute: string, change: Partial<AnswerDisputeOrder> = {}) =>
    order(dispute, { act: 'accept', evidence: [], ...change })

  test('closes the dispute as lost, once', async () => {
    const dispute = await disputed()
    const given = accepted(dispute)
    loseAnswers((url) => url.endsWith('/close'))
    expect(await answer(given)).toMatchObject({ outcome: 'unknown' })

    expect(await answer({ ...given, isRepeated: true })).toMatchObject({
      outcome: 'approved',
      facts: { rawCode: 'lost' },
    })
    expect(shop.standIn.events.filter(({ type }) => type === 'charge.dispute.closed')).toHaveLength(1)
  })

  test('a dispute that is lost already has failed', async () => {
    const dispute = await disputed()
    await shop.control(`disputes/${dispute}/close`, { outcome: 'lost' })

    expect(await answer(accepted(dispute))).toMatchObject({ outcome: 'failed', code: 'unexpected_state' })
  })

  test('an unknown dispute has failed, unless an earlier request may have found it', async () => {
    expect(await answer(accepted('du_none'))).toMatchObject({ outcome: 'failed' })
    expect(await answer(accepted('du_none', { isRepeated: true }))).toMatchObject({ outcome: 'unknown' })
  })

  test('a repetition that is refused for itself says nothing about the first request', async () => {
    const dispute = await disputed()
    const open = fetch
    fetch = async (url, init) =>
      init?.method === 'POST'
        ? Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 401 })
        : open(url, init)

    expect(await answer(accepted(dispute))).toMatchObject({ outcome: 'failed' })
    expect(await answer(accepted(dispute, { isRepeated: true }))).toMatchObject({ outcome: 'unknown' })
  })
})
