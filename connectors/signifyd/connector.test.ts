import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createStandIn, type Message, STAND_IN_TEAM } from '#sandbox/stand-ins/signifyd/stand-in.ts'
import { describeJudged } from '#testing/generated-orders.ts'
import { openContract } from '#testing/published-contract.ts'
import type { DecideOrder, OutcomeOrder, ToldOutcome } from '../contract/anti-fraud.ts'
import { describeAntiFraudConnector } from '../contract/anti-fraud-suite.ts'
import type { Link } from '../contract/connector.ts'
import { judgedOrder, testLink } from '../contract/samples.ts'
import { signifyd } from './connector.ts'
import contract from './testing/contract.json' with { type: 'json' }

const { decide, tell, readNotification, deviceScript } = signifyd
if (!tell || !readNotification || !deviceScript) throw new Error('the connector lacks something')

/** Signifyd's own models. Every request and answer of this file is compared with them. */
const published = openContract(contract)

const ORDER = judgedOrder()
const { buyer: BUYER } = ORDER

function open(over: Partial<Link> = {}) {
  const sent: Message[] = []
  const now = () => new Date('2026-11-19T12:00:00Z')
  const standIn = createStandIn({
    now,
    send: async (message) => {
      sent.push(message)
      return 204
    },
  })
  const fetch = published.watch((url, init) => standIn.fetch(url, init))
  const link = testLink({ fetch, fields: { ...STAND_IN_TEAM }, now, ...over })
  const ask = (order: Partial<DecideOrder> = {}) => decide({ ...ORDER, ...order }, link)
  const from = (emailAddress: string) => ask(sentBy(emailAddress))
  return { standIn, sent, link, ask, from }
}

/** Answers of Signifyd as it might send them one day. */
const scripted = (body: unknown, status = 201) =>
  testLink({
    fields: { ...STAND_IN_TEAM },
    fetch: async () =>
      typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status }),
  })

const sentBy = (emailAddress: string) => ({ buyer: BUYER && { ...BUYER, emailAddress } })

describeAntiFraudConnector(signifyd, async () => {
  const { standIn, sent, link } = open()
  const emails = { accept: 'jane@example.com', reject: 'reject@example.com', review: 'hold@example.com' }
  await standIn.control('/_stand-in/webhook', { url: 'https://switchyard.example.com/n' })
  return {
    link,
    wrongFields: { api_key: 'another-key' },
    orderFor: (decision) => sentBy(emails[decision]),
    review: async (id, decision) => {
      await standIn.control(`/_stand-in/orders/${id}/decide`, { action: decision.toUpperCase() })
      const { headers = {}, body = '' } = sent.at(-1) ?? {}
      return { headers, body: Buffer.from(body) }
    },
  }
})

