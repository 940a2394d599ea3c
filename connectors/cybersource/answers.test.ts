import { describe, expect, test } from 'vitest'
import type { Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { authorize } from './authorize.ts'
import { cybersourceConnectors } from './connectors.ts'
import { capture, refund, release } from './follow-ups.ts'
import { codeOf } from './reference.ts'
import { sync } from './sync.ts'
import { FIELDS, named, openShop } from './testing/shop.ts'

/** A link whose provider answers every request the same way. */
function answering(status: number, body: unknown) {
  const response = () =>
    typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status })
  return samples.testLink({ fields: FIELDS, fetch: async () => response() })
}

const ID = '7637238732236542003955'
const APPROVED = {
  id: ID,
  status: 'AUTHORIZED',
  processorInformation: {
    approvalCode: '888888',
    responseCode: '100',
    networkTransactionId: '016153570198200',
    avs: { code: 'Y' },
    cardVerification: { resultCode: 'M' },
    merchantAdvice: { code: '01' },
    paymentAccountReferenceNumber: 'V0010013022298169667504231315',
  },
  orderInformation: { amountDetails: { authorizedAmount: '12.99', currency: 'USD' } },
}
const order = (over: Partial<AuthorizeOrder> = {}) => samples.authorizeOrder(over)

test('an approval has what the issuer and the scheme said', async () => {
  expect(await authorize(order(), answering(201, APPROVED))).toEqual({
    outcome: 'approved',
    reference: ID,
    facts: {
      rawCode: 'AUTHORIZED',
      rawDescription: null,
      authResponseCode: '888888',
      isoResponseCode: '100',
      avsResponseCode: 'match',
      cvvResponseCode: 'match',
      merchantAdviceCode: '01',
      schemeTransactionId: '016153570198200',
      paymentAccountReference: 'V0010013022298169667504231315',
    },
  })
})

test.each([
  ['INSUFFICIENT_FUND', 'insufficient_funds'],
  ['EXPIRED_CARD', 'expired_payment_method'],
  ['INVALID_CVN', 'incorrect_cvv'],
  ['CONSUMER_AUTHENTICATION_REQUIRED', 'requires_buyer_authentication'],
  ['SOMETHING_NEW', 'other_decline'],
])('a decline for %s', async (reason, code) => {
  const body = { id: ID, status: 'DECLINED', errorInformation: { reason } }

  expect(await authorize(order(), answering(201, body))).toMatchObject({ code, reference: ID })
})

test.each<[string, number, object, string]>([
  ['wrong credentials', 401, { response: { rmsg: 'Authentication Failed' } }, 'invalid_service_credentials'],
  ['a key that may not do this', 403, {}, 'insufficient_service_permissions'],
  ['too many requests', 429, {}, 'service_rate_limit'],
  ['a card that is none', 400, { reason: 'INVALID_CARD' }, 'invalid_payment_method'],
  [
    'an account that is not set up',
    400,
    { reason: 'INVALID_MERCHANT_CONFIGURATION' },
    'invalid_service_configuration',
  ],
  ['a processor that is down', 400, { reason: 'PROCESSOR_UNAVAILABLE' }, 'service_network_error'],
  ['a reason that is new', 400, { reason: 'SOMETHING_NEW' }, 'invalid_service_request'],
  [
    'a missing address',
    400,
    { reason: 'MISSING_FIELD', details: [{ field: 'orderInformation.billTo.locality' }] },
    'missing_billing_address',
  ],
  [
    'a missing code',
    400,
    { reason: 'MISSING_FIELD', details: [{ field: 'paymentInformation.card.securityCode' }] },
    'missing_cvv',
  ],
])('%s: nothing was done', async (_what, status, body, code) => {
  const told = { status: 'INVALID_REQUEST', ...body }

  expect(await authorize(order(), answering(status, told))).toMatchObject({ outcome: 'failed', code })
})

