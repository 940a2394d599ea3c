import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Connector, Link, Message, Notification } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, OfferedToken } from '#connectors/contract/orders.ts'
import {
  authorizeOrder,
  cancelOrder,
  captureOrder,
  card,
  incrementOrder,
  inquiryAbout,
  refundOrder,
  testLink,
  voidOrder,
} from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { TEST_KEY } from '#sandbox/stand-ins/stripe/stand-in.ts'
import { sign } from '#sandbox/stand-ins/stripe/webhooks.ts'
import { stripeConnectors } from './connectors.ts'
import { EVENTS } from './register.ts'
import { API, openShop } from './testing/shop.ts'

const SECRET = 'whsec_of_the_test'
const stripeCard = named('stripe-card')

let time = new Date('2026-11-16T10:00:00Z')
let shop: ReturnType<typeof openShop>
let link: Link

beforeEach(() => {
  time = new Date('2026-11-16T10:00:00Z')
  shop = openShop({
    now: () => time,
    keys: {
      [TEST_KEY]: 'all',
      sk_test_old: 'expired',
      rk_test_enough: {
        payment_methods: 'write',
        payment_intents: 'write',
        setup_intents: 'write',
        refunds: 'write',
      },
      rk_test_no_refunds: { payment_methods: 'write', payment_intents: 'write', setup_intents: 'write' },
    },
  })
  link = linkWith({ flexible_captures: 'true' })
})

function linkWith(fields: Readonly<Record<string, string>> = {}, over: Partial<Link> = {}): Link {
  const all = { secret_key: TEST_KEY, webhook_secret: SECRET, ...fields }
  return testLink({ fetch: shop.link.fetch, fields: all, now: () => time, ...over })
}

function named(id: string): Required<Connector> {
  const found = stripeConnectors.find(({ manifest }) => manifest.id === id)
  if (!found) throw new Error(`there is no ${id}`)
  return found as Required<Connector>
}

const withCard = (number: string): Partial<AuthorizeOrder> => ({
  instrument: card({ number: secret(number) }),
})

async function authorized(over: Partial<AuthorizeOrder> = {}) {
  const order = authorizeOrder(over)
  const answer = await stripeCard.authorize(order, link)
  if (answer.outcome !== 'approved') throw new Error(`Stripe answered ${answer.outcome}`)
  return { order, reference: answer.reference, answer }
}

const sold = (over: Partial<AuthorizeOrder> = {}) => authorized({ intent: 'capture', ...over })

function messageOf(event: object, over: { secret?: string; at?: Date } = {}): Message {
  const body = JSON.stringify(event)
  const signature = sign(body, { secret: over.secret ?? SECRET, now: over.at ?? time })
  return { headers: { 'stripe-signature': signature }, body: Buffer.from(body) }
}

/** What the connector reads of all events of these types, in their order. */
async function told(...types: string[]): Promise<Notification[]> {
  const events = shop.standIn.events.filter(({ type }) => types.includes(type))
  const readings = await Promise.all(
    events.map((event) => stripeCard.readNotification(messageOf(event), link)),
  )
  return readings.flatMap((reading) => (reading.outcome === 'read' ? reading.notifications : []))
}

