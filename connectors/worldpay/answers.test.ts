import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { authorize } from './authorize.ts'
import { capture, refund, release } from './follow-ups.ts'
import { readNotification } from './notification.ts'
import { sync } from './sync.ts'
import { FIELDS, named, openShop } from './testing/shop.ts'
import { verify } from './verify.ts'

/** A link whose provider answers every request the same way. */
function answering(status: number, body: unknown) {
  const response = () =>
    typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
  return samples.testLink({ fields: FIELDS, fetch: async () => response() })
}

const LINKS = {
  'cardPayments:settle': { href: 'https://try.access.worldpay.com/payments/settlements/full/eyJrIjoi' },
  'cardPayments:events': { href: 'https://try.access.worldpay.com/payments/events/eyJrIjoi' },
}
const APPROVED = {
  outcome: 'authorized',
  paymentId: 'payT7hS-8vS4h_95A2f7905v0',
  issuer: { authorizationCode: 'T31306' },
  scheme: { reference: 'MCCOLXT1C0104  ' },
  paymentInstrument: { paymentAccountReference: 'Q1HJZ28RKA1EBL470G9XYG90R5D3E' },
  _links: LINKS,
}
const order = (over: Partial<AuthorizeOrder> = {}) => samples.authorizeOrder(over)
const ADDRESS = {
  line1: 'Main Street',
  line2: null,
  house_number_or_name: '12',
  city: 'Springfield',
  country: 'US',
  postal_code: '62704',
  state: null,
  state_code: null,
  organization: null,
}

test('an approval has both names of the payment, and what the scheme and the issuer said', async () => {
  const answer = await authorize(order(), answering(201, APPROVED))

  expect(answer).toMatchObject({
    outcome: 'approved',
    reference: 'payT7hS-8vS4h_95A2f7905v0.eyJrIjoi',
    facts: {
      authResponseCode: 'T31306',
      schemeTransactionId: 'MCCOLXT1C0104',
      paymentAccountReference: 'Q1HJZ28RKA1EBL470G9XYG90R5D3E',
      cvvResponseCode: 'match',
      avsResponseCode: null,
    },
  })
})

test.each(['000000000000020005060720116005060', '483297487231504'])(
  'the id that Visa gives is kept, though it is a long number: %s',
  async (reference) => {
    const body = { ...APPROVED, scheme: { reference } }
    const answer = await authorize(order(), answering(201, body))

    expect(answer).toMatchObject({ facts: { schemeTransactionId: reference } })
  },
)

test.each<[string, object[], Partial<AuthorizeOrder>, object]>([
  [
    'nothing',
    [],
    { billing: named('Jane', { address: ADDRESS }) },
    { cvvResponseCode: 'match', avsResponseCode: 'match' },
  ],
  ['another code', [{ type: 'cvc', risk: 'notMatched' }], {}, { cvvResponseCode: 'no_match' }],
  ['no code', [{ type: 'cvc', risk: 'notSupplied' }], {}, { cvvResponseCode: 'not_provided' }],
  [
    'a code that nobody compared',
    [{ type: 'cvc', risk: 'notChecked' }],
    {},
    { cvvResponseCode: 'unavailable' },
  ],
  [
    'another postcode',
    [{ type: 'avs', risk: 'notMatched', detail: 'postcode' }],
    {},
    { avsResponseCode: 'partial_match_address' },
  ],
  [
    'another address',
    [{ type: 'avs', risk: 'notMatched', detail: 'address' }],
    {},
    { avsResponseCode: 'partial_match_postcode' },
  ],
  [
    'both',
    [
      { type: 'avs', risk: 'notMatched', detail: 'address' },
      { type: 'avs', risk: 'notMatched', detail: 'postcode' },
    ],
    {},
    { avsResponseCode: 'no_match' },
  ],
  [
    'an address that nobody compared',
    [{ type: 'avs', risk: 'notChecked', detail: 'address' }],
    {},
    { avsResponseCode: 'unavailable' },
  ],
])('Worldpay names %s', async (_what, riskFactors, over, facts) => {
  const answer = await authorize(order(over), answering(201, { ...APPROVED, riskFactors }))

  expect(answer).toMatchObject({ facts })
})

