import { Types } from '@adyen/api-library'
import { describe, expect, test } from 'vitest'
import { ERROR_CODES } from '#connectors/contract/codes.ts'
import type { AuthorizeAnswer, Connector, Link } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { REFUSALS as ADYENS } from '#sandbox/stand-ins/adyen/refusals.ts'
import { adyenConnectors } from './connectors.ts'
import { AVS, CVC, ERRORS, REFUSALS, RESULTS } from './mapping.ts'
import { KEYS_LIVE_MS } from './sync.ts'
import { ASKED, CARD_ORDER, openShop } from './testing/shop.ts'

/** What Adyen answers, read strictly. */

const { authorize, capture, complete, refund, sync, verify } = adyenConnectors[0] as Required<Connector>
const shop = openShop()
const PSP = 'KHQC5N7G84BLNK43'

function answering(body: unknown, { status = 200, headers = {} } = {}): Link {
  return { ...shop.link, fetch: async () => Response.json(body, { status, headers }) }
}

function asked(body: object, over: Partial<AuthorizeOrder> = {}): Promise<AuthorizeAnswer> {
  return authorize(samples.authorizeOrder({ ...CARD_ORDER, ...over }), answering(body))
}

const unknown = { outcome: 'unknown', reason: expect.any(String) }

function error(status: number, errorCode: string, errorType = 'validation') {
  return { status, errorCode, errorType, message: 'x' }
}

/** Adyen does not let the request in. Of a repetition, that says nothing about the first request. */
const AT_THE_DOOR = [
  [401, '000'],
  [403, '010'],
  [403, '901'],
  [429, '000'],
] as const

describe('refusals', () => {
  test('every code of Adyen has a row, with Adyen’s own words', () => {
    const known = Object.entries(REFUSALS).map(([code, { reason }]) => [Number(code), reason])

    expect(known).toEqual(ADYENS.map(({ code, reason }) => [code, reason]))
  })

  test.each(Object.entries(REFUSALS))('%s is told as its row says', async (refusalReasonCode, row) => {
    const { resultCode = 'Refused' } = ADYENS.find(({ code }) => String(code) === refusalReasonCode) ?? {}
    const answer = await asked({
      pspReference: PSP,
      resultCode,
      refusalReason: row.reason,
      refusalReasonCode,
    })

    if (row.code === null) return expect(answer).toEqual(unknown)
    const { category, isRetriable } = ERROR_CODES[row.code]
    expect(answer).toMatchObject({
      outcome: category === 'decline' ? 'declined' : 'failed',
      code: row.code,
      isRetriable: row.isRetriable ?? isRetriable,
      reference: PSP,
      facts: { rawCode: refusalReasonCode, rawDescription: row.reason },
    })
  })

  test('a code that Adyen adds later is still a refusal, an error is not', async () => {
    const body = { pspReference: PSP, refusalReason: 'New', refusalReasonCode: '99' }

    expect(await asked({ ...body, resultCode: 'Refused' })).toMatchObject({
      outcome: 'declined',
      code: 'other_decline',
    })
    expect(await asked({ ...body, resultCode: 'Error' })).toEqual(unknown)
    expect(await asked({ pspReference: PSP, resultCode: 'Cancelled' })).toMatchObject({
      code: 'cancelled_buyer_approval',
    })
  })

  test('the words of the issuer are passed on, but no number that may be a card’s', async () => {
    const additionalData = {
      refusalReasonRaw: '51 : Insufficient funds',
      merchantAdviceCode: '02 : Try again later',
    }
    const body = { pspReference: PSP, resultCode: 'Refused', refusalReasonCode: '12', additionalData }

    expect(await asked({ ...body, refusalReason: 'card 4111 1111 1111 1111' })).toMatchObject({
      facts: { isoResponseCode: '51', merchantAdviceCode: '02', rawDescription: null },
    })
  })
})