describe('a decline', () => {
  test.each([
    ['4000000000000002', 'declined', 'issuer_decline', true, '05'],
    ['4000000000009995', 'declined', 'insufficient_funds', false, '51'],
    ['4000000000009987', 'declined', 'canceled_payment_method', false, '41'],
    ['4000000000000069', 'declined', 'expired_payment_method', false, '54'],
    ['4000000000000127', 'declined', 'incorrect_cvv', false, null],
    ['4000000000000119', 'declined', 'service_decline', true, null],
    ['4100000000000019', 'declined', 'suspected_fraud', false, null],
    ['4000002760003184', 'failed', 'requires_buyer_authentication', false, null],
    ['4242424242424241', 'failed', 'invalid_payment_method', false, null],
  ])('of card %s has our code', async (...expected) => {
    const [number, outcome, code, isRetriable, iso] = expected
    const order = authorizeOrder(withCard(number))

    const answer = await stripeCard.authorize(order, link)

    expect(answer).toMatchObject({ outcome, code, isRetriable, facts: { isoResponseCode: iso } })
    expect(shop.standIn.effectsOf(order.attemptId)).toBe(0)
  })

  test('of a card of zero that needs its buyer, who has no way back, is certain', async () => {
    const order = authorizeOrder({ ...withCard('4000002760003184'), amount: 0, redirectUrl: null })
    const refused = {
      outcome: 'failed',
      code: 'requires_buyer_authentication',
      reference: expect.stringMatching(/^seti_/),
    }

    const answer = await stripeCard.authorize(order, link)

    expect(answer).toMatchObject(refused)
    expect(await stripeCard.sync(inquiryAbout('authorize', order, { sentAt: time }), link)).toEqual(answer)
    expect(shop.standIn.effectsOf(order.attemptId)).toBe(0)
  })

  test('tells apart what the merchant can mend', async () => {
    const authorize = (fields: Record<string, string>, over: Partial<Link> = {}, order = authorizeOrder()) =>
      stripeCard.authorize(order, linkWith(fields, over))
    const rawCards = async () =>
      Response.json(
        {
          error: {
            type: 'invalid_request_error',
            message: 'Sending credit card numbers directly is unsafe.',
          },
        },
        { status: 402 },
      )

    const codes = await Promise.all([
      authorize({ secret_key: 'sk_test_wrong' }),
      authorize({ secret_key: 'sk_test_old' }),
      authorize({ secret_key: 'sk_live_real' }),
      authorize({}, { fetch: rawCards }),
      authorize({}, {}, authorizeOrder({ amount: 5_124, currency: 'KWD' })),
      authorize({}, {}, authorizeOrder({ amount: 1 })),
    ])

    expect(codes.map((answer) => 'code' in answer && answer.code)).toEqual([
      'invalid_service_credentials',
      'invalid_service_credentials',
      'invalid_service_credentials',
      'invalid_service_configuration',
      'invalid_amount',
      'invalid_amount',
    ])
  })
})

describe('an approval', () => {
  const billing = (line1: string | null, postal_code: string | null): Partial<AuthorizeOrder> => ({
    billing: {
      first_name: 'Ada',
      last_name: null,
      email_address: null,
      phone_number: null,
      address: {
        line1,
        postal_code,
        city: null,
        country: 'US',
        state: null,
        state_code: null,
        house_number_or_name: null,
        line2: null,
        organization: null,
      },
    },
  })

  test.each([
    ['4242424242424242', 'Main St 1', '94103', 'match'],
    ['4000000000000010', 'Main St 1', '94103', 'no_match'],
    ['4000000000000036', 'Main St 1', '94103', 'partial_match_address'],
    ['4000000000000028', 'Main St 1', '94103', 'partial_match_postcode'],
    ['4000000000000044', 'Main St 1', '94103', 'unavailable'],
    ['4242424242424242', null, '94103', 'partial_match_postcode'],
    ['4242424242424242', null, null, null],
  ])('of card %s says what the bank knows of the address', async (...expected) => {
    const [number, line1, postalCode, avs] = expected

    const { answer } = await authorized({ ...withCard(number), ...billing(line1, postalCode) })

    expect(answer.facts.avsResponseCode).toBe(avs)
  })

  test('says what the bank knows of the security code, and its own ids', async () => {
    const { answer } = await authorized()
    const without = await authorized({ instrument: card({ securityCode: null }) })
    const wrong = await authorized(withCard('4000000000000101'))

    expect([answer, without.answer, wrong.answer].map(({ facts }) => facts.cvvResponseCode)).toEqual([
      'match',
      'not_provided',
      'no_match',
    ])
    expect(answer.facts).toMatchObject({ authResponseCode: '123456', schemeTransactionId: '104557651805572' })
  })

  test('of krónur is for as many krónur', async () => {
    const { reference } = await sold({ amount: 500, currency: 'ISK' })

    const stripe = new Stripe(TEST_KEY, {
      httpClient: Stripe.createFetchHttpClient(shop.standIn.fetch as typeof fetch),
    })
    expect((await stripe.paymentIntents.retrieve(reference)).amount).toBe(50_000)
  })
})