test.each<[string, object, string]>([
  ['51', { refusalCode: '51' }, 'insufficient_funds'],
  ['with zeros', { refusalCode: '05' }, 'issuer_decline'],
  [
    'of the scheme, and Worldpay’s own',
    { refusalCode: '1A', gatewayRefusalCode: '65' },
    'requires_buyer_authentication',
  ],
  ['that is new', { refusalCode: '4711' }, 'other_decline'],
  ['none', {}, 'other_decline'],
])('a refusal with the code %s', async (_what, body, code) => {
  const answer = await authorize(
    order(),
    answering(201, { outcome: 'refused', paymentId: APPROVED.paymentId, advice: { code: '03' }, ...body }),
  )

  expect(answer).toMatchObject({ code, reference: APPROVED.paymentId, facts: { merchantAdviceCode: '03' } })
})

test.each<[string, number, unknown, string]>([
  ['wrong credentials', 401, { errorName: 'accessDenied' }, 'invalid_service_credentials'],
  [
    'an entity that is not set up',
    400,
    { errorName: 'entityIsNotConfigured' },
    'invalid_service_configuration',
  ],
  ['a currency that is not set up', 400, { errorName: 'currencyIsNotSupported' }, 'unsupported_currency'],
  ['a card that is not', 400, { errorName: 'cardNumberIsNotRecognized' }, 'invalid_payment_method'],
  ['an error that is new', 400, { errorName: 'somethingNew' }, 'invalid_service_request'],
  ['too many requests', 429, { errorName: 'tooManyRequests' }, 'service_rate_limit'],
])('%s: nothing was done', async (_what, status, body, code) => {
  expect(await authorize(order(), answering(status, body))).toMatchObject({ outcome: 'failed', code })
})

test('what the firewall refuses is said, and never taken for an approval or a lost answer', async () => {
  const shop = openShop()

  const answer = await authorize(order({ billing: named('<script>alert(1)</script>') }), shop.link)

  expect(answer).toMatchObject({
    outcome: 'failed',
    code: 'insufficient_service_permissions',
    facts: { rawCode: '403', rawDescription: expect.stringContaining('firewall') },
  })
  expect(shop.standIn.payments.movements).toEqual([])
})

test.each<[string, number, unknown]>([
  ['a page', 404, '<html>'],
  ['no such address', 404, { errorName: 'endpointNotFound' }],
  ['an error of a gateway', 502, { errorName: 'badGateway' }],
  ['an approval without links', 201, { ...APPROVED, _links: {} }],
  ['an approval without its id', 201, { ...APPROVED, paymentId: undefined }],
  ['a sale that was to be held', 201, { ...APPROVED, outcome: 'sentForSettlement' }],
  ['an outcome that is new', 201, { ...APPROVED, outcome: 'perhaps' }],
  ['no object', 201, []],
])('%s: the outcome is unknown', async (_what, status, body) => {
  expect(await authorize(order(), answering(status, body))).toEqual({
    outcome: 'unknown',
    reason: expect.any(String),
  })
})

async function sell(shop: ReturnType<typeof openShop>, over: Partial<AuthorizeOrder> = {}) {
  const asked = order(over)
  const paid = await authorize(asked, shop.link)
  return { order: asked, reference: 'reference' in paid ? (paid.reference ?? '') : '' }
}

