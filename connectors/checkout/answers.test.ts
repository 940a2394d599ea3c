import { describe, expect, test } from 'vitest'
import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { RESTRICTED_KEY } from '#sandbox/stand-ins/checkout/stand-in.ts'
import { authorize, complete } from './authorize.ts'
import { capture, increment, refund } from './follow-ups.ts'
import { registerNotifications, verify } from './register.ts'
import { sync } from './sync.ts'
import { CARD_ORDER, card, FIELDS, openShop } from './testing/shop.ts'
import { forgetToken, tokenize } from './tokens.ts'

const order = (over: Partial<AuthorizeOrder> = {}) => samples.authorizeOrder({ ...CARD_ORDER, ...over })

function referenceOf(answer: object): string {
  return 'reference' in answer && typeof answer.reference === 'string' ? answer.reference : ''
}

/** A link whose provider answers every request the same way. */
function answering(status: number, body: unknown) {
  return samples.testLink({ fields: FIELDS, fetch: async () => Response.json(body, { status }) })
}

const APPROVED = {
  id: 'pay_mbabizu24mvu3mela5njyhpit4',
  action_id: 'act_mbabizu24mvu3mela5njyhpit4',
  amount: 1299,
  currency: 'USD',
  approved: true,
  status: 'Authorized',
  auth_code: '770687',
  response_code: '10000',
  response_summary: 'Approved',
  source: {
    type: 'card',
    avs_check: 'G',
    cvv_check: 'Y',
    payment_account_reference: 'EUNIX9AX7THOOJIEJ2AP6OOFAHGH4',
  },
  processing: { partner_response_code: '00', scheme_transaction_link_id: 'MCC0123456789' },
  scheme_id: '489341065491658',
}

describe('an approval', () => {
  test('tells what the scheme and the issuer said', async () => {
    const answer = await authorize(order(), answering(201, APPROVED))

    expect(answer).toEqual({
      outcome: 'approved',
      reference: APPROVED.id,
      facts: {
        rawCode: '10000',
        rawDescription: 'Approved',
        authResponseCode: '770687',
        isoResponseCode: '00',
        avsResponseCode: 'unavailable',
        cvvResponseCode: 'match',
        merchantAdviceCode: null,
        schemeTransactionId: '489341065491658',
        transactionLinkId: 'MCC0123456789',
        paymentAccountReference: 'EUNIX9AX7THOOJIEJ2AP6OOFAHGH4',
        threeDSecure: null,
      },
    })
  })

  test.each([
    ['of another amount', { amount: 1300 }],
    ['of less, if no part is allowed', { amount: 500 }],
    ['of another currency', { currency: 'EUR' }],
    ['of another payment', { metadata: { attempt: 'another' } }],
    ['that is not approved', { approved: false }],
    ['with a status that is new', { status: 'Celebrated' }],
    ['without an id', { id: undefined }],
    ['with an id that leads elsewhere', { id: 'pay_../../workflows' }],
  ])('%s is unknown', async (_what, over) => {
    const answer = await authorize(order(), answering(201, { ...APPROVED, ...over }))

    expect(answer).toEqual({ outcome: 'unknown', reason: expect.any(String) })
  })

  test('of a part is taken if the merchant allows it', async () => {
    const { link, control } = openShop()
    await control('next', { response_code: '10010' })

    const answer = await authorize(order({ isPartialAllowed: true }), link)

    expect(answer).toMatchObject({ outcome: 'approved', amount: 649, facts: { rawCode: '10010' } })
  })
})

