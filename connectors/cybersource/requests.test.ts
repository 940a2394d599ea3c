import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AuthorizeOrder, Contact, Instrument, ThreeDSecureResult } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { authorize } from './authorize.ts'
import { CURRENCIES, toMajor, toMinor } from './currency.ts'
import { capture, refund, release } from './follow-ups.ts'
import { codeOf, referenceOf } from './reference.ts'
import { FIELDS, openShop } from './testing/shop.ts'

type Body = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What is sent. Each request is compared with the published contract on its way. */
async function sent(over: Partial<AuthorizeOrder>) {
  const shop = openShop()
  const order = samples.authorizeOrder(over)
  const answer = await authorize(order, shop.link)
  const [request] = shop.sent
  return { shop, order, answer, request, body: (request?.body ?? {}) as Body }
}

const JANE: Contact = {
  first_name: ' Jane ',
  last_name: 'Doe',
  email_address: 'jane@example.com',
  phone_number: '+14155550100',
  address: {
    line1: 'Main Street',
    line2: null,
    house_number_or_name: '12',
    city: 'Springfield',
    country: 'US',
    postal_code: '62704',
    state: 'Illinois',
    state_code: 'US-IL',
    organization: null,
  },
}
const TOKEN: Extract<Instrument, { kind: 'network-token' }> = {
  kind: 'network-token',
  source: 'network-token',
  token: secret('4242424242424242'),
  expirationDate: '06/30',
  cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
  eci: null,
  scheme: 'visa',
  cardholderName: null,
  cardSource: null,
}
const PROVED: ThreeDSecureResult = {
  version: '2.2.0',
  eci: '05',
  cavv: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  directoryResponse: 'C',
  authenticationResponse: 'Y',
  xid: null,
  cavvAlgorithm: null,
}

test('a card is sent whole, with our ids', async () => {
  const buyer = { id: null, ipAddress: '2001:db8::7', locale: null }
  const details = { statement_descriptor: { name: 'Müller “Schuhe”', city: 'Köln am schönen Rhein' } }
  const over = { billing: JANE, shipping: JANE, buyer, details, intent: 'capture' } as const
  const { body, order, request } = await sent(over)
  const to = {
    firstName: 'Jane',
    lastName: 'Doe',
    address1: 'Main Street 12',
    locality: 'Springfield',
    administrativeArea: 'IL',
    postalCode: '62704',
    country: 'US',
    phoneNumber: '14155550100',
  }

  expect(request?.path).toBe('/pts/v2/payments')
  expect(body).toEqual({
    clientReferenceInformation: {
      code: order.attemptId.replaceAll('-', ''),
      transactionId: expect.stringMatching(/^[0-9a-z]{1,25}$/),
    },
    processingInformation: {
      capture: true,
      commerceIndicator: 'internet',
      reconciliationId: order.reconciliationId,
      authorizationOptions: { partialAuthIndicator: false },
    },
    paymentInformation: {
      card: {
        number: samples.CARD_NUMBER,
        expirationMonth: '12',
        expirationYear: '2035',
        type: '001',
        securityCode: samples.SECURITY_CODE,
      },
    },
    orderInformation: {
      amountDetails: { totalAmount: '12.99', currency: 'USD' },
      billTo: { ...to, email: 'jane@example.com' },
      shipTo: to,
    },
    deviceInformation: { ipAddress: '2001:db8::7' },
    merchantInformation: { merchantDescriptor: { name: 'Muller Schuhe', locality: 'Koln am schon' } },
  })
})

test('each request is signed over host, date, target, digest and merchant', async () => {
  const { request } = await sent({})
  const { headers } = request ?? { headers: new Headers() }
  const text = JSON.stringify(request?.body)
  const digest = `SHA-256=${createHash('sha256').update(text).digest('base64')}`
  const lines = [
    'host: apitest.cybersource.com',
    `v-c-date: ${headers.get('v-c-date')}`,
    'request-target: post /pts/v2/payments',
    `digest: ${digest}`,
    `v-c-merchant-id: ${FIELDS.merchant_id}`,
  ]
  const key = Buffer.from(FIELDS.shared_secret, 'base64')
  const signature = createHmac('sha256', key).update(lines.join('\n')).digest('base64')

  expect(headers.get('digest')).toBe(digest)
  expect(headers.get('v-c-date')).toMatch(/^\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/)
  expect(headers.get('signature')).toBe(
    `keyid="${FIELDS.key_id}", algorithm="HmacSHA256", headers="host v-c-date request-target digest v-c-merchant-id", signature="${signature}"`,
  )
})