describe('an answer that cannot be right', () => {
  const answered = async (change: (body: Record<string, unknown>) => object) => {
    const order = authorizeOrder()
    const changing = linkWith(
      {},
      {
        fetch: async (url, init) => {
          const response = await shop.standIn.fetch(url, init)
          if (!url.endsWith('/payment_intents')) return response
          return Response.json(change((await response.json()) as Record<string, unknown>))
        },
      },
    )
    return stripeCard.authorize(order, changing)
  }

  test.each([
    ['of another payment', { metadata: { attempt: randomUUID() } }],
    ['of another amount', { amount: 1300 }],
    ['in another currency', { currency: 'eur' }],
    ['with a status that is new', { status: 'requires_moon' }],
    ['that was not tried', { status: 'requires_payment_method', last_payment_error: null }],
    ['that asks the buyer for something new', { status: 'requires_action', next_action: { type: 'dance' } }],
    ['without an id', { id: null }],
    ['about something else', { object: 'customer' }],
  ])('is unknown: %s', async (_name, over) => {
    const answer = await answered((body) => ({ ...body, ...over }))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })
})

describe('a lost answer', () => {
  test.each(['error', 'error_after'])(
    'of a 500 that Stripe keeps is found, or stays unknown: %s',
    async (fault) => {
      const order = authorizeOrder()
      await shop.control('faults', { endpoint: 'POST /v1/payment_intents', fault })

      const first = await stripeCard.authorize(order, link)
      const again = await stripeCard.authorize(order, link)
      const found = await stripeCard.sync(inquiryAbout('authorize', order, { sentAt: time }), link)

      expect([first.outcome, again.outcome]).toEqual(['unknown', 'unknown'])
      expect(found.outcome).toBe(fault === 'error' ? 'unknown' : 'approved')
      expect(shop.standIn.effectsOf(order.attemptId)).toBe(fault === 'error' ? 0 : 1)
    },
  )

  test('of what never arrived: Stripe will refuse it from then on', async () => {
    const order = authorizeOrder()
    const inquiry = inquiryAbout('authorize', order, { sentAt: time })

    const answers = [await stripeCard.sync(inquiry, link), await stripeCard.sync(inquiry, link)]
    const late = await stripeCard.authorize(order, link)

    expect(answers).toEqual([{ outcome: 'not_found' }, { outcome: 'not_found' }])
    expect(late.outcome).toBe('unknown')
    expect(shop.standIn.effectsOf(order.attemptId)).toBe(0)
  })

  test('of what never arrived stays unknown when Stripe may have forgotten the key', async () => {
    const order = authorizeOrder()
    const sentAt = new Date(time.getTime() - 24 * 3_600_000)

    const found = await stripeCard.sync(inquiryAbout('authorize', order, { sentAt }), link)

    expect(found.outcome).toBe('unknown')
  })

  test('is found among many others', async () => {
    const { order } = await authorized()
    for (let count = 0; count < 120; count++) await authorized({ instrument: card({ securityCode: null }) })

    const found = await stripeCard.sync(inquiryAbout('authorize', order, { sentAt: time }), link)

    expect(found.outcome).toBe('approved')
  })

  test('of a decline is a decline', async () => {
    const order = authorizeOrder(withCard('4000000000009995'))
    await stripeCard.authorize(order, link)

    const found = await stripeCard.sync(inquiryAbout('authorize', order, { sentAt: time }), link)

    expect(found).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
  })

  test('is not taken for that of another attempt', async () => {
    const { order, reference } = await authorized()
    const other = { ...order, attemptId: randomUUID() }

    const found = await stripeCard.sync(inquiryAbout('authorize', other, { sentAt: time, reference }), link)

    expect(found.outcome).toBe('unknown')
  })

  test('of a rate limit is no doubt: nothing was done', async () => {
    const order = authorizeOrder()
    await shop.control('faults', { endpoint: 'POST /v1/payment_intents', fault: 'rate_limit' })

    const answer = await stripeCard.authorize(order, link)

    expect(answer).toMatchObject({ outcome: 'failed', code: 'service_rate_limit', isRetriable: true })
    expect(shop.standIn.effectsOf(order.attemptId)).toBe(0)
  })
})

const walletWith = (token: string) =>
  ({
    ...{ kind: 'wallet', wallet: 'applepay', token: secret(token), checkoutToken: null, assurance: null },
    ...{ cardholderName: null, cardScheme: null, cardType: null },
  }) as AuthorizeOrder['instrument']