describe('a question', () => {
  test('about a refusal finds its reason', async () => {
    const shop = openShop()
    const asked = order({ billing: named('REFUSED51') })
    await authorize(asked, shop.link)

    const answer = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)

    expect(answer).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
  })

  test('about a payment that Worldpay does not show sends it again within a day, and not later', async () => {
    const shop = openShop()
    const [now, old] = [order(), order()]
    const sentAt = new Date(Date.now() - 25 * 3_600_000)

    expect(await sync(samples.inquiryAbout('authorize', now, { order: now }), shop.link)).toMatchObject({
      outcome: 'approved',
    })
    expect(
      await sync(samples.inquiryAbout('authorize', old, { order: old, sentAt }), shop.link),
    ).toMatchObject({
      outcome: 'unknown',
    })
    expect(shop.standIn.payments.movements).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['another amount', { value: { amount: 1, currency: 'USD' } }],
    ['no outcome yet', { events: [{ eventName: 'authorizationRequested' }] }],
    ['that it did not get an answer in time', { events: [{ eventName: 'authorizationTimedOut' }] }],
    ['a sale', { events: [{ eventName: 'saleSucceeded' }] }],
    ['no links', { _links: {} }],
  ])('is open if Worldpay shows %s', async (_what, over) => {
    const asked = order()
    const payment = {
      paymentId: APPROVED.paymentId,
      transactionReference: asked.attemptId,
      value: { amount: asked.amount, currency: asked.currency },
      events: [{ eventName: 'authorizationSucceeded' }],
      _links: LINKS,
      ...over,
    }
    const fetch = async (url: string) =>
      Response.json(url.includes('?') ? { _embedded: { payments: [payment] } } : payment)
    const link = samples.testLink({ fields: FIELDS, fetch })

    expect(await sync(samples.inquiryAbout('authorize', asked, { order: asked }), link)).toMatchObject({
      outcome: 'unknown',
    })
  })

  test('is not answered by a repetition that Worldpay has refused', async () => {
    const asked = order()
    const shown = (id: string, event: object) => ({
      paymentId: id,
      transactionReference: asked.attemptId,
      value: { amount: asked.amount, currency: asked.currency },
      events: [event],
      _links: LINKS,
    })
    const error = { name: 'transactionReferenceIsADuplicate' }
    const payments = [
      shown('payAAAAAAAAAAAAAAAAAAAAA0', { eventName: 'authorizationFailed', error }),
      shown('payBBBBBBBBBBBBBBBBBBBBB0', { eventName: 'authorizationSucceeded' }),
    ]
    const fetch = async (url: string) =>
      Response.json(
        url.includes('?')
          ? { _embedded: { payments } }
          : payments.find(({ paymentId }) => url.endsWith(paymentId)),
      )

    const answer = await sync(
      samples.inquiryAbout('authorize', asked, { order: asked }),
      samples.testLink({ fields: FIELDS, fetch }),
    )

    expect(answer).toMatchObject({ outcome: 'approved', reference: 'payBBBBBBBBBBBBBBBBBBBBB0.eyJrIjoi' })
  })

  test.each([
    ['capture', capture],
    ['refund', refund],
    ['void', release],
  ] as const)('about a %s that failed says so', async (operation, act) => {
    const shop = openShop()
    const on = await sell(shop, { intent: operation === 'refund' ? 'capture' : 'authorize' })
    const asked = samples.refundOrder(on, { amount: on.order.amount })
    await act(asked as never, shop.link)
    await shop.control('fail')
    await shop.control('finish')

    const answer = await sync(
      samples.inquiryAbout(operation, asked as never, { reference: on.reference }),
      shop.link,
    )

    expect(answer).toMatchObject({ outcome: 'failed', code: 'service_error' })
  })

  test('about a capture or a refund that Worldpay does not show sends nothing again', async () => {
    const shop = openShop()
    const on = await sell(shop, { intent: 'capture' })
    const before = shop.standIn.payments.movements.length
    const asked = samples.refundOrder(on)

    const answer = await sync(
      samples.inquiryAbout('refund', asked, { reference: on.reference, order: asked }),
      shop.link,
    )

    expect(answer).toMatchObject({ outcome: 'unknown' })
    expect(shop.standIn.payments.movements).toHaveLength(before)
  })
})

test('more than there is left is refused', async () => {
  const shop = openShop()
  const on = await sell(shop)

  expect(await capture(samples.captureOrder(on, { amount: 1300 }), shop.link)).toMatchObject({
    outcome: 'failed',
    facts: { rawCode: 'requestedActionIsNotAllowed' },
  })
})