describe('a decision', () => {
  test.each([
    ['jane@example.com', 'accept'],
    ['reject@example.com', 'reject'],
    ['hold@example.com', 'review'],
    ['challenge@example.com', 'review'],
  ])('about %s is %s', async (address, decision) => {
    expect(await open().from(address)).toEqual({ outcome: 'decided', decision, reference: '100000' })
  })

  test('is asked for with what Signifyd has a name for, in whole units', async () => {
    const { ask, standIn } = open({ fields: { ...STAND_IN_TEAM, coverage: 'FRAUD' } })
    await ask()

    expect(standIn.checkouts.get(ORDER.transactionId)).toEqual({
      checkoutId: ORDER.transactionId,
      orderId: ORDER.transactionId,
      purchase: {
        createdAt: '2026-11-19T12:00:00.000Z',
        orderChannel: 'WEB',
        totalPrice: 12.99,
        currency: 'USD',
        confirmationEmail: 'jane@example.com',
        confirmationPhone: '+13125550100',
      },
      device: { clientIpAddress: '192.0.2.1', sessionId: 'session-of-the-browser' },
      userAccount: { username: 'customer-4711', email: 'jane@example.com', phone: '+13125550100' },
      transactions: [
        {
          transactionId: ORDER.transactionId,
          paymentMethod: 'CREDIT_CARD',
          amount: 12.99,
          currency: 'USD',
          checkoutPaymentDetails: {
            accountHolderName: 'Jane Doe',
            billingAddress: {
              streetAddress: '1 Main St',
              city: 'Chicago',
              provinceCode: 'IL',
              postalCode: '60601',
              countryCode: 'US',
            },
            cardBin: '41111111',
          },
        },
      ],
      coverageRequests: ['FRAUD'],
    })
  })

  test.each<[string, Partial<DecideOrder>, object]>([
    ['yen', { amount: 1299, currency: 'JPY', minorUnits: 0 }, { totalPrice: 1299 }],
    ['dinars', { amount: 1299, currency: 'KWD', minorUnits: 3 }, { totalPrice: 1.299 }],
    ['a sum that floating point would spoil', { amount: 1_110 }, { totalPrice: 11.1 }],
    ['a telephone', { paymentSource: 'moto' }, { orderChannel: 'PHONE' }],
  ])('counts %s', async (_name, order, purchase) => {
    const { ask, standIn } = open()
    await ask(order)
    expect(standIn.checkouts.get(ORDER.transactionId)?.['purchase']).toMatchObject(purchase)
  })

  test('needs something about the buyer', async () => {
    const { ask, standIn } = open()
    expect(await ask({ buyer: null, fingerprint: null, ipAddress: null })).toEqual({
      outcome: 'skipped',
      reason: 'no_buyer',
    })
    expect(standIn.checkouts.size).toBe(0)
    // A guest with a browser is enough.
    expect(await ask({ buyer: null, method: 'ideal', bin: null })).toMatchObject({ outcome: 'decided' })
  })

  test.each<[string, Link, string]>([
    ['a wrong key', open({ fields: { api_key: 'another-key' } }).link, 'error'],
    ['trouble at Signifyd', scripted({}, 503), 'unavailable'],
    ['too many orders', scripted({}, 429), 'unavailable'],
    ['a page', scripted('<p>Hello</p>'), 'unknown'],
    ['no decision', scripted({ signifydId: '1' }), 'unknown'],
    ['an action that is new', scripted({ decision: { checkpointAction: 'PONDER' } }), 'unknown'],
    ['an action about returns', scripted({ decision: { checkpointAction: 'CREDIT' } }), 'unknown'],
    ['another status', scripted({}, 302), 'unknown'],
  ])('is never made of %s', async (_name, link, outcome) => {
    expect(await decide(ORDER, link)).toMatchObject({ outcome })
  })

  test('that is refused names the places, and repeats nothing of the buyer', async () => {
    const link = scripted({ messages: ['jane@example.com'], errors: { 'purchase.createdAt': ['jane'] } }, 400)
    expect(await decide(ORDER, link)).toEqual({
      outcome: 'error',
      reason: 'Signifyd refused purchase.createdAt of the order (400)',
    })
  })

  test('that was not answered shows no secret', async () => {
    const fetch = async (url: string, init?: RequestInit) => {
      throw new TypeError(`failed to send ${url} ${inspect(init)}`)
    }
    const answer = await open({ fetch }).ask()
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'Signifyd could not be reached' })
  })
})