describe('results', () => {
  test('every result of Adyen’s library has a row', () => {
    const { ResultCodeEnum } = Types.checkout.PaymentResponse

    expect(new Set(Object.keys(RESULTS))).toEqual(new Set(Object.values(ResultCodeEnum)))
  })

  test.each(['AuthenticationFinished', 'AuthenticationNotRequired', 'Success', 'Authorized', '', 7, null])(
    'is unknown with the result %o',
    async (resultCode) => {
      expect(await asked({ pspReference: PSP, resultCode })).toEqual(unknown)
    },
  )

  test.each([
    ['no reference', { resultCode: 'Authorised' }],
    ['a reference that is none', { resultCode: 'Authorised', pspReference: 'x' }],
    ['another payment', { resultCode: 'Authorised', pspReference: PSP, merchantReference: 'other' }],
    [
      'another amount',
      { resultCode: 'Authorised', pspReference: PSP, amount: { value: 1, currency: 'USD' } },
    ],
    [
      'another currency',
      { resultCode: 'Authorised', pspReference: PSP, amount: { value: 1299, currency: 'EUR' } },
    ],
    [
      'more than was asked',
      { resultCode: 'PartiallyAuthorised', pspReference: PSP, amount: { value: 9999, currency: 'USD' } },
    ],
    ['a part without its amount', { resultCode: 'PartiallyAuthorised', pspReference: PSP }],
    [
      'a page without an address',
      { resultCode: 'RedirectShopper', action: { type: 'redirect', method: 'GET' } },
    ],
    [
      'a page that is a script',
      {
        resultCode: 'RedirectShopper',
        action: { type: 'redirect', method: 'GET', url: 'javascript:alert(1)' },
      },
    ],
    [
      'a form without fields',
      {
        resultCode: 'RedirectShopper',
        action: { type: 'redirect', method: 'POST', url: 'https://a.example' },
      },
    ],
    ['something else to do', { resultCode: 'RedirectShopper', action: { type: 'sdk', sdkData: {} } }],
    ['work without a reference', { resultCode: 'Received' }],
  ])('is unknown with %s', async (_name, body) => {
    expect(await asked(body)).toEqual(unknown)
  })

  test('a part is approved with its amount', async () => {
    const amount = { value: 500, currency: 'USD' }

    const part = { outcome: 'approved', amount: 500 }
    expect(await asked({ resultCode: 'PartiallyAuthorised', pspReference: PSP, amount })).toMatchObject(part)
    // Adyen may repeat what was asked for as the amount.
    const stated = {
      resultCode: 'PartiallyAuthorised',
      pspReference: PSP,
      amount: { value: 1299, currency: 'USD' },
      additionalData: { authorisedAmountValue: '500', authorisedAmountCurrency: 'USD' },
    }
    expect(await asked(stated)).toMatchObject(part)
    const foreign = { ...stated.additionalData, authorisedAmountCurrency: 'EUR' }
    expect(await asked({ ...stated, additionalData: foreign })).toEqual(unknown)
    expect(await asked({ ...stated, additionalData: {} })).toEqual(unknown)
  })

  test('a QR code is shown as one', async () => {
    const action = { type: 'qrCode', qrCodeData: '00020126', url: 'https://a.example/app' }

    expect(await asked({ resultCode: 'PresentToShopper', action })).toMatchObject({
      outcome: 'approval_required',
      approval: { kind: 'qr', text: '00020126', url: 'https://a.example/app' },
    })
  })

  test('an authentication that needs Adyen’s script has failed: nothing is charged without it', async () => {
    expect(
      await asked({ resultCode: 'ChallengeShopper', pspReference: PSP, action: { type: 'threeDS2' } }),
    ).toMatchObject({
      outcome: 'failed',
      code: 'requires_buyer_authentication',
    })
  })
})

describe('checks of address and code', () => {
  test.each(Object.entries(AVS))('AVS %s', async (code, avsResponseCode) => {
    const additionalData = { avsResult: `${code} in words` }

    expect(await asked({ resultCode: 'Authorised', pspReference: PSP, additionalData })).toMatchObject({
      facts: { avsResponseCode },
    })
  })

  test.each(Object.entries(CVC))('CVC %s', async (code, cvvResponseCode) => {
    const additionalData = { cvcResult: `${code} in words` }

    expect(await asked({ resultCode: 'Authorised', pspReference: PSP, additionalData })).toMatchObject({
      facts: { cvvResponseCode },
    })
  })

  test('Adyen’s lists have 27 and 7 results; others are none', async () => {
    expect([Object.keys(AVS).length, Object.keys(CVC).length]).toEqual([27, 7])
    const additionalData = { avsResult: '27 new', cvcResult: 'M' }
    expect(await asked({ resultCode: 'Authorised', pspReference: PSP, additionalData })).toMatchObject({
      facts: { avsResponseCode: null, cvvResponseCode: null },
    })
  })
})