test('the places of what is wrong are told, and no values', async () => {
  const details = [
    { field: 'orderInformation.billTo.email', reason: 'INVALID_DATA' },
    { field: '4111 1111 1111 1111' },
  ]
  const body = { status: 'INVALID_REQUEST', reason: 'INVALID_DATA', details }

  expect(await authorize(order(), answering(400, body))).toMatchObject({
    code: 'invalid_service_request',
    facts: {
      rawCode: 'INVALID_DATA',
      rawDescription: 'wrong or missing: orderInformation.billTo.email',
    },
  })
})

test.each<[string, number, unknown]>([
  ['an error of CyberSource', 502, { status: 'SERVER_ERROR', reason: 'PROCESSOR_TIMEOUT' }],
  ['a refusal without a reason', 400, { status: 'INVALID_REQUEST' }],
  ['a page', 404, '<html>'],
  ['a status that is new', 201, { ...APPROVED, status: 'PERHAPS' }],
  ['an approval without an id', 201, { ...APPROVED, id: undefined }],
  [
    'an approval of another amount',
    201,
    { ...APPROVED, orderInformation: { amountDetails: { authorizedAmount: '13.00' } } },
  ],
  [
    'an approval of no amount',
    201,
    { ...APPROVED, orderInformation: { amountDetails: { authorizedAmount: 'x' } } },
  ],
])('%s: the outcome is unknown', async (_what, status, body) => {
  expect(await authorize(order(), answering(status, body))).toEqual({
    outcome: 'unknown',
    reason: expect.any(String),
  })
})

test.each<[string, number, object]>([
  ['a status that is new', 201, { id: ID, status: 'PERHAPS' }],
  ['no id', 201, { status: 'PENDING' }],
  ['a status of another operation', 201, { id: ID, status: 'AUTHORIZED' }],
])('the outcome of a capture, a refund and a release is unknown after %s', async (_what, status, body) => {
  const on = { order: order(), reference: ID, captureReference: ID }
  const link = answering(status, body)

  expect(await capture(samples.captureOrder(on), link)).toMatchObject({ outcome: 'unknown' })
  expect(await refund(samples.refundOrder(on), link)).toMatchObject({ outcome: 'unknown' })
  expect(await release(samples.voidOrder(on), link)).toMatchObject({ outcome: 'unknown' })
})

test('a refund that the issuer declines is declined', async () => {
  const on = { order: order(), reference: ID, captureReference: ID }
  const body = { id: ID, status: 'DECLINED', errorInformation: { reason: 'INVALID_ACCOUNT' } }

  expect(await refund(samples.refundOrder(on), answering(201, body))).toMatchObject({
    outcome: 'failed',
    code: 'invalid_payment_method',
  })
})

async function pay(shop: ReturnType<typeof openShop>, over: Partial<AuthorizeOrder> = {}) {
  const asked = order(over)
  const answer = await authorize(asked, shop.link)
  return { order: asked, answer, reference: 'reference' in answer ? (answer.reference ?? '') : '' }
}