describe('what became of an order', () => {
  const outcome = (told: ToldOutcome): OutcomeOrder => ({
    eventId: 'event',
    transactionId: ORDER.transactionId,
    currency: 'USD',
    minorUnits: 2,
    buyer: BUYER,
    fingerprint: null,
    method: 'card',
    bin: '41111111',
    outcome: told,
  })
  const payment = (over: object) =>
    outcome({
      about: 'payment',
      status: 'captured',
      isSale: true,
      amount: 1299,
      code: null,
      isRejected: false,
      ...over,
    } as ToldOutcome)

  test.each([
    ['captured', { isSale: true }, 'SUCCESS'],
    ['authorized', { isSale: false }, 'SUCCESS'],
    ['declined', {}, 'FAILURE'],
    ['failed', {}, 'ERROR'],
    ['voided', {}, 'CANCELLED'],
  ])('is told when it is %s', async (status, over, gatewayStatusCode) => {
    const { ask, standIn, link } = open()
    await ask()

    expect(await tell(payment({ status, ...over }), link)).toEqual({ outcome: 'told' })
    expect(standIn.transactions).toEqual([
      {
        checkoutId: ORDER.transactionId,
        orderId: ORDER.transactionId,
        transactions: [
          {
            transactionId: ORDER.transactionId,
            paymentMethod: 'CREDIT_CARD',
            amount: 12.99,
            currency: 'USD',
            gatewayStatusCode,
          },
        ],
      },
    ])
  })

  test.each([
    ['a capture of what was authorized before', payment({ isSale: false })],
    ['what Signifyd has rejected itself', payment({ status: 'declined', isRejected: true })],
    ['a review', outcome({ about: 'review', decision: 'accept' })],
    ['a refund', outcome({ about: 'refund', refundId: 'r', amount: 1, reason: null })],
  ])('is not told of %s: there is no word for it', async (_name, told) => {
    const { standIn, link } = open()
    expect(await tell(told, link)).toEqual({ outcome: 'told' })
    expect(standIn.transactions).toEqual([])
  })

  test.each([
    ['later, when Signifyd is in trouble', scripted({}, 500), 'unavailable'],
    ['later, when the key is mended', scripted({}, 401), 'unavailable'],
    ['never, when Signifyd does not take it', scripted({ errors: {} }, 409), 'refused'],
  ])('is told again %s', async (_name, link, expected) => {
    expect(await tell(payment({}), link)).toMatchObject({ outcome: expected })
  })
})

describe('a message', () => {
  async function told(action: string, checkpoint?: string) {
    const { ask, standIn, sent, link } = open()
    await ask()
    await standIn.control('/_stand-in/webhook', { url: 'https://switchyard.example.com/n' })
    await standIn.control(`/_stand-in/orders/${ORDER.transactionId}/decide`, { action, checkpoint })
    const [message] = sent
    if (!message) throw new Error('nothing was sent')
    expect(published.problemsOfWebhook('ORDER_CHECKPOINT_ACTION_UPDATE', JSON.parse(message.body))).toEqual(
      [],
    )
    return { link, message: { headers: message.headers, body: Buffer.from(message.body) } }
  }

  test.each([
    ['ACCEPT', undefined, { outcome: 'read', transactionId: ORDER.transactionId, decision: 'accept' }],
    [
      'REJECT',
      'SIGNIFYD_REVIEW',
      { outcome: 'read', transactionId: ORDER.transactionId, decision: 'reject' },
    ],
    ['HOLD', undefined, { outcome: 'ignored' }],
    ['REJECT', 'CHECKOUT', { outcome: 'ignored' }],
    ['REJECT', 'TRANSACTION', { outcome: 'ignored' }],
  ])('of %s at the checkpoint %s is %j', async (action, checkpoint, expected) => {
    const { link, message } = await told(action, checkpoint)
    expect(await readNotification(message, link)).toEqual(expected)
  })

  test('counts only with the signature of the key', async () => {
    const { link, message } = await told('REJECT')
    const sign = (text: string) => ({
      'signifyd-sec-hmac-sha256': createHmac('sha256', STAND_IN_TEAM.api_key).update(text).digest('base64'),
    })
    const read = (text: string, headers: Record<string, string>) =>
      readNotification({ headers, body: Buffer.from(text) }, link)

    const outcomes = [
      await read(message.body.toString().replace('REJECT', 'ACCEPT'), message.headers),
      await read(message.body.toString(), {}),
      await read('no JSON', sign('no JSON')),
      await read('{}', sign('{}')),
    ]

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  })
})

test('the script for browsers needs no key, and follows a stand-in in a sandbox alone', () => {
  const fields = { ...STAND_IN_TEAM, stand_in_url: 'http://127.0.0.1:4242/' }
  const scripts = (['sandbox', 'production'] as const).map((environment) =>
    deviceScript({ fields, environment }),
  )

  expect(scripts).toMatchObject([
    { url: 'http://127.0.0.1:4242/script-tag.js', origins: ['http://127.0.0.1:4242'] },
    {
      url: 'https://cdn-scripts.signifyd.com/api/script-tag.js',
      attributes: { id: 'sig-api', 'data-order-session-id': '{fingerprint}' },
    },
  ])
  expect(JSON.stringify(scripts)).not.toContain(STAND_IN_TEAM.api_key)
})

describeJudged(signifyd, { open: () => open().link, watch: published.watch })