test('the options of a payment are passed on: comments, own fields, the way of shipping, and the merchant of a meta key', async () => {
  const shop = openShop({
    options: {
      comments: 'Gift',
      ship_to_method: 'pickup',
      merchant_defined_information: { 1: 'loyal', 7: 'web' },
      meta_key_merchant_id: 'shop_two',
    },
  })

  const answer = await authorize(samples.authorizeOrder(), shop.link)
  const { body, headers } = shop.sent[0] ?? { body: {}, headers: new Headers() }

  expect(answer.outcome).toBe('approved')
  expect(body).toMatchObject({
    clientReferenceInformation: { comments: 'Gift' },
    orderInformation: { shipTo: { method: 'pickup' } },
    merchantDefinedInformation: [
      { key: '1', value: 'loyal' },
      { key: '7', value: 'web' },
    ],
  })
  expect(headers.get('v-c-merchant-id')).toBe('shop_two')
})

test.each([
  ['sandbox', 'https://apitest.cybersource.com'],
  ['production', 'https://api.cybersource.com'],
] as const)('of a %s goes to %s, whatever stand-in is entered in production', async (environment, host) => {
  const urls: string[] = []
  const fields = { ...FIELDS, ...(environment === 'production' && { stand_in_url: 'http://127.0.0.1:1' }) }
  const link = samples.testLink({
    environment,
    fields,
    fetch: async (url) => {
      urls.push(url)
      throw new TypeError('fetch failed')
    },
  })

  await authorize(samples.authorizeOrder(), link)

  expect(urls).toEqual([`${host}/pts/v2/payments`])
})

describe('a stored credential', () => {
  const later = { isSubsequentPayment: true, previousSchemeTransactionId: '016153570198200' }
  const merchant = { ...later, isMerchantInitiated: true }

  test.each<[string, Partial<AuthorizeOrder>, object | undefined, string]>([
    ['none', {}, undefined, 'internet'],
    ['by telephone', { paymentSource: 'moto' }, undefined, 'moto'],
    [
      'that starts a subscription',
      { paymentSource: 'recurring' },
      { type: 'customer', credentialStoredOnFile: true, merchantInitiatedTransaction: { reason: '7' } },
      'internet',
    ],
    [
      'that is stored',
      { paymentSource: 'card_on_file' },
      { type: 'customer', credentialStoredOnFile: true },
      'internet',
    ],
    [
      'that the buyer uses again',
      { ...later, paymentSource: 'card_on_file' },
      { type: 'customer', storedCredentialUsed: true },
      'internet',
    ],
    [
      'in a subscription, without the buyer',
      { ...merchant, paymentSource: 'recurring' },
      {
        type: 'merchant',
        storedCredentialUsed: true,
        merchantInitiatedTransaction: { reason: '7', previousTransactionId: '016153570198200' },
      },
      'recurring',
    ],
    [
      'in instalments, without the buyer',
      { ...merchant, paymentSource: 'installment', previousSchemeTransactionId: null },
      { type: 'merchant', storedCredentialUsed: true, merchantInitiatedTransaction: { reason: '9' } },
      'install',
    ],
    [
      'without the buyer otherwise, and a reference that is too long',
      { ...merchant, paymentSource: 'card_on_file', previousSchemeTransactionId: 'x'.repeat(16) },
      { type: 'merchant', storedCredentialUsed: true, merchantInitiatedTransaction: { reason: '10' } },
      'internet',
    ],
  ])('%s', async (_what, over, initiator, indicator) => {
    const { body } = await sent(over)

    expect(body['processingInformation']?.['commerceIndicator']).toBe(indicator)
    expect(body['processingInformation']?.['authorizationOptions']).toEqual({
      partialAuthIndicator: false,
      ...(initiator && { initiator }),
    })
  })

  test('without the buyer goes without the code, the device and a proof', async () => {
    const buyer = { id: null, ipAddress: '192.0.2.1', locale: null }
    const { body } = await sent({ ...merchant, paymentSource: 'recurring', threeDSecure: PROVED, buyer })

    expect(body['paymentInformation']?.['card']).not.toHaveProperty('securityCode')
    expect(body).not.toHaveProperty('deviceInformation')
    expect(body).not.toHaveProperty('consumerAuthenticationInformation')
  })
})