describe('a payment that CyberSource stops after the issuer has approved it', () => {
  test.each([
    ['AVS_FAILED', 'incorrect_billing_address'],
    ['CV_FAILED', 'incorrect_cvv'],
    ['DECISION_PROFILE_REJECT', 'suspected_fraud'],
  ])('by %s is declined, and its money is given back', async (reason, code) => {
    const shop = openShop()

    const { order: asked, answer } = await pay(shop, { billing: named(reason), intent: 'capture' })

    expect(answer).toMatchObject({ outcome: 'declined', code })
    expect(shop.movementsOf(asked.attemptId)).toMatchObject([{ act: 'reversal', amount: 12_990 }])
  })

  test('is declined also if giving back fails, and by the search', async () => {
    const shop = openShop()
    const asked = order({ billing: named('AVS_FAILED') })
    const fetch: Link['fetch'] = (url, init) =>
      url.endsWith('/reversals') ? Promise.reject(new TypeError('fetch failed')) : shop.link.fetch(url, init)

    const answer = await authorize(asked, { ...shop.link, fetch })
    const found = await sync(samples.inquiryAbout('authorize', asked), shop.link)

    expect(answer).toMatchObject({ outcome: 'declined', code: 'incorrect_billing_address' })
    expect(found).toMatchObject({ outcome: 'declined', code: 'incorrect_billing_address' })
    // The search has given it back.
    expect(shop.movementsOf(asked.attemptId)).toMatchObject([{ act: 'reversal' }])
  })

  test('by a part that was not allowed is declined, and given back', async () => {
    const part = {
      ...APPROVED,
      status: 'PARTIAL_AUTHORIZED',
      orderInformation: { amountDetails: { authorizedAmount: '5.00' } },
    }
    const asked: string[] = []
    const fetch = async (url: string, init?: RequestInit) => {
      asked.push(
        `${new URL(url).pathname} ${JSON.parse(String(init?.body)).reversalInformation?.amountDetails.totalAmount}`,
      )
      return Response.json(part, { status: 201 })
    }

    const answer = await authorize(order(), samples.testLink({ fields: FIELDS, fetch }))

    expect(answer).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
    expect(asked[1]).toBe(`/pts/v2/payments/${ID}/reversals 5.00`)
  })
})

describe('a payment in review', () => {
  const review = { billing: named('DECISION_PROFILE_REVIEW') }

  test('that was only authorized is approved, and says so', async () => {
    const shop = openShop()
    const { order: asked, answer } = await pay(shop, review)

    expect(answer).toMatchObject({ outcome: 'approved', facts: { rawCode: 'DECISION_PROFILE_REVIEW' } })
    expect(await sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)).toMatchObject({
      outcome: 'approved',
    })
  })

  test.each([
    ['accept', { outcome: 'approved' }],
    ['reject', { outcome: 'declined', code: 'suspected_fraud' }],
  ])('that was to be captured is open until a person decides: %s', async (decision, expected) => {
    const shop = openShop()
    const { order: asked, answer, reference } = await pay(shop, { ...review, intent: 'capture' })
    const ask = (over: object) => sync(samples.inquiryAbout('authorize', asked, over), shop.link)
    const before = [await ask({ order: asked }), await ask({})]
    await shop.control(`${decision}/${reference}`)

    expect([answer, ...before].map(({ outcome }) => outcome)).toEqual(['pending', 'pending', 'pending'])
    expect(await ask({ order: asked })).toMatchObject(expected)
    expect(await ask({})).toMatchObject(expected)
  })

  test('before the issuer was asked is open', async () => {
    const body = { id: ID, status: 'PENDING_REVIEW', errorInformation: { reason: 'DECISION_PROFILE_REVIEW' } }

    expect(await authorize(order(), answering(201, body))).toMatchObject({
      outcome: 'pending',
      reference: ID,
    })
  })
})