describe('a refusal', () => {
  test.each([
    ['20051', 'declined', 'insufficient_funds'],
    ['20087', 'declined', 'incorrect_cvv'],
    ['30041', 'declined', 'canceled_payment_method'],
    ['40101', 'declined', 'suspected_fraud'],
    ['20154', 'failed', 'requires_buyer_authentication'],
    // New ones.
    ['20998', 'declined', 'other_decline'],
    ['30998', 'declined', 'refused_transaction'],
    ['40998', 'declined', 'suspected_fraud'],
    ['50998', 'declined', 'service_decline'],
    ['99999', 'declined', 'other_decline'],
  ])('with the code %s is %s: %s', async (response_code, outcome, code) => {
    const { link, control } = openShop()
    await control('next', { response_code })

    expect(await authorize(order(), link)).toMatchObject({ outcome, code, facts: { rawCode: response_code } })
  })

  test('that says that the request is still under way is unknown', async () => {
    const { link, control } = openShop()
    await control('next', { response_code: '20009' })

    expect(await authorize(order(), link)).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    ['4111111111111112', 'invalid_payment_method', 'card_number_invalid'],
    ['4544249167673670', 'insufficient_funds', '20051'],
  ])('of the card %s is %s', async (number, code, rawCode) => {
    const { link } = openShop()

    expect(await authorize(order({ instrument: card(number) }), link)).toMatchObject({
      code,
      facts: { rawCode },
    })
  })

  test.each([
    [422, { error_type: 'request_invalid', error_codes: ['card_expired'] }, 'expired_payment_method'],
    [422, { error_type: 'request_invalid', error_codes: ['a_new_code'] }, 'invalid_service_request'],
    [403, { error_type: 'forbidden' }, 'insufficient_service_permissions'],
  ])('%s %o is %s', async (status, body, code) => {
    expect(await authorize(order(), answering(status, body))).toMatchObject({
      outcome: expect.any(String),
      code,
    })
  })

  test.each([
    [429, { error_type: 'too_many_requests', error_codes: ['duplicate_request'] }],
    [404, { error_type: 'not_found', error_codes: ['not_found'] }],
    [422, {}],
    [409, { error_codes: ['conflict'] }],
  ])('%s %o says nothing about the payment', async (status, body) => {
    expect(await authorize(order(), answering(status, body))).toMatchObject({ outcome: 'unknown' })
  })

  test('never shows what could be a card', async () => {
    const body = { ...APPROVED, approved: false, status: 'Declined', response_code: '20005' }
    const answer = await authorize(
      order(),
      answering(201, {
        ...body,
        response_summary: 'declined 4111 1111 1111 1111',
        auth_code: '4111111111111111',
      }),
    )

    expect(answer).toMatchObject({
      code: 'issuer_decline',
      facts: { rawDescription: null, authResponseCode: null },
    })
  })
})

describe('credentials', () => {
  const live = `sk_${'a'.repeat(27)}`

  test.each([
    ['a wrong key', { secret_key: `sk_sbox_${'b'.repeat(27)}` }, /does not accept secret_key/],
    ['a restricted key', { secret_key: RESTRICTED_KEY }, /may not do this/],
    ['a live key in a sandbox', { secret_key: live }, /live key/],
  ])('%s is refused, and the message says so', async (_what, over, message) => {
    const shop = openShop({ fields: { ...FIELDS, ...over } })

    expect(await verify(shop.link)).toEqual({ outcome: 'rejected', message: expect.stringMatching(message) })
    expect(await registerNotifications('https://shop.example.com/hook', shop.link)).toMatchObject({
      outcome: 'rejected',
    })
  })

  test('a wrong key fails a payment for certain, and a live one is not even sent', async () => {
    const wrong = openShop({ fields: { ...FIELDS, secret_key: `sk_sbox_${'b'.repeat(27)}` } })
    const real = openShop({ fields: { ...FIELDS, secret_key: live } })
    const refused = { outcome: 'failed', code: 'invalid_service_credentials' }

    expect(await authorize(order(), wrong.link)).toMatchObject(refused)
    expect(await authorize(order(), real.link)).toMatchObject(refused)
    expect(real.sent).toEqual([])
  })

  test.each([
    ['sandbox', {}, 'https://api.sandbox.checkout.com'],
    ['sandbox', { url_prefix: 'abcd1234' }, 'https://abcd1234.api.sandbox.checkout.com'],
    ['production', {}, 'https://api.checkout.com'],
    ['production', { url_prefix: 'pl-abcd1234' }, 'https://pl-abcd1234.api.checkout.com'],
    ['production', { url_prefix: 'evil.example.com/' }, 'https://api.checkout.com'],
    ['production', { stand_in_url: 'http://127.0.0.1:1' }, 'https://api.checkout.com'],
    ['sandbox', { stand_in_url: 'http://127.0.0.1:1' }, 'http://127.0.0.1:1'],
  ] as const)('in %s with %o go to %s', async (environment, fields, origin) => {
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(new URL(url).origin)
      return new Response('')
    }
    await verify(samples.testLink({ fetch, environment, fields: { ...FIELDS, ...fields } }))

    expect(asked).toEqual([origin])
  })
})