describe('a result of 3-D Secure', () => {
  const shared = {
    paSpecificationVersion: '2.2.0',
    directoryServerTransactionId: PROVED.directoryTransactionId,
    paresStatus: 'Y',
  }
  const cavv = PROVED.cavv ?? ''

  test.each<[string, string, string, object]>([
    ['visa', '05', 'vbv', { cavv, eciRaw: '05' }],
    ['visa', '6', 'vbv_attempted', { cavv, eciRaw: '06' }],
    ['visa', '07', 'internet', { cavv, eciRaw: '07' }],
    ['mastercard', '02', 'spa', { ucafAuthenticationData: cavv, ucafCollectionIndicator: '2', eciRaw: '02' }],
    ['mastercard', '01', 'spa', { ucafAuthenticationData: cavv, ucafCollectionIndicator: '1', eciRaw: '01' }],
    ['amex', '06', 'aesk_attempted', { cavv, eciRaw: '06' }],
    ['jcb', '05', 'js', { cavv, eciRaw: '05' }],
    ['diners-club', '05', 'dipb', { cavv, eciRaw: '05' }],
    ['star', '05', 'internet', { cavv, eciRaw: '05' }],
  ])('of %s with the ECI %s is %s', async (scheme, eci, indicator, fields) => {
    const threeDSecure = { ...PROVED, eci }
    const { body } = await sent({ instrument: samples.card({ scheme }), threeDSecure })

    expect(body['processingInformation']?.['commerceIndicator']).toBe(indicator)
    expect(body['consumerAuthenticationInformation']).toEqual({ ...shared, ...fields })
  })

  test('without an ECI is refused, and nothing is sent', async () => {
    const { answer, shop } = await sent({ threeDSecure: { ...PROVED, eci: null } })

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
    expect(shop.sent).toEqual([])
  })
})

describe('a token of a scheme', () => {
  const value = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='
  const token = (over: object) => ({ ...TOKEN, ...over }) as Instrument

  test.each<[string, Instrument, object, readonly [string, object?]]>([
    ['of the merchant', token({}), { transactionType: '3' }, ['internet']],
    [
      'of Apple Pay',
      token({ cardSource: 'apple-pay' }),
      { transactionType: '1' },
      ['vbv', { cavv: value, xid: value }],
    ],
    [
      'of Google Pay that proves nothing about the buyer',
      token({ cardSource: 'google-pay', eci: '7' }),
      { transactionType: '1' },
      ['internet', { cavv: value, xid: value }],
    ],
    [
      'of a Mastercard',
      token({ cardSource: 'google-pay', scheme: 'mastercard' }),
      { transactionType: '1', type: '002' },
      ['spa', { ucafAuthenticationData: value, ucafCollectionIndicator: '2' }],
    ],
    [
      'of American Express',
      token({ cardSource: 'apple-pay', scheme: 'amex' }),
      { transactionType: '1', type: '003' },
      ['aesk', { cavv: value }],
    ],
  ])('%s', async (_what, instrument, details, [indicator, proof]) => {
    const { body } = await sent({ instrument })

    expect(body['paymentInformation']?.['tokenizedCard']).toEqual({
      number: '4242424242424242',
      expirationMonth: '06',
      expirationYear: '2030',
      type: '001',
      cryptogram: value,
      ...details,
    })
    expect(body['processingInformation']?.['commerceIndicator']).toBe(indicator)
    expect(body['consumerAuthenticationInformation']).toEqual(proof)
  })

  test.each([
    ['apple-pay', '001'],
    ['google-pay', '012'],
    [null, undefined],
  ])('of %s is named %s', async (cardSource, solution) => {
    const { body } = await sent({ instrument: token({ cardSource }) })

    expect(body['processingInformation']?.['paymentSolution']).toBe(solution)
  })
})

test('what CyberSource would refuse of the buyer is left out or cut', async () => {
  const address = {
    line1: 'é'.repeat(59),
    house_number_or_name: '😀12',
    line2: '  ',
    city: 'x'.repeat(80),
    postal_code: '12345678901',
    country: 'GB',
    state: 'y'.repeat(30),
    state_code: null,
    organization: null,
  }
  const billing = { ...JANE, first_name: ' ', email_address: 'no address', phone_number: '+1234567890123456' }
  const { body, answer } = await sent({ billing: { ...billing, address } })

  expect(answer.outcome).toBe('approved')
  expect(body['orderInformation']?.['billTo']).toEqual({
    lastName: 'Doe',
    address1: 'é'.repeat(59),
    locality: 'x'.repeat(50),
    country: 'GB',
  })
})

