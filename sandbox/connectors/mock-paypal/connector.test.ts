import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connector, Link } from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { type Bench, describeConnector } from '#connectors/contract/suite.ts'
import { type Database, openDatabase } from '#platform/database/open-database.ts'
import { cloneDatabase } from '#testing/harness.ts'
import { createSimulator, type Simulator } from '../../simulator/simulator.ts'
import { mockCard } from '../mock-card/connector.ts'
import { mockPayPal } from './connector.ts'
import { mockDebit, mockMethods } from './methods.ts'

const PROCESSOR = 'https://processor.simulator.invalid'
const PUBLIC_URL = 'https://pay.example.com'
const fields = samples.enteredFor(['blik_code'])
const instrument: Instrument = { kind: 'redirect', method: 'paypal', country: 'US', currency: 'USD', fields }
const redirectUrl = 'https://shop.example.com/back'

let database: Database
let simulator: Simulator
let now = Date.now()
beforeAll(async () => {
  database = openDatabase(await cloneDatabase(), { poolSize: 8, onError: () => {} })
  simulator = createSimulator({ pool: database.pool, clock: () => new Date(now), publicUrl: PUBLIC_URL })
})
afterAll(() => database.close())

const link = (): Link => samples.testLink({ fetch: simulator.fetch, fields: { merchant_id: 'Müller' } })
const { authorize, cancel, tokenize, forgetToken, session, sync, verify } = mockPayPal as Required<
  typeof mockPayPal
>

async function effectsOf(attemptId: string): Promise<number> {
  const response = await simulator.fetch(`${PROCESSOR}/books?attempt_id=${attemptId}`)
  const { effects } = (await response.json()) as { effects: Record<string, number> }
  return effects[attemptId] ?? 0
}