describe('a lost answer', () => {
  test('is found by our reference, and nothing is sent again', async () => {
    const { link, sent } = openShop()
    const asked = order()
    const first = await authorize(asked, link)

    const found = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), link)

    expect(found).toMatchObject({ outcome: 'approved', reference: referenceOf(first) })
    expect(sent.map(({ path }) => path)).toEqual([
      '/payments',
      `/payments?reference=${asked.reconciliationId}&limit=10`,
    ])
  })

  test('of a decline is found with its reason', async () => {
    const { link } = openShop()
    const asked = order({ instrument: card('4544249167673670') })
    await authorize(asked, link)

    const found = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), link)

    expect(found).toMatchObject({ outcome: 'declined', code: 'insufficient_funds' })
  })

  test('of another attempt of the same payment is not taken for it', async () => {
    const { link, effectsOf } = openShop()
    const [declined, later] = [order({ instrument: card('4544249167673670') }), order()]
    await authorize(declined, link)

    const found = await sync(samples.inquiryAbout('authorize', later, { order: later }), link)

    expect(found).toMatchObject({ outcome: 'approved' })
    expect(await effectsOf(later.attemptId)).toBe(1)
  })

  test('of a buyer on a page: the payment waits, with the same page', async () => {
    const { link } = openShop()
    const asked = order({ threeDSecure: 'provider' })
    const first = await authorize(asked, link)

    const found = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), link)

    expect(found).toMatchObject({ outcome: 'approval_required', reference: referenceOf(first) })
  })

  test('is not asked for by sending it again once Checkout.com may have forgotten the key', async () => {
    const { link, sent } = openShop()
    const asked = order()
    const sentAt = new Date(Date.now() - 24 * 3_600_000)

    const found = await sync(samples.inquiryAbout('authorize', asked, { order: asked, sentAt }), link)

    expect(found).toMatchObject({ outcome: 'unknown' })
    expect(sent.filter(({ key }) => key !== null)).toEqual([])
  })

  test('is asked for by its key if the secret key may not look', async () => {
    const shop = openShop({ fields: { ...FIELDS, secret_key: RESTRICTED_KEY } })
    const asked = order()
    const first = await authorize(asked, shop.link)

    const found = await sync(samples.inquiryAbout('authorize', asked, { order: asked }), shop.link)

    expect(found).toMatchObject({ outcome: 'approved', reference: referenceOf(first) })
    expect(await shop.effectsOf(asked.attemptId)).toBe(1)
  })

  test.each(['capture', 'refund'] as const)('of a %s says what became of it', async (operation) => {
    const { link, control } = openShop()
    const sale = order()
    const on = { order: sale, reference: referenceOf(await authorize(sale, link)) }
    const captured = samples.captureOrder(on)
    await capture(captured, link)
    if (operation === 'refund') await control('finish')
    const asked = operation === 'capture' ? captured : samples.refundOrder(on, { amount: 300 })
    if (operation === 'refund')
      await refund(asked as typeof asked & { refundId: string; reason: null; captureReference: null }, link)
    const about = { reference: on.reference, order: asked as never }
    const ask = () => sync(samples.inquiryAbout(operation, asked as never, about), link)

    const before = await ask()
    await control('next', { response_code: '20158' })
    await control('finish')

    expect(before).toMatchObject({ outcome: 'pending' })
    expect(await ask()).toMatchObject({ outcome: 'failed', code: 'refund_period_expired' })
  })
})