describe('a question', () => {
  test('about a payment that CyberSource does not show sends it again within minutes, and not later', async () => {
    const shop = openShop()
    const [now, old] = [order(), order()]
    const sentAt = new Date(Date.now() - 16 * 60_000)

    expect(await sync(samples.inquiryAbout('authorize', now, { order: now }), shop.link)).toMatchObject({
      outcome: 'approved',
    })
    expect(
      await sync(samples.inquiryAbout('authorize', old, { order: old, sentAt }), shop.link),
    ).toMatchObject({ outcome: 'unknown' })
    expect(shop.movementsOf(now.attemptId)).toHaveLength(1)
    expect(shop.movementsOf(old.attemptId)).toEqual([])
  })

  test('before the search shows the payment charges nobody twice, and finds it later', async () => {
    const shop = openShop()
    await shop.control('hide')
    const { order: asked } = await pay(shop)
    const ask = () => sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)

    const early = await ask()
    await shop.control('show')
    const later = await ask()

    expect([early.outcome, later.outcome]).toEqual(['unknown', 'approved'])
    expect(shop.movementsOf(asked.attemptId)).toHaveLength(1)
  })

  test('is not answered by the refusal of a repetition that alone is shown', async () => {
    const shop = openShop()
    await shop.control('hide')
    const { order: asked } = await pay(shop)
    const { payments } = shop.standIn
    payments.isHiding = false
    await authorize(asked, shop.link)

    const answer = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)

    expect(answer).toMatchObject({ outcome: 'unknown' })
    expect(shop.movementsOf(asked.attemptId)).toHaveLength(1)
  })

  test('about a request that was refused says so after a day', async () => {
    const shop = openShop()
    const asked = order({ instrument: samples.card({ number: secret('4111111111111112') }) })
    await authorize(asked, shop.link)
    const ask = (sentAt: Date) =>
      sync(samples.inquiryAbout('authorize', asked, { order: asked, sentAt }), shop.link)

    expect(await ask(new Date())).toMatchObject({ outcome: 'unknown' })
    expect(await ask(new Date(Date.now() - 25 * 3_600_000))).toMatchObject({ outcome: 'failed' })
  })

  test('about a payment whose processor did not answer stays open, and sends nothing again', async () => {
    const shop = openShop()
    await shop.control('time-out')
    const { order: asked, answer } = await pay(shop)

    const found = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)

    expect([answer.outcome, found.outcome]).toEqual(['unknown', 'unknown'])
    expect(shop.movementsOf(asked.attemptId)).toEqual([])
  })

  test('about a decline finds its reason', async () => {
    const shop = openShop()
    const { order: asked } = await pay(shop, { billing: named('EXPIRED_CARD') })

    expect(await sync(samples.inquiryAbout('authorize', asked), shop.link)).toMatchObject({
      outcome: 'declined',
      code: 'expired_payment_method',
    })
  })

  test('about a part finds how much', async () => {
    const shop = openShop()
    const { order: asked } = await pay(shop, { billing: named('PARTIAL'), isPartialAllowed: true })

    expect(await sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)).toMatchObject({
      outcome: 'approved',
      amount: 600,
    })
  })

  test.each<[string, object, Partial<AuthorizeOrder>]>([
    ['another amount', { orderInformation: { amountDetails: { totalAmount: '1.00', currency: 'USD' } } }, {}],
    [
      'another currency',
      { orderInformation: { amountDetails: { totalAmount: '12.99', currency: 'EUR' } } },
      {},
    ],
    [
      'more than was asked for',
      {
        orderInformation: {
          amountDetails: { totalAmount: '12.99', authorizedAmount: '13.00', currency: 'USD' },
        },
      },
      {},
    ],
    ['no capture of a sale', {}, { intent: 'capture' }],
    ['another request', { id: '1' }, {}],
    ['no outcome', { applicationInformation: { applications: [{ name: 'ics_auth', rCode: null }] } }, {}],
  ])('is open if CyberSource shows %s', async (_what, over, of) => {
    const asked = order(of)
    const code = codeOf(asked.attemptId)
    const shown = {
      id: ID,
      clientReferenceInformation: { code },
      applicationInformation: { reasonCode: '100', applications: [{ name: 'ics_auth', rCode: '1' }] },
      orderInformation: { amountDetails: { totalAmount: '12.99', currency: 'USD' } },
      ...over,
    }
    const list = {
      totalCount: 1,
      _embedded: { transactionSummaries: [{ id: ID, clientReferenceInformation: { code } }] },
    }
    const fetch = async (url: string) => Response.json(url.endsWith('/searches') ? list : shown)
    const link = samples.testLink({ fields: FIELDS, fetch })

    expect(await sync(samples.inquiryAbout('authorize', asked, { order: asked }), link)).toEqual({
      outcome: 'unknown',
      reason: expect.any(String),
    })
  })

  test('is not answered by what CyberSource shows of another attempt', async () => {
    const shop = openShop()
    const { reference } = await pay(shop)
    const stranger = { id: reference, clientReferenceInformation: { code: 'another' } }
    const list = { totalCount: 1, _embedded: { transactionSummaries: [stranger] } }
    const fetch: Link['fetch'] = async (url, init) =>
      url.endsWith('/searches') ? Response.json(list, { status: 201 }) : shop.link.fetch(url, init)

    expect(await sync(samples.inquiryAbout('authorize', order()), { ...shop.link, fetch })).toMatchObject({
      outcome: 'unknown',
    })
  })

  test.each(['capture', 'refund', 'void'] as const)(
    'about a %s that CyberSource does not show sends nothing',
    async (operation) => {
      const shop = openShop()
      const on = await pay(shop)
      const asked = samples.refundOrder(on)
      const before = shop.standIn.payments.movements.length

      const answer = await sync(
        samples.inquiryAbout(operation, asked as never, { order: asked as never }),
        shop.link,
      )

      expect(answer).toMatchObject({ outcome: 'unknown' })
      expect(shop.standIn.payments.movements).toHaveLength(before)
    },
  )
})