describe('errors', () => {
  async function failing(status: number, body: unknown, headers = {}) {
    return authorize(samples.authorizeOrder(CARD_ORDER), answering(body, { status, headers }))
  }

  test.each(Object.entries(ERRORS))('%s', async (errorCode, { code }) => {
    const answer = await failing(422, error(422, errorCode))

    if (code === null) expect(answer).toEqual(unknown)
    else expect(answer).toMatchObject({ code, facts: { rawCode: errorCode } })
  })

  test.each([
    [401, '000', 'invalid_service_credentials'],
    [403, '901', 'invalid_service_configuration'],
    [403, '010', 'insufficient_service_permissions'],
    [403, '999', 'insufficient_service_permissions'],
    [422, '999', 'invalid_service_request'],
    [400, '702', 'invalid_service_request'],
    [429, '000', 'service_rate_limit'],
    [500, '905', 'invalid_service_configuration'],
    [500, '905_1', 'invalid_service_configuration'],
  ])('%d %s is certain: nothing was done', async (status, errorCode, code) => {
    expect(await failing(status, error(status, errorCode, 'security'))).toMatchObject({
      outcome: 'failed',
      code,
    })
  })

  test.each([
    ['a 500', 500, error(500, '903', 'internal'), {}],
    ['a 503', 503, error(503, '000', 'internal'), {}],
    ['a twin under way', 422, error(422, '704'), {}],
    ['an error that passes', 422, error(422, '100'), { 'transient-error': 'true' }],
    ['a 422 of another server', 422, { detail: [{ msg: 'field required' }] }, {}],
    ['an error about another status', 422, error(401, '000'), {}],
    ['a 401 of a proxy', 401, { error: 'login' }, {}],
    ['a 404 of a proxy', 404, {}, {}],
  ])('is unknown after %s', async (_name, status, body, headers) => {
    expect(await failing(status, body, headers)).toEqual(unknown)
  })

  test.each([
    ['another payment', { paymentPspReference: 'ABCDEFGH12345678' }],
    ['another reference of ours', { reference: 'other' }],
    ['another amount', { amount: { value: 1, currency: 'USD' } }],
    ['no amount', { amount: undefined }],
    ['another status', { status: 'done' }],
    ['no reference', { pspReference: '' }],
  ])('a receipt about %s is unknown', async (_name, over) => {
    const order = samples.captureOrder({ order: samples.authorizeOrder(), reference: PSP })
    const receipt = {
      paymentPspReference: PSP,
      pspReference: 'LQWDDLKTSV2GGS82',
      reference: order.attemptId,
      status: 'received',
      amount: { value: 1299, currency: 'USD' },
    }

    expect(await capture(order, answering(receipt, { status: 201 }))).toMatchObject({ outcome: 'pending' })
    expect(await capture(order, answering({ ...receipt, ...over }, { status: 201 }))).toEqual(unknown)
  })
})

describe('the return of the buyer', () => {
  async function waiting() {
    const order = samples.authorizeOrder({
      ...CARD_ORDER,
      ...ASKED,
    })
    const answer = await authorize(order, shop.link)
    if (answer.outcome !== 'approval_required') throw new Error(`Adyen answered ${answer.outcome}`)
    const { attemptId, transactionId, amount, currency, intent } = order
    const { reference } = answer
    return { answer, order: { attemptId, transactionId, amount, currency, intent, reference } }
  }

  test('without or with invented parameters leaves the payment waiting, and the right one still ends it', async () => {
    const { order, answer } = await waiting()
    const still = { outcome: 'pending', reference: order.reference }

    expect(await complete({ ...order, returned: null }, shop.link)).toMatchObject(still)
    expect(await complete({ ...order, returned: {} }, shop.link)).toMatchObject(still)
    expect(await complete({ ...order, returned: { redirectResult: 'invented' } }, shop.link)).toMatchObject(
      still,
    )
    const returned = await shop.decideOn(answer, 'approve')
    expect(await complete({ ...order, returned }, shop.link)).toMatchObject({ outcome: 'approved' })
  })

  test('with parameters of another payment is unknown, and charges only that one', async () => {
    const [one, other] = [await waiting(), await waiting()]
    const returned = await shop.decideOn(other.answer, 'approve')

    expect(await complete({ ...one.order, returned }, shop.link)).toEqual(unknown)
    expect(await shop.effectsOf(one.order.attemptId)).toBe(0)
    expect(await complete({ ...other.order, returned }, shop.link)).toEqual(unknown)
    expect(await shop.effectsOf(other.order.attemptId)).toBe(1)
  })

  test('with parameters that were used answers as before', async () => {
    const { order, answer } = await waiting()
    const returned = await shop.decideOn(answer, 'approve')
    const first = await complete({ ...order, returned }, shop.link)

    expect(await complete({ ...order, returned }, shop.link)).toEqual(first)
    expect(await shop.effectsOf(order.attemptId)).toBe(1)
  })

  test.each(AT_THE_DOOR)(
    'is unknown after %d %s: it may have been passed on before',
    async (status, code) => {
      const { order, answer } = await waiting()
      const returned = await shop.decideOn(answer, 'approve')
      await complete({ ...order, returned }, shop.link)

      expect(await complete({ ...order, returned }, answering(error(status, code), { status }))).toEqual(
        unknown,
      )
    },
  )
})