describe('follow-ups', () => {
  test('that Checkout.com does not allow fail for certain', async () => {
    const { link } = openShop()
    const sale = order()
    const on = { order: sale, reference: referenceOf(await authorize(sale, link)) }

    expect(await refund(samples.refundOrder(on), link)).toMatchObject({ code: 'unexpected_state' })
    expect(await capture(samples.captureOrder(on, { amount: 1300 }), link)).toMatchObject({
      code: 'invalid_amount',
    })
    const unknown = { ...on, reference: 'pay_aaaaaaaaaaaaaaaaaaaaaaaaaa' }
    expect(await capture(samples.captureOrder(unknown), link)).toMatchObject({
      code: 'unknown_service_resource',
    })
    const foreign = { ...on, reference: 'pi_123' }
    expect(await capture(samples.captureOrder(foreign), link)).toMatchObject({
      code: 'unknown_service_resource',
    })
  })

  test('increments are decided at once', async () => {
    const { link, control } = openShop()
    const sale = order()
    const on = { order: sale, reference: referenceOf(await authorize(sale, link)) }

    expect(await increment(samples.incrementOrder(on), link)).toMatchObject({ outcome: 'approved' })
    await control('next', { response_code: '20051' })
    expect(await increment(samples.incrementOrder(on), link)).toMatchObject({ code: 'insufficient_funds' })
  })
})

describe('a buyer', () => {
  test('whose bank insists is sent to a page, and the outcome tells of the authentication', async () => {
    const { link, decide } = openShop()
    const asked = order({ instrument: card('4485040371536584') })
    const first = await authorize(asked, link)
    if (first.outcome !== 'approval_required') throw new Error(`the answer was ${first.outcome}`)
    const { reference } = first
    const completion = { ...asked, reference, returned: await decide(first.approval, 'approve') }

    expect(await complete(completion, link)).toMatchObject({
      outcome: 'approved',
      facts: { threeDSecure: { status: 'complete', method: 'challenge', version: '2.2.0', eci: '05' } },
    })
  })

  test.each([
    ['refuses', 'refuse', 'requires_buyer_authentication'],
    ['does not come back', 'expire', 'cancelled_buyer_approval'],
  ])('who %s ends the payment', async (_who, end, code) => {
    const { link, control } = openShop()
    const asked = order({ threeDSecure: 'provider' })
    const reference = referenceOf(await authorize(asked, link))
    await control(`payments/${reference}/${end}`)

    expect(await complete({ ...asked, reference, returned: null }, link)).toMatchObject({
      outcome: 'failed',
      code,
    })
  })

  test('of another payment completes nothing', async () => {
    const { link } = openShop()
    const reference = referenceOf(await authorize(order(), link))

    expect(await complete({ ...order(), reference, returned: {} }, link)).toMatchObject({
      outcome: 'unknown',
    })
  })
})

describe('stored cards', () => {
  test('are verified in the currency of the account, without the buyer', async () => {
    const { link, sent } = openShop()
    const asked = samples.tokenizeOrder({ instrument: card() })

    const answer = await tokenize(asked, link)

    expect(answer).toMatchObject({ outcome: 'approved', token: { label: null } })
    expect(sent[0]).toMatchObject({
      key: asked.attemptId,
      body: { amount: 0, currency: 'USD', source: { store_for_future_use: true } },
    })
  })

  test('are not stored without a currency to verify them in', async () => {
    const { verification_currency: _none, ...fields } = FIELDS
    const { link, sent } = openShop({ fields })

    expect(await tokenize(samples.tokenizeOrder({ instrument: card() }), link)).toMatchObject({
      outcome: 'failed',
      code: 'invalid_service_configuration',
    })
    expect(sent).toEqual([])
  })

  test('that Checkout.com declines or does not keep give no token', async () => {
    const { link } = openShop()
    const declined = samples.tokenizeOrder({ instrument: card('4544249167673670') })
    const verified = { ...APPROVED, amount: 0, status: 'Card Verified' }

    expect(await tokenize(declined, link)).toMatchObject({ code: 'insufficient_funds' })
    expect(
      await tokenize(samples.tokenizeOrder({ instrument: card() }), answering(201, verified)),
    ).toMatchObject({
      outcome: 'unknown',
    })
  })

  test('of others are not deleted', async () => {
    const { link, sent } = openShop()
    const { token } = samples.forgetTokenOrder(
      (card() as Extract<AuthorizeOrder['instrument'], { kind: 'card' }>).number,
    )

    expect(await forgetToken(samples.forgetTokenOrder(token), link)).toMatchObject({ outcome: 'failed' })
    expect(sent).toEqual([])
  })
})