test('captures, refunds and releases name their amount and carry the reference of their own attempt', async () => {
  const shop = openShop()
  const order = samples.authorizeOrder()
  const paid = await authorize(order, shop.link)
  const on = { order, reference: 'reference' in paid ? (paid.reference ?? '') : '' }
  const captured = samples.captureOrder(on, { amount: 500 })
  const done = await capture(captured, shop.link)
  const captureReference = 'reference' in done ? (done.reference ?? '') : ''
  const refunded = samples.refundOrder({ ...on, captureReference }, { amount: 200 })
  await refund(refunded, shop.link)
  const released = samples.voidOrder(on)
  await release(released, shop.link)
  const own = (attempt: { readonly attemptId: string }) => ({
    clientReferenceInformation: referenceOf(attempt.attemptId),
    processingInformation: { reconciliationId: order.reconciliationId },
  })
  const money = (totalAmount: string) => ({ amountDetails: { totalAmount, currency: 'USD' } })

  expect(shop.sent.slice(1).map(({ path, body }) => [path, body])).toEqual([
    [`/pts/v2/payments/${on.reference}/captures`, { ...own(captured), orderInformation: money('5.00') }],
    [`/pts/v2/captures/${captureReference}/refunds`, { ...own(refunded), orderInformation: money('2.00') }],
    [
      `/pts/v2/payments/${on.reference}/reversals`,
      { ...own(released), reversalInformation: { ...money('12.99'), reason: 'void' } },
    ],
  ])
})

test('a payment that was captured in one step is refunded by its own id', async () => {
  const shop = openShop()
  const order = samples.authorizeOrder({ intent: 'capture' })
  const paid = await authorize(order, shop.link)
  const reference = 'reference' in paid ? (paid.reference ?? '') : ''

  const answer = await refund(
    samples.refundOrder({ order, reference, captureReference: reference }),
    shop.link,
  )

  expect(answer.outcome).toBe('approved')
  expect(shop.sent.at(-1)?.path).toBe(`/pts/v2/payments/${reference}/refunds`)
})

test.each([
  ['of more than any capture has left', { captureReference: null }, 'invalid_amount'],
  ['of an id that is none', { captureReference: '../voids' }, 'unknown_service_resource'],
])('a refund %s is refused, and nothing is sent', async (_what, over, code) => {
  const shop = openShop()
  const order = samples.refundOrder({ order: samples.authorizeOrder(), reference: '7123' }, over)

  expect(await refund(order, shop.link)).toMatchObject({ outcome: 'failed', code })
  expect(shop.sent).toEqual([])
})

test('references are short enough, and different for different attempts', () => {
  const [one, other] = ['00000000-0000-4000-8000-000000000001', 'ffffffff-ffff-4fff-bfff-ffffffffffff']
  const references = [one, other].map((id) => referenceOf(id ?? ''))

  expect(new Set(references.map(({ transactionId }) => transactionId)).size).toBe(2)
  for (const { code, transactionId } of references) {
    expect([code.length, transactionId.length <= 30]).toEqual([32, true])
  }
  expect(codeOf(one ?? '')).toBe('00000000000040008000000000000001')
})

test.each([
  [1299, 'USD', '12.99'],
  [5, 'EUR', '0.05'],
  [0, 'EUR', '0.00'],
  [1299, 'JPY', '1299'],
  [1299, 'KWD', '1.299'],
  [99_999_999, 'USD', '999999.99'],
])('%s of %s is %s, there and back', (amount, currency, text) => {
  expect([toMajor(amount, currency), toMinor(text, currency)]).toEqual([text, amount])
})

test.each([
  ['12.990', 'USD', 1299],
  ['12', 'USD', 1200],
  ['1299.000', 'JPY', 1299],
  ['12.999', 'USD', null],
  ['1.5', 'JPY', null],
  ['-1', 'USD', null],
  ['1e3', 'USD', null],
  [null, 'USD', null],
])('the amount %s of %s is read as %s', (text, currency, amount) => {
  expect(toMinor(text, currency)).toBe(amount)
})

test('currencies that others count otherwise are not offered', () => {
  expect(CURRENCIES.filter((one) => ['CLP', 'CVE', 'IQD', 'ISK', 'MGA', 'MRU', 'UGX'].includes(one))).toEqual(
    [],
  )
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
})