describe('a wallet that Stripe has made a token of', () => {
  test.each([
    ['as text', 'tok_visa', { outcome: 'approved' }],
    ['as an object', '{"id": "tok_visa", "object": "token"}', { outcome: 'approved' }],
    ['that is declined', 'tok_chargeDeclined', { outcome: 'declined', code: 'issuer_decline' }],
    ['that Stripe does not know', 'tok_1Nxyz', { outcome: 'failed' }],
  ])('pays %s', async (_what, token, expected) => {
    expect(stripeCard.obstacleTo(walletWith(token) as OfferedToken)).toBe(null)
    expect(await stripeCard.authorize(authorizeOrder({ instrument: walletWith(token) }), link)).toMatchObject(
      expected,
    )
  })
})

describe('what Stripe has no documented parameter for', () => {
  const token = secret('4111111111111111')
  const networkToken = {
    ...{ kind: 'network-token', source: 'network-token', token, expirationDate: '12/35', scheme: 'visa' },
    ...{ cryptogram: secret('AgAAAAAAAIR8CQ=='), eci: '07', cardholderName: null, cardSource: null },
  } as AuthorizeOrder['instrument']

  test('is refused, and sends nothing', async () => {
    const sent: string[] = []
    link = linkWith(
      {},
      {
        fetch: async (url) => {
          sent.push(url)
          return Response.json({})
        },
      },
    )

    for (const instrument of [networkToken, walletWith('{}'), walletWith('tok_/../x'), walletWith('')]) {
      expect(await stripeCard.authorize(authorizeOrder({ instrument }), link)).toMatchObject({
        outcome: 'failed',
        code: 'unsupported_payment_method',
      })
    }
    expect(sent).toEqual([])
  })

  test('is told by Stripe all the same: the scheme’s id of a payment', async () => {
    const { answer } = await authorized()

    expect(answer.facts.schemeTransactionId).toEqual(expect.any(String))
  })
})