/** The buyer decides on the page. */
async function decide(approvalUrl: string, approve: boolean): Promise<Response> {
  const path = approvalUrl.replace(`${PUBLIC_URL}/simulator/`, '')
  const headers = { 'content-type': 'application/json' }
  return simulator.fetch(`${PROCESSOR}/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ approve }),
  })
}

/** Approves what has this reference, as the buyer would at its address. */
async function approveByReference(reference: string): Promise<void> {
  await database.pool.query(
    `update simulator.entries set status = 'approved', code = '00', description = 'Approved', ended_at = $2
     where reference = $1 and status = 'pending'`,
    [reference, new Date(now)],
  )
}

async function openBench(): Promise<Bench> {
  const approved = { instrument, redirectUrl }
  return {
    link: link(),
    effectsOf,
    approved,
    declined: { ...approved, amount: 200011 },
    pending: approved,
    tokenized: approved,
    finish: async (_operation, reference) => {
      await approveByReference(reference)
      return undefined
    },
  }
}

/** A debit can be told of, and its bank takes days. */
async function openDebitBench(): Promise<Bench> {
  const { declined: _atOnce, ...bench } = await openBench()
  const secretOfHook = 'a-secret-of-messages'
  const { fields } = bench.link
  const own = { ...bench.link, fields: { ...fields, webhook_secret: secretOfHook } }
  return {
    ...bench,
    link: own,
    notify: async () => {
      const order = samples.authorizeOrder({ instrument, redirectUrl, intent: 'capture' })
      const answer = await debit.authorize(order, own)
      const reference = 'reference' in answer ? String(answer.reference) : ''
      const event = { event: 'authorization.succeeded', payment_service_transaction_id: reference }
      const body = Buffer.from(JSON.stringify(event))
      const signature = createHmac('sha256', secretOfHook).update(body).digest('hex')
      return { about: 'authorization', reference, message: { headers: { 'x-signature': signature }, body } }
    },
  }
}

const debit = mockDebit(mockCard as Required<Connector>) as Required<Connector>
for (const connector of [mockPayPal, ...mockMethods, debit])
  describeConnector(connector, connector.readNotification ? openDebitBench : openBench)

async function asked() {
  const order = samples.authorizeOrder({ instrument, redirectUrl })
  const answer = await authorize(order, link())
  if (answer.outcome !== 'approval_required') throw new Error(answer.outcome)
  if (answer.approval.kind !== 'redirect') throw new Error(answer.approval.kind)
  const { url: approvalUrl } = answer.approval
  return { order, answer, approvalUrl, inquiry: samples.inquiryAbout('authorize', order) }
}

describe('the buyer', () => {
  test('is asked on a page of the sandbox, whose address cannot be guessed', async () => {
    const { answer, approvalUrl } = await asked()

    expect(approvalUrl).toMatch(
      new RegExp(`^${PUBLIC_URL}/simulator/approvals/${answer.reference}/[\\w-]{43}$`),
    )
    const another = (await asked()).approvalUrl.split('/').at(-1)
    expect((await decide(approvalUrl.replace(/[\w-]{43}$/, another ?? ''), true)).status).toBe(404)
    expect((await decide(`${PUBLIC_URL}/simulator/approvals/x/y`, true)).status).toBe(404)
  })

  test.each([
    [true, { outcome: 'approved' }],
    [false, { outcome: 'failed', code: 'cancelled_buyer_approval' }],
  ])('decides once, and returns to the shop: %s', async (approve, outcome) => {
    const { answer, approvalUrl, inquiry } = await asked()
    expect(await sync(inquiry, link())).toEqual(answer)

    const first = await decide(approvalUrl, approve)
    const second = await decide(approvalUrl, !approve)

    expect(await first.json()).toMatchObject({ return_url: redirectUrl, amount: 1299, currency: 'USD' })
    expect(second.status).toBe(200)
    expect(await sync(inquiry, link())).toMatchObject(outcome)
  })

  test('cannot approve what the merchant has cancelled', async () => {
    const { order, answer, approvalUrl, inquiry } = await asked()
    await cancel(samples.cancelOrder({ order, reference: answer.reference }), link())

    await decide(approvalUrl, true)

    expect(await sync(inquiry, link())).toMatchObject({ outcome: 'failed', code: 'cancelled_buyer_approval' })
  })

  test('has a day to decide', async () => {
    const { inquiry } = await asked()
    expect((await sync(inquiry, link())).outcome).toBe('approval_required')

    now += 25 * 3_600_000

    expect(await sync(inquiry, link())).toMatchObject({ outcome: 'failed', code: 'cancelled_buyer_approval' })
  })
})

describe('a session', () => {
  const payload = { domain_name: 'shop.example.com' }
  const paymentOf = ({ order, answer }: Awaited<ReturnType<typeof asked>>) => ({
    transactionId: order.transactionId,
    amount: order.amount,
    currency: order.currency,
    reference: answer.reference,
  })

  test('of an account has the client id for the script', async () => {
    expect(await session({ payload, payment: null }, link())).toEqual({
      outcome: 'succeeded',
      statusCode: 200,
      body: { client_id: 'Müller', fields: ['domain_name'] },
    })
  })

  test('of a payment that waits has its order', async () => {
    const payment = paymentOf(await asked())

    expect(await session({ payload: {}, payment }, link())).toEqual({
      outcome: 'succeeded',
      statusCode: 200,
      body: {
        client_id: 'Müller',
        fields: [],
        order_id: payment.reference,
        amount: 1299,
        currency: 'USD',
      },
    })
  })

  test('is announced with the approval, also by an inquiry', async () => {
    const { answer, inquiry } = await asked()

    expect([answer.hasSession, await sync(inquiry, link())]).toEqual([true, answer])
  })

  test('is refused for a payment that is decided, unknown, or of another merchant', async () => {
    const decided = await asked()
    await decide(decided.approvalUrl, true)
    const waiting = paymentOf(await asked())
    const unknown = { ...waiting, reference: crypto.randomUUID() }
    const other: Link = { ...link(), fields: { merchant_id: 'other' } }

    const refused = { outcome: 'failed', code: 'unknown_reference', statusCode: 404 }
    expect(await session({ payload, payment: paymentOf(decided) }, link())).toEqual(refused)
    expect(await session({ payload, payment: unknown }, link())).toEqual(refused)
    expect(await session({ payload, payment: waiting }, other)).toEqual(refused)
  })

  test.each([
    ['no answer', async () => Promise.reject(new TypeError('fetch failed'))],
    ['a broken processor', async () => Response.json({ error: 'down' }, { status: 503 })],
    ['an answer that is no JSON', async () => new Response('<html>')],
  ])('is an error after %s', async (_what, fetch) => {
    await expect(session({ payload, payment: null }, { ...link(), fetch })).rejects.toThrow(
      'no readable answer',
    )
  })
})

describe('a token', () => {
  test('is named by the buyer’s account once the buyer has approved', async () => {
    const order = samples.tokenizeOrder({ instrument, redirectUrl })
    const first = await tokenize(order, link())
    if (first.outcome !== 'approval_required') throw new Error(first.outcome)
    if (first.approval.kind !== 'redirect') throw new Error(first.approval.kind)
    await decide(first.approval.url, true)

    const inquiry = samples.inquiryAbout('tokenize', order)
    const answer = await sync(inquiry, link())

    expect(answer).toMatchObject({
      outcome: 'approved',
      token: { label: expect.stringMatching(/^buyer-[0-9a-f]{6}@example\.com$/) },
    })
  })

  test.each(['tok_', 'tok_00000000-0000-7000-8000-000000000000_x', 'x'.repeat(200)])(
    'that the processor did not give pays nothing, and is not forgotten: %s',
    async (text) => {
      const token = {
        kind: 'provider-token',
        method: 'paypal',
        token: secret(text),
        securityCode: null,
      } as const

      expect(await authorize(samples.authorizeOrder({ instrument: token }), link())).toMatchObject({
        outcome: 'failed',
        code: 'unknown_payment_method',
      })
      expect(await forgetToken(samples.forgetTokenOrder(secret(text)), link())).toMatchObject({
        outcome: 'failed',
        code: 'unknown_service_resource',
      })
    },
  )
})

test.each([
  ['', 'rejected'],
  ['invalid', 'rejected'],
  ['unreachable', 'unreachable'],
  ['anything else', 'accepted'],
])('the merchant id "%s": %s', async (merchant_id, outcome) => {
  expect(await verify({ ...link(), fields: { merchant_id } })).toMatchObject({ outcome })
})