test.each<[string, object, string]>([
  ['more than is held', { amount: 1300 }, 'EXCEEDS_AUTH_AMOUNT'],
  ['another currency', { currency: 'EUR' }, 'EXCEEDS_AUTH_AMOUNT'],
])('a capture of %s is refused', async (_what, over, rawCode) => {
  const shop = openShop()
  const on = await pay(shop)

  expect(await capture(samples.captureOrder(on, over), shop.link)).toMatchObject({
    outcome: 'failed',
    code: 'invalid_amount',
    facts: { rawCode },
  })
})

test('a payment that was released is neither captured nor released again', async () => {
  const shop = openShop()
  const on = await pay(shop)
  await release(samples.voidOrder(on), shop.link)

  expect(await capture(samples.captureOrder(on), shop.link)).toMatchObject({
    outcome: 'failed',
    code: 'service_resource_conflict',
  })
  // Another request may have done it, or this one.
  expect(await release(samples.voidOrder(on), shop.link)).toMatchObject({ outcome: 'unknown' })
  expect(shop.standIn.payments.movements.map(({ act }) => act)).toEqual(['authorize', 'reversal'])
})

const [connector] = cybersourceConnectors

test.each<[string, number, unknown, object]>([
  ['wrong credentials', 401, {}, { outcome: 'rejected', message: expect.stringContaining('shared secret') }],
  ['a key without the search', 403, {}, { outcome: 'rejected', message: expect.stringContaining('search') }],
  ['an error', 500, {}, { outcome: 'unreachable' }],
  ['too many requests', 429, {}, { outcome: 'unreachable' }],
  ['something else than a list', 201, {}, { outcome: 'unreachable' }],
])('%s is told when the account is verified', async (_what, status, body, expected) => {
  expect(await connector?.verify?.(answering(status, body))).toMatchObject(expected)
})

test.each([
  ['another secret', { shared_secret: 'd3Jvbmcgc2VjcmV0IG9mIG5vYm9keSBhdCBhbGwhISE=' }],
  ['another key', { key_id: '00000000-0000-4000-8000-000000000000' }],
  ['another merchant', { merchant_id: 'other' }],
])('%s is rejected', async (_what, over) => {
  const { link } = openShop()

  const answer = await connector?.verify?.({ ...link, fields: { ...FIELDS, ...over } })

  expect(answer).toMatchObject({ outcome: 'rejected' })
})

test('no secret gets into the reasons', async () => {
  const talkative = samples.testLink({
    fields: FIELDS,
    fetch: async (_url, init) => {
      throw new TypeError(`failed ${String(init?.body)}`)
    },
  })

  const answer = await authorize(order(), talkative)

  expect(JSON.stringify(answer)).not.toContain(samples.CARD_NUMBER)
})