describe('a follow-up', () => {
  test('needs what Stripe has enabled for the account', () => {
    const needs = stripeCard.manifest.capabilities.operationNeeds
    const allowed = [needs?.increment, needs?.multipleCaptures, needs?.overCapture]

    expect(allowed.map((is) => is?.({}))).toEqual([false, false, false])
    expect(allowed.map((is) => is?.({ flexible_captures: 'true' }))).toEqual([true, true, true])
  })

  test.each([
    ['a card of another brand', '6011111111111117', true],
    ['an account without it', '4242424242424242', false],
  ])('needs what Stripe can do with the card: %s', async (_name, number, isFlexible) => {
    link = linkWith(isFlexible ? { flexible_captures: 'true' } : {})
    const on = await authorized(withCard(number))
    const cannot = { outcome: 'failed', code: 'unsupported_transaction' }

    const part = await stripeCard.capture(captureOrder(on, { amount: 500, isFinal: false }), link)
    const more = await stripeCard.increment(incrementOrder(on, { amount: 1 }), link)
    const over = await stripeCard.capture(captureOrder(on, { amount: 1300 }), link)

    expect(part).toMatchObject({ ...cannot, facts: { rawDescription: expect.stringContaining('final') } })
    expect(more).toMatchObject(cannot)
    expect(over).toMatchObject({ outcome: 'failed', code: 'invalid_amount' })
    // The payment is as it was.
    expect((await stripeCard.capture(captureOrder(on), link)).outcome).toBe('approved')
  })

  test('asks only before what needs it, and at most captures what Stripe names', async () => {
    const on = await authorized()
    const asked: string[] = []
    const watched = linkWith(
      { flexible_captures: 'true' },
      { fetch: (url, init) => shop.standIn.fetch(url, init).finally(() => asked.push(init?.method ?? '')) },
    )
    const other = await authorized()

    expect(await stripeCard.capture(captureOrder(on, { amount: 1558 }), watched)).toMatchObject({
      outcome: 'approved',
    })
    expect(await stripeCard.capture(captureOrder(other, { amount: 1559 }), watched)).toMatchObject({
      code: 'invalid_amount',
    })
    expect(asked).toEqual(['GET', 'POST', 'GET'])
    await stripeCard.capture(captureOrder(other), watched)
    expect(asked).toEqual(['GET', 'POST', 'GET', 'POST'])
  })

  test.each([
    ['a capture of what expired', 'expire', 'unexpected_state'],
    ['a capture of what Stripe does not know', 'none', 'unknown_service_resource'],
  ])('is refused: %s', async (_name, how, code) => {
    const on = await authorized()
    if (how === 'expire') await shop.control(`payment_intents/${on.reference}/expire`)
    const reference = how === 'none' ? 'pi_none' : on.reference

    const answer = await stripeCard.capture(captureOrder({ ...on, reference }), link)

    expect(answer).toMatchObject({ outcome: 'failed', code })
  })

  test.each([
    ['capture', { id: 'pi_other' }],
    ['capture', { metadata: {} }],
    ['capture', { amount: 'a lot' }],
    ['increment', { id: 'pi_other' }],
    ['increment', { metadata: {} }],
    ['increment', { amount: 1 }],
    ['void', { id: 'pi_other' }],
    ['void', { status: 'requires_moon' }],
    ['void', { amount_capturable: 1 }],
    ['refund', { metadata: { attempt: 'other' } }],
    ['refund', { amount: 1 }],
    ['refund', { status: 'requires_moon' }],
    ['refund', { object: 'charge' }],
  ] as const)('is unknown if Stripe answers a %s with %j', async (operation, over) => {
    const on = operation === 'refund' ? await sold() : await authorized()
    const orders = {
      capture: captureOrder(on),
      increment: incrementOrder(on),
      void: voidOrder(on),
      refund: refundOrder(on),
    }
    const changing = linkWith(
      { flexible_captures: 'true' },
      {
        fetch: async (url, init) =>
          Response.json({ ...((await (await shop.standIn.fetch(url, init)).json()) as object), ...over }),
      },
    )
    const ask = stripeCard[operation] as (order: object, link: Link) => Promise<{ outcome: string }>

    expect((await ask(orders[operation], changing)).outcome).toBe('unknown')
  })

  test('of an amount that Stripe would round is refused, and nothing is sent', async () => {
    const order = authorizeOrder({ currency: 'KWD', amount: 5124 })
    const on = { order, reference: 'pi_1' }
    const silent = linkWith({}, { fetch: () => Promise.reject(new Error('not asked')) })
    const answers = [
      await stripeCard.capture(captureOrder(on), silent),
      await stripeCard.refund(refundOrder(on), silent),
      await stripeCard.increment(incrementOrder(on, { amount: 1 }), silent),
    ]

    for (const answer of answers) expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_amount' })
  })

  test('that releases what Stripe has released by itself is done', async () => {
    const on = await authorized()
    await shop.control(`payment_intents/${on.reference}/expire`)
    const approved = { outcome: 'approved', reference: on.reference, facts: { rawCode: 'canceled' } }

    expect(await stripeCard.void(voidOrder(on), link)).toEqual(approved)
    expect(await stripeCard.cancel(cancelOrder(on), link)).toEqual(approved)
  })

  test('that releases what was captured is refused, and so is one whose end Stripe does not show', async () => {
    const captured = await sold()
    const expired = await authorized()
    await shop.control(`payment_intents/${expired.reference}/expire`)
    const silent = linkWith(
      {},
      {
        fetch: (url, init) =>
          init?.method === 'GET'
            ? Promise.reject(new TypeError('fetch failed'))
            : shop.standIn.fetch(url, init),
      },
    )
    const refused = { outcome: 'failed', code: 'unexpected_state' }

    expect(await stripeCard.void(voidOrder(captured), link)).toMatchObject(refused)
    expect(await stripeCard.void(voidOrder(expired), silent)).toMatchObject(refused)
  })

  test('on a payment of zero is refused: nothing is reserved', async () => {
    const on = await authorized({ amount: 0 })

    const answers = await Promise.all([
      stripeCard.capture(captureOrder(on), link),
      stripeCard.void(voidOrder(on), link),
      stripeCard.refund(refundOrder(on), link),
    ])

    expect(on.reference).toMatch(/^seti_/)
    for (const answer of answers)
      expect(answer).toMatchObject({ outcome: 'failed', code: 'unsupported_transaction' })
  })

  test('by way of refund says why it cannot be', async () => {
    const on = await sold()
    await stripeCard.refund(refundOrder(on), link)

    const twice = await stripeCard.refund(refundOrder(on), link)
    const disputed = await sold(withCard('4000000000000259'))

    expect(twice).toMatchObject({ outcome: 'failed', code: 'refund_already_satisfied' })
    expect(await stripeCard.refund(refundOrder(disputed), link)).toMatchObject({
      code: 'disputed_transaction',
    })
  })
})