describe('an answer that was lost', () => {
  test('is repeated, also without the security code', async () => {
    const order = samples.authorizeOrder(CARD_ORDER)
    const first = await authorize(order, shop.link)
    const later = { ...order, instrument: samples.card({ securityCode: null }) }

    expect(await sync(samples.inquiryAbout('authorize', order, { order: later }), shop.link)).toEqual(first)
    expect(await shop.effectsOf(order.attemptId)).toBe(1)
  })

  test('is not asked for once Adyen may have forgotten the key', async () => {
    const order = samples.authorizeOrder(CARD_ORDER)
    const sentAt = new Date(shop.link.now().getTime() - KEYS_LIVE_MS)

    expect(await sync(samples.inquiryAbout('authorize', order, { order, sentAt }), shop.link)).toEqual(
      unknown,
    )
    expect(await shop.effectsOf(order.attemptId)).toBe(0)
  })

  test.each(AT_THE_DOOR)(
    'stays unknown when Adyen answers the repetition with %d %s',
    async (status, code) => {
      const payment = samples.authorizeOrder(CARD_ORDER)
      const order = samples.refundOrder({ order: payment, reference: PSP }, { amount: 300 })
      const link = answering(error(status, code), { status })

      expect(await refund(order, link)).toMatchObject({ outcome: 'failed' })
      expect(await sync(samples.inquiryAbout('refund', order, { order }), link)).toEqual(unknown)
      expect(await sync(samples.inquiryAbout('authorize', payment, { order: payment }), link)).toEqual(
        unknown,
      )
    },
  )

  test('stays unknown when the repetition cannot be sent', async () => {
    const order = samples.authorizeOrder(CARD_ORDER)
    const link: Link = { ...shop.link, environment: 'production' }

    expect(await authorize(order, link)).toMatchObject({ code: 'invalid_service_configuration' })
    expect(await sync(samples.inquiryAbout('authorize', order, { order }), link)).toEqual(unknown)
  })

  test('is a refusal if Adyen refuses what the repetition asks for', async () => {
    const order = samples.authorizeOrder(CARD_ORDER)
    const link = answering(error(422, '101'), { status: 422 })

    expect(await sync(samples.inquiryAbout('authorize', order, { order }), link)).toMatchObject({
      outcome: 'failed',
      code: 'invalid_payment_method',
    })
  })
})

describe('verify', () => {
  const withFields = (fields: Record<string, string>) => ({
    ...shop.link,
    fields: { ...shop.link.fields, ...fields },
  })

  test.each([
    ['a wrong key', withFields({ api_key: 'wrong' }), 'Adyen does not accept api_key'],
    ['a restricted key', withFields({ api_key: 'stand-in-restricted-key' }), 'Checkout role'],
    ['a foreign account', withFields({ merchant_account: 'Other' }), 'no access to merchant_account'],
    ['no prefix', { ...shop.link, environment: 'production' } as Link, 'live_url_prefix'],
  ])('says what is wrong: %s', async (_name, link, words) => {
    expect(await verify(link)).toEqual({ outcome: 'rejected', message: expect.stringContaining(words) })
  })
})