describe('a message', () => {
  async function refunded() {
    const shop = openShop()
    const on = await sell(shop, { intent: 'capture' })
    const asked = samples.refundOrder(on, { amount: 100 })
    await refund(asked, shop.link)
    await shop.control('finish')
    return { shop, asked }
  }

  test('tells that a refund was sent, and later that it came back', async () => {
    const { shop, asked } = await refunded()
    const sent = await readNotification(shop.message('sentForRefund'), shop.link)
    await shop.control(`return-refund/${asked.attemptId}`)
    const failed = await readNotification(shop.message('refundFailed'), shop.link)

    expect(sent).toMatchObject({
      acknowledgement: 'OK',
      notifications: [{ about: 'refund', attemptId: asked.attemptId, answer: { outcome: 'approved' } }],
    })
    expect(failed).toMatchObject({
      notifications: [
        { about: 'late_failure', of: 'refund', attemptId: asked.attemptId, code: 'issuer_decline' },
      ],
    })
  })

  test.each<[string, { readonly type: string; readonly reference?: string }]>([
    ['the refund of another system', { type: 'sentForRefund', reference: 'their-refund-1' }],
    ['a payment in one step that was captured', { type: 'sentForSettlement' }],
    ['an authorization', { type: 'authorized', reference: crypto.randomUUID() }],
    ['something that is new', { type: 'somethingNew', reference: crypto.randomUUID() }],
  ])('about %s is taken, and changes nothing', async (_what, eventDetails) => {
    const shop = openShop()
    const body = JSON.stringify({ eventDetails })
    const signature = createHmac('sha256', FIELDS.webhook_secret).update(body).digest('hex')
    const headers = { 'event-signature': `1/SHA256/${signature}` }

    expect(await readNotification({ headers, body: Buffer.from(body) }, shop.link)).toEqual({
      outcome: 'read',
      notifications: [],
      acknowledgement: 'OK',
      ...(eventDetails.type === 'somethingNew' && { unread: ['somethingNew'] }),
    })
  })

  test.each([
    ['no secret', (header: string) => header, ''],
    ['another secret', (header: string) => header, 'other'],
    ['another function', (header: string) => header.replaceAll('SHA256', 'MD5'), FIELDS.webhook_secret],
    ['half a signature', (header: string) => header.slice(0, -2), FIELDS.webhook_secret],
  ])('with %s is not taken', async (_what, change, webhook_secret) => {
    const { shop } = await refunded()
    const message = shop.message('sentForRefund')
    const headers = {
      ...message.headers,
      'event-signature': change(message.headers['event-signature'] ?? ''),
    }
    const link = { ...shop.link, fields: { ...FIELDS, webhook_secret } }

    expect(await readNotification({ ...message, headers }, link)).toMatchObject({ outcome: 'rejected' })
  })
})

test.each<[string, number, unknown, object]>([
  ['wrong credentials', 401, { errorName: 'accessDenied' }, { outcome: 'rejected' }],
  [
    'an account without queries',
    403,
    { errorName: 'forbidden' },
    { outcome: 'rejected', message: expect.stringContaining('payment queries') },
  ],
  ['an error', 500, { errorName: 'internalErrorOccurred' }, { outcome: 'unreachable' }],
  ['something else than a list', 200, {}, { outcome: 'unreachable' }],
])('%s is told when the account is verified', async (_what, status, body, expected) => {
  expect(await verify(answering(status, body))).toMatchObject(expected)
})

test('no secret gets into the reasons', async () => {
  const talkative = samples.testLink({
    fields: FIELDS,
    fetch: async (_url, init) => {
      throw new TypeError(`failed ${String(init?.body)}`)
    },
  })
  const instrument = samples.card({ number: secret('4444333322221111') })

  expect(JSON.stringify(await authorize(order({ instrument }), talkative))).not.toContain('4444333322221111')
})