describe('a message', () => {
  test('tells of a refund that failed after it had succeeded', async () => {
    const on = await sold(withCard('4000000000005126'))
    const order = refundOrder(on)
    const answer = await stripeCard.refund(order, link)
    await shop.control('finish')

    const [updated, failed] = await told('refund.updated', 'refund.failed')

    expect(answer.outcome).toBe('approved')
    for (const notification of [updated, failed]) {
      expect(notification).toMatchObject({
        about: 'late_failure',
        of: 'refund',
        attemptId: order.attemptId,
        reference: 'reference' in answer && answer.reference,
        code: 'canceled_payment_method',
        failedAt: time,
      })
    }
  })

  test('tells of the end of a refund that was pending', async () => {
    const on = await sold(withCard('4000000000007726'))
    const answer = await stripeCard.refund(refundOrder(on), link)
    await shop.control('finish')

    expect(answer.outcome).toBe('pending')
    expect(await told('refund.updated')).toMatchObject([{ about: 'refund', answer: { outcome: 'approved' } }])
  })

  test('tells of a dispute, and of its end', async () => {
    const { reference } = await sold()
    await shop.control(`payment_intents/${reference}/dispute`, {
      amount: 1000,
      reason: 'product_not_received',
    })
    const opened = shop.standIn.events.findLast(({ type }) => type === 'charge.dispute.created')
    const { id } = (opened?.data.object ?? {}) as { id?: string }
    await shop.control(`disputes/${id}/close`, { outcome: 'won' })

    const all = await told(
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    )

    const shared = {
      dispute: id,
      reference,
      amount: 1000,
      currency: 'USD',
      reason: 'product_not_received',
      postedAt: time,
    }
    const begun = { stage: 'chargeback', code: '13.1', respondBy: expect.any(Date) }
    expect(all).toMatchObject([
      { about: 'dispute', ...begun, ...shared },
      { about: 'chargeback', id: expect.stringMatching(/^txn_/), ...begun, ...shared },
      { about: 'chargeback_reversal', id: expect.stringMatching(/^txn_/), stage: 'won', ...shared },
      { about: 'dispute', stage: 'won', ...shared },
    ])
    expect(new Set(all.map((one) => 'id' in one && one.id)).size).toBe(3)
  })

  test('tells of a warning, and of an inquiry from its first question to the end', async () => {
    const { reference } = await sold()
    await shop.control(`payment_intents/${reference}/warn`)
    expect(await told('radar.early_fraud_warning.created')).toMatchObject([
      {
        about: 'dispute',
        reference,
        stage: 'early_fraud_warning',
        amount: null,
        code: 'unauthorized_use_of_card',
      },
    ])

    await shop.control(`payment_intents/${reference}/dispute`, { reason: 'inquiry' })
    const opened = shop.standIn.events.findLast(({ type }) => type === 'charge.dispute.created')
    const { id } = (opened?.data.object ?? {}) as { id?: string }
    await shop.control(`disputes/${id}/answer`)
    await shop.control(`disputes/${id}/close`, { outcome: 'won' })

    const steps = await told('charge.dispute.created', 'charge.dispute.updated', 'charge.dispute.closed')
    expect(steps).toMatchObject([
      { about: 'dispute', dispute: id, stage: 'inquiry', providerStage: 'warning_needs_response' },
      { about: 'dispute', dispute: id, stage: 'inquiry', providerStage: 'warning_under_review' },
      { about: 'dispute', dispute: id, stage: 'won', providerStage: 'warning_closed' },
    ])
    expect(await told('charge.dispute.funds_withdrawn')).toEqual([])
  })

  test('of what does not concern us, tells nothing', async () => {
    await sold()

    expect(await told('payment_intent.created', 'charge.succeeded')).toEqual([])
  })

  test('tells of a payment that its buyer approved, and of one that was released', async () => {
    const redirectUrl = 'https://pay.example.com/return'
    const waiting = authorizeOrder({ ...withCard('4000002760003184'), redirectUrl })
    const answer = await stripeCard.authorize(waiting, link)
    if (answer.outcome !== 'approval_required') throw new Error('Stripe did not ask the buyer')
    await shop.control(`finish/${answer.reference}`)
    const on = await authorized()
    await stripeCard.void(voidOrder(on), link)

    expect(await told('payment_intent.amount_capturable_updated', 'payment_intent.canceled')).toMatchObject([
      { about: 'authorization', attemptId: waiting.attemptId, answer: { outcome: 'approved' } },
      { about: 'authorization', reference: on.reference },
      { about: 'void', reference: on.reference, answer: { outcome: 'approved' } },
    ])
  })

  test('is accepted as the official library signs it, also while the secret is replaced', async () => {
    await sold()
    const payload = JSON.stringify(shop.standIn.events.at(-1))
    const timestamp = Math.floor(time.getTime() / 1_000)
    const stripe = new Stripe(TEST_KEY)
    const header = stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp })
    const both = `${header},v1=${'0'.repeat(64)}`
    const read = (signature: string) =>
      stripeCard.readNotification(
        { headers: { 'stripe-signature': signature }, body: Buffer.from(payload) },
        link,
      )

    expect((await read(header)).outcome).toBe('read')
    expect((await read(both)).outcome).toBe('read')
    expect((await read(header.replace('v1=', 'v0='))).outcome).toBe('rejected')
  })

  test.each([
    [-301, 'rejected'],
    [-300, 'read'],
    [300, 'read'],
    [301, 'rejected'],
  ])('that was signed %d seconds from now is %s', async (seconds, outcome) => {
    await sold()
    const at = new Date(time.getTime() + seconds * 1_000)

    const reading = await stripeCard.readNotification(
      messageOf(shop.standIn.events.at(-1) ?? {}, { at }),
      link,
    )

    expect(reading.outcome).toBe(outcome)
  })

  test.each([
    {},
    { object: 'event' },
    { object: 'event', type: 'refund.failed', data: { object: { id: 7 } } },
  ])('that is signed, but not as documented, is rejected: %j', async (event) => {
    expect((await stripeCard.readNotification(messageOf(event), link)).outcome).toBe('rejected')
  })
})

