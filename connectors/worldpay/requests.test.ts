import { describe, expect, test } from 'vitest'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { authorize } from './authorize.ts'
import { CURRENCIES } from './currency.ts'
import { capture, refund, release } from './follow-ups.ts'
import { FIELDS, named, openShop } from './testing/shop.ts'

/** What is sent. Each request is compared with the published contract on its way. */
async function sent(over: Partial<AuthorizeOrder>) {
  const shop = openShop()
  const order = samples.authorizeOrder(over)
  const answer = await authorize(order, shop.link)
  const [request] = shop.sent
  const body = (request?.body ?? {}) as Record<string, Record<string, unknown>>
  return { shop, order, answer, path: request?.path, body, instruction: body['instruction'] ?? {} }
}

const JANE: Contact = {
  first_name: 'Jane',
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

test('a card is sent whole, with our ids', async () => {
  const buyer = { id: null, ipAddress: '2001:db8::7', locale: null }
  const details = { statement_descriptor: { name: 'Müller & Söhne “Schuhe” 24/7', city: 'Köln' } }
  const { path, body, order } = await sent({ billing: JANE, buyer, details, intent: 'capture' })

  expect(path).toBe('/cardPayments/customerInitiatedTransactions')
  expect(body).toEqual({
    transactionReference: order.attemptId,
    orderReference: order.reconciliationId,
    merchant: { entity: 'default' },
    instruction: {
      requestAutoSettlement: { enabled: true },
      value: { amount: 1299, currency: 'USD' },
      narrative: { line1: 'Muller & Sohne Schuhe 24', line2: 'Koln' },
      paymentInstrument: {
        type: 'card/plain',
        cardNumber: samples.CARD_NUMBER,
        expiryDate: { month: 12, year: 2035 },
        cardHolderName: 'Jane Doe',
        cvc: samples.SECURITY_CODE,
        billingAddress: {
          postalCode: '62704',
          countryCode: 'US',
          address1: 'Main Street 12',
          city: 'Springfield',
          state: 'IL',
        },
      },
    },
    customer: { emailAddress: 'jane@example.com', ipAddress: '2001:db8::7' },
    channel: 'ecom',
  })
})

test.each<[string, Contact, string]>([
  [
    'an address without a postcode',
    { ...JANE, address: { ...JANE.address, postal_code: ' ' } as Contact['address'] },
    'billingAddress',
  ],
  [
    'an address without a country',
    { ...JANE, address: { ...JANE.address, country: null } as Contact['address'] },
    'billingAddress',
  ],
  ['a name of blanks', { ...JANE, first_name: ' ', last_name: null }, 'cardHolderName'],
])('%s is left out', async (_what, billing, field) => {
  const { instruction } = await sent({ billing })

  expect(instruction['paymentInstrument']).not.toHaveProperty(field)
})

test('statements show the text of the account if the payment has none that Worldpay takes', async () => {
  const { instruction } = await sent({ details: { statement_descriptor: { name: '寿司', city: '東京' } } })

  expect(instruction['narrative']).toEqual({ line1: FIELDS.narrative })
})

describe('a stored credential', () => {
  const later = { isSubsequentPayment: true, previousSchemeTransactionId: 'MCCOLXT1C0104' }

  test.each<[string, Partial<AuthorizeOrder>, object | undefined]>([
    ['none', {}, undefined],
    [
      'that starts a subscription',
      { paymentSource: 'recurring' },
      { type: 'subscription', storedCardUsage: 'first' },
    ],
    [
      'that starts instalments',
      { paymentSource: 'installment' },
      { type: 'installment', installmentType: 'merchant', storedCardUsage: 'first' },
    ],
    ['that is stored', { paymentSource: 'card_on_file' }, { type: 'cardOnFile', storedCardUsage: 'first' }],
    [
      'that the buyer uses again',
      { ...later, paymentSource: 'card_on_file' },
      { type: 'cardOnFile', storedCardUsage: 'subsequent' },
    ],
    [
      'in a subscription, without the buyer',
      { ...later, paymentSource: 'recurring', isMerchantInitiated: true },
      { type: 'subscription', schemeReference: 'MCCOLXT1C0104' },
    ],
    [
      'in instalments, without the buyer',
      { ...later, paymentSource: 'installment', isMerchantInitiated: true },
      { type: 'installment', installmentType: 'merchant', schemeReference: 'MCCOLXT1C0104' },
    ],
    [
      'charged when the shop wants',
      { ...later, paymentSource: 'card_on_file', isMerchantInitiated: true },
      { type: 'unscheduled', schemeReference: 'MCCOLXT1C0104' },
    ],
  ])('%s', async (_what, over, expected) => {
    const { answer, path, instruction, body } = await sent(over)

    expect(answer).toMatchObject({ outcome: 'approved' })
    expect(instruction['customerAgreement']).toEqual(expected)
    const isLate = over.isMerchantInitiated === true
    expect(path).toContain(isLate ? 'merchantInitiated' : 'customerInitiated')
    expect('channel' in body).toBe(!isLate)
  })

  test('without the buyer has neither a code nor a result of 3-D Secure', async () => {
    const { body, instruction } = await sent({ ...later, isMerchantInitiated: true, threeDSecure: RESULT })

    expect(instruction['paymentInstrument']).not.toHaveProperty('cvc')
    expect(body).not.toHaveProperty('authentication')
  })
})

const RESULT = {
  version: '2.2.0',
  eci: '05',
  cavv: '3q2+78r+ur7erb7vyv66vv////8=',
  directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
  directoryResponse: 'C',
  authenticationResponse: 'Y',
  xid: null,
  cavvAlgorithm: null,
}

describe('3-D Secure', () => {
  test.each(['05', '5'])('is passed on, with the eci %s', async (eci) => {
    const { body } = await sent({ threeDSecure: { ...RESULT, eci } })

    expect(body['authentication']).toEqual({
      threeDS: {
        version: '2.2.0',
        eci: '05',
        authenticationValue: RESULT.cavv,
        transactionId: RESULT.directoryTransactionId,
        status: 'Y',
      },
    })
  })

  test('without an eci is refused with what to do, and nothing is sent', async () => {
    const { answer, shop } = await sent({ threeDSecure: { ...RESULT, eci: null } })

    expect(answer).toMatchObject({
      code: 'invalid_request_parameters',
      facts: { rawDescription: expect.stringContaining('send the eci') },
    })
    expect(shop.sent).toEqual([])
  })

  test('of version 1 is refused by Worldpay, which tells the place', async () => {
    const { answer } = await sent({
      threeDSecure: { ...RESULT, version: '1.0.2', directoryTransactionId: null },
    })

    expect(answer).toMatchObject({
      code: 'invalid_service_request',
      facts: { rawDescription: 'wrong: $.authentication.threeDS.transactionId' },
    })
  })
})

describe('a network token', () => {
  const token = {
    kind: 'network-token',
    source: 'network-token',
    token: secret('4242424242424242'),
    expirationDate: '06/30',
    cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
    eci: '7',
    scheme: 'visa',
    cardholderName: 'Jane Doe',
    cardSource: null,
  } as const

  test.each([
    [null, 'card/networkToken'],
    ['apple-pay', 'card/networkToken+applepay'],
    ['google-pay', 'card/networkToken+googlepay'],
  ] as const)('of %s', async (cardSource, type) => {
    const { body, instruction } = await sent({ instrument: { ...token, cardSource } })

    expect(instruction['paymentInstrument']).toEqual({
      type,
      tokenNumber: '4242424242424242',
      expiryDate: { month: 6, year: 2030 },
      cardHolderName: 'Jane Doe',
    })
    expect(body['authentication']).toEqual({
      networkToken: { cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=', eci: '07' },
    })
  })

  test('without its cryptogram is refused by Worldpay, but not without the buyer', async () => {
    const instrument = { ...token, cryptogram: null }

    expect((await sent({ instrument })).answer).toMatchObject({ code: 'invalid_service_request' })
    expect((await sent({ instrument, isMerchantInitiated: true })).answer).toMatchObject({
      outcome: 'approved',
    })
  })

  test('of Worldpay is not known: nothing is sent', async () => {
    const instrument = {
      kind: 'provider-token',
      method: 'card',
      token: secret('x'),
      securityCode: null,
    } as const
    const { answer, shop } = await sent({ instrument })

    expect(answer).toMatchObject({ code: 'unsupported_payment_method' })
    expect(shop.sent).toEqual([])
  })
})

test('an order by telephone says so', async () => {
  expect((await sent({ paymentSource: 'moto', billing: named('Jane') })).body['channel']).toBe('moto')
})

test('captures, refunds and releases name their attempt, by which they are found', async () => {
  const shop = openShop()
  const order = samples.authorizeOrder()
  const paid = await authorize(order, shop.link)
  const on = { order, reference: 'reference' in paid ? (paid.reference ?? '') : '' }
  const acts = [
    samples.captureOrder(on, { amount: 500, isFinal: false }),
    samples.voidOrder(on, { amount: 799 }),
    samples.refundOrder(on, { amount: 100 }),
  ] as const
  await capture(acts[0], shop.link)
  await release(acts[1], shop.link)
  await refund(acts[2], shop.link)

  const [, linkData] = on.reference.split(/\.(.*)/)
  const value = (amount: number) => ({ amount, currency: 'USD' })
  expect(shop.sent.slice(1)).toEqual([
    {
      path: `/payments/settlements/partials/${linkData}`,
      body: { reference: acts[0].attemptId, value: value(500) },
    },
    { path: `/payments/authorizations/cancellations/${linkData}`, body: { reference: acts[1].attemptId } },
    {
      path: `/payments/settlements/refunds/partials/${linkData}`,
      body: { reference: acts[2].attemptId, value: value(100) },
    },
  ])
})

test('a reference that is none of Worldpay is refused, and nothing is sent', async () => {
  const shop = openShop()
  const on = { order: samples.authorizeOrder(), reference: '../../other' }

  expect(await capture(samples.captureOrder(on), shop.link)).toMatchObject({
    code: 'unknown_service_resource',
  })
  expect(shop.sent).toEqual([])
})

test('currencies whose exponents may change are not offered', () => {
  expect(CURRENCIES.filter((one) => ['CLP', 'CVE', 'ISK', 'UGX'].includes(one))).toEqual([])
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
  expect(CURRENCIES.every((one) => /^[A-Z]{3}$/.test(one))).toBe(true)
})