describe('credentials', () => {
  test.each([
    [{ secret_key: 'sk_test_wrong' }, 'rejected', 'Stripe knows no such secret key'],
    [{ secret_key: 'sk_test_old' }, 'rejected', 'the secret key has expired'],
    [{ secret_key: 'sk_live_real' }, 'rejected', 'this is a live key: enter a key for tests in a sandbox'],
    [
      { secret_key: 'rk_test_no_refunds' },
      'rejected',
      'the secret key may not write Charges and Refunds: grant it in the dashboard',
    ],
    [{ secret_key: 'rk_test_enough' }, 'accepted', undefined],
  ])('%j are %s', async (fields, outcome, message) => {
    const answer = await stripeCard.verify(linkWith(fields))

    expect(answer).toEqual({ outcome, ...(message !== undefined && { message }) })
    expect(shop.standIn.events).toEqual([])
  })

  test('for tests are refused in production, and a stand-in is never asked there', async () => {
    const asked: string[] = []
    const fetch: Link['fetch'] = async (url) => {
      asked.push(url)
      return Response.json({})
    }
    const fields = { stand_in_url: 'http://127.0.0.1:9' }
    const live = linkWith({ ...fields, secret_key: 'sk_live_real' }, { fetch, environment: 'production' })

    expect(await stripeCard.verify(linkWith(fields, { environment: 'production' }))).toMatchObject({
      outcome: 'rejected',
    })
    await stripeCard.authorize(authorizeOrder(), live)
    await stripeCard.authorize(authorizeOrder(), linkWith(fields, { fetch }))

    expect(asked).toEqual([`${API}/v1/payment_methods`, 'http://127.0.0.1:9/v1/payment_methods'])
  })

  test('register a webhook, and replace it when they are asked again', async () => {
    const url = 'https://pay.example.com/notifications'
    const list = async () => {
      const headers = { authorization: `Bearer ${TEST_KEY}` }
      return (await (await shop.standIn.fetch(`${API}/v1/webhook_endpoints`, { headers })).json()) as {
        data: { url: string; enabled_events: string[] }[]
      }
    }

    const first = await stripeCard.registerNotifications(url, link)
    const second = await stripeCard.registerNotifications(url, link)

    expect([first.outcome, second.outcome]).toEqual(['registered', 'registered'])
    expect(second).not.toEqual(first)
    expect((await list()).data.map(({ url: to }) => to)).toEqual([url])
    expect((await list()).data[0]?.enabled_events).toEqual([...EVENTS])
    expect(
      await stripeCard.registerNotifications(url, linkWith({ secret_key: 'rk_test_enough' })),
    ).toMatchObject({
      outcome: 'rejected',
    })
  })
})

describe('a payout', () => {
  async function entries(connector: Connector) {
    const reports = connector.reports
    const reportLink = {
      ...link,
      stream: async (url: string, init?: RequestInit) => {
        const { status, headers, body } = await shop.standIn.fetch(url, init)
        return { status, headers, body: body as unknown as AsyncIterable<Uint8Array> }
      },
    }
    await shop.control('payouts')
    const listed = await reports?.list?.(new Date(0), reportLink)
    const file = listed?.outcome === 'listed' ? listed.files.at(-1) : undefined
    const all = []
    for await (const entry of reports?.parse(reports.read(file?.id ?? '', reportLink)) ?? []) all.push(entry)
    return all
  }

  test('has a line for each movement, with our ids, in our units', async () => {
    const sale = await sold()
    const order = refundOrder(sale, { amount: 299 })
    await stripeCard.refund(order, link)
    const yen = await sold({ amount: 1000, currency: 'JPY' })
    const disputed = await sold({ ...withCard('4000000000000259'), amount: 700 })
    await sold({ amount: 9000 })

    const all = await entries(stripeCard)

    const lines = all.filter((entry) => entry.type === 'line')
    expect(lines.map(({ kind, amount, commission }) => [kind, amount, commission])).toEqual([
      ['settlement', 9000, 291],
      ['chargeback', -700, 1500],
      ['settlement', 700, 50],
      ['settlement', 650, 49],
      ['refund_settlement', -299, 0],
      ['settlement', 1299, 68],
    ])
    expect(lines[5]).toMatchObject({ reference: sale.reference, ourReference: sale.order.attemptId })
    expect(lines[4]).toMatchObject({ ourReference: order.attemptId, original: null })
    expect(lines[3]).toMatchObject({
      reference: yen.reference,
      currency: 'USD',
      original: { amount: 1000, currency: 'JPY' },
    })
    // 1000 yen were 6.50 dollars.
    expect(lines[3]?.exchangeRate).toBeCloseTo(0.0065, 10)
    expect(lines[1]).toMatchObject({ reference: disputed.reference, code: '10.4', reason: 'fraudulent' })
  })

  test('is listed by the day on which it arrives: one that was made earlier may arrive later', async () => {
    const at = (day: number) => Date.UTC(2026, 10, day) / 1_000
    const payout = (id: string, created: number, arrival: number, over: object = {}) => ({
      id,
      object: 'payout',
      created: at(created),
      arrival_date: at(arrival),
      automatic: true,
      status: 'paid',
      reconciliation_status: 'completed',
      ...over,
    })
    const made = [
      payout('po_under_way', 8, 12, { status: 'in_transit' }),
      payout('po_near', 6, 7),
      payout('po_far', 1, 9),
      payout('po_before', 1, 3),
    ]
    const asked: URL[] = []
    const fetch = async (url: string) => {
      asked.push(new URL(url))
      return Response.json({ object: 'list', data: made, has_more: false })
    }

    const listed = await stripeCard.reports.list?.(new Date(at(5) * 1_000), {
      ...link,
      fetch,
      stream: () => Promise.reject(new Error('nothing is read here')),
    })

    expect(listed).toMatchObject({
      outcome: 'listed',
      files: [
        { id: 'po_near', publishedAt: new Date(at(7) * 1_000) },
        { id: 'po_far', publishedAt: new Date(at(9) * 1_000) },
      ],
    })
    expect(Number(asked[0]?.searchParams.get('created[gte]'))).toBeLessThan(at(1))
  })

  test('gives each service the lines of its own method, and counts all of them', async () => {
    await sold()

    const all = await entries(named('stripe-ideal'))

    expect(all.map(({ type }) => type)).toEqual(['header', 'trailer'])
    expect(all.at(-1)).toMatchObject({ count: 0, net: 0 })
  })
})
