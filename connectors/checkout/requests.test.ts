import { describe, expect, test } from 'vitest'
import type { AuthorizeOrder, Contact } from '#connectors/contract/orders.ts'
import * as samples from '#connectors/contract/samples.ts'
import { secret } from '#connectors/contract/secret.ts'
import { problemsWith } from '#sandbox/stand-ins/checkout/contract.ts'
import { authorize } from './authorize.ts'
import { CURRENCIES } from './currency.ts'
import { capture, refund, release } from './follow-ups.ts'
import { toPaymentRequest } from './payment-request.ts'
import { CARD_ORDER, openShop, RETURN_URL } from './testing/shop.ts'

/** What is sent, against the published contract in the stand-in. */

const { link } = openShop()

function bodyOf(over: Partial<AuthorizeOrder>, fields: Record<string, string> = {}) {
  const order = samples.authorizeOrder({ ...CARD_ORDER, ...over })
  const body = toPaymentRequest(order, { ...link, fields })
  expect(problemsWith(body, 'PaymentRequest')).toEqual([])
  return { order, body: body as Record<string, unknown> }
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

test.each([
  ['GB29 NWBK 6016 1331 9268 19', 'GB29NWBK60'],
  ['4111111111111111', '4111111111'],
  ['4711', undefined],
])('the recipient of an account funding is named, with ten signs of %s', (account_number, sent) => {
  const address = { postal_code: 'W1T 4TJ', country: 'GB', city: 'London' }
  const recipient = {
    first_name: 'John',
    last_name: 'x'.repeat(60),
    date_of_birth: '1985-05-15',
    account_number,
    address,
  }
  const { body } = bodyOf({ details: { recipient, account_funding_transaction: true } })

  expect(body).toMatchObject({ processing: { aft: true } })
  expect(body['recipient']).toEqual({
    first_name: 'John',
    last_name: 'x'.repeat(50),
    dob: '1985-05-15',
    zip: 'W1T',
    country: 'GB',
    ...(sent && { account_number: sent }),
  })
})

test('a card is sent whole, with our ids', () => {
  const buyer = { id: null, ipAddress: '2001:db8::7', locale: null }
  const details = { description: 'Shoes', statement_descriptor: { name: 'Shop', city: 'Berlin' } }
  const { order, body } = bodyOf({ billing: JANE, shipping: JANE, buyer, details, intent: 'capture' })

  const address = {
    address_line1: '12 Main Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62704',
    country: 'US',
  }
  expect(body).toEqual({
    source: {
      type: 'card',
      number: samples.CARD_NUMBER,
      expiry_month: 12,
      expiry_year: 2035,
      cvv: '100',
      name: 'Jane Doe',
      billing_address: address,
    },
    amount: 1299,
    currency: 'USD',
    capture: true,
    payment_type: 'Regular',
    merchant_initiated: false,
    reference: order.reconciliationId,
    metadata: { attempt: order.attemptId, transaction: order.transactionId, intent: 'capture' },
    description: 'Shoes',
    customer: { email: 'jane@example.com', name: 'Jane Doe' },
    shipping: { address },
    billing_descriptor: { name: 'Shop', city: 'Berlin' },
    risk: { device: { network: { ipv6: '2001:db8::7' } } },
    success_url: RETURN_URL,
    failure_url: RETURN_URL,
    '3ds': { enabled: false, allow_upgrade: true },
  })
})

test.each([
  [
    'a descriptor without a city',
    { details: { statement_descriptor: { name: 'Shop' } } },
    'billing_descriptor',
  ],
  ['a customer without an address for mail', { billing: { ...JANE, email_address: null } }, 'customer'],
  ['an address without a country', { shipping: { ...JANE, address: null } }, 'shipping'],
  ['what is no IP address', { buyer: { id: null, ipAddress: 'unknown', locale: null } }, 'risk'],
])('%s is left out', (_what, over, field) => {
  expect(bodyOf(over as Partial<AuthorizeOrder>).body).not.toHaveProperty(field)
})

describe('3-D Secure', () => {
  const result = {
    version: '2.2.0',
    eci: '05',
    cavv: '3q2+78r+ur7erb7vyv66vv////8=',
    directoryTransactionId: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d',
    directoryResponse: 'Y',
    authenticationResponse: null,
    xid: null,
    cavvAlgorithm: null,
  }

  test.each<[string, Partial<AuthorizeOrder>, object]>([
    ['by Checkout.com', { threeDSecure: 'provider' }, { enabled: true }],
    [
      'elsewhere',
      { threeDSecure: result },
      {
        enabled: true,
        version: '2.2.0',
        eci: '05',
        cryptogram: result.cavv,
        xid: result.directoryTransactionId,
        status: 'Y',
      },
    ],
    ['not at all, though the bank may ask', {}, { enabled: false, allow_upgrade: true }],
    ['without a page to come back to', { redirectUrl: null }, { enabled: false, allow_upgrade: false }],
    [
      'without the buyer',
      { threeDSecure: 'provider', isMerchantInitiated: true },
      { enabled: false, allow_upgrade: false },
    ],
    ['by telephone', { paymentSource: 'moto' }, { enabled: false, allow_upgrade: false }],
  ])('%s', (_how, over, expected) => {
    expect(bodyOf(over).body['3ds']).toEqual(expected)
  })

  test('by Checkout.com without an address to return to is refused, and nothing is sent', async () => {
    const shop = openShop()
    const order = samples.authorizeOrder({ ...CARD_ORDER, threeDSecure: 'provider', redirectUrl: null })

    const answer = await authorize(order, shop.link)

    expect(answer).toMatchObject({ outcome: 'failed', code: 'invalid_request_parameters' })
    expect(shop.sent).toEqual([])
  })
})

describe('a stored credential', () => {
  const later = { isSubsequentPayment: true, previousSchemeTransactionId: '489341065491658' }

  test.each<[string, Partial<AuthorizeOrder>, object, object]>([
    [
      'that starts a subscription',
      { paymentSource: 'recurring' },
      { payment_type: 'Recurring', merchant_initiated: false },
      { cvv: '100' },
    ],
    [
      'in a subscription, without the buyer',
      {
        ...later,
        paymentSource: 'recurring',
        isMerchantInitiated: true,
        previousTransactionLinkId: 'MCC-link',
      },
      {
        payment_type: 'Recurring',
        merchant_initiated: true,
        previous_payment_id: '489341065491658',
        processing: { scheme_transaction_link_id: 'MCC-link' },
      },
      { stored: true },
    ],
    [
      'charged when the shop wants',
      { ...later, paymentSource: 'card_on_file', isMerchantInitiated: true },
      { payment_type: 'Unscheduled', merchant_initiated: true },
      { stored: true },
    ],
    [
      'in an instalment',
      { ...later, paymentSource: 'installment', isMerchantInitiated: true },
      { payment_type: 'Installment' },
      { stored: true },
    ],
    [
      'that the buyer uses again',
      { ...later, paymentSource: 'card_on_file' },
      { payment_type: 'Regular', merchant_initiated: false },
      { stored: true, cvv: '100' },
    ],
    ['told by telephone', { paymentSource: 'moto' }, { payment_type: 'MOTO' }, {}],
  ])('%s', (_what, over, expected, source) => {
    const { body } = bodyOf(over)

    expect(body).toMatchObject({ ...expected, source })
    if (over.isMerchantInitiated) expect(body['source']).not.toHaveProperty('cvv')
  })
})

describe('an instrument', () => {
  const token = {
    kind: 'network-token',
    source: 'network-token',
    token: secret('4242424242424242'),
    expirationDate: '06/30',
    cryptogram: secret('AgAAAAAAAIR8CQrXcIhbQAAAAAA='),
    eci: '07',
    scheme: 'visa',
    cardholderName: null,
    cardSource: null,
  } as const

  test.each<[string, Partial<typeof token> | object, string]>([
    ['token of Visa', {}, 'vts'],
    ['token of Mastercard', { scheme: 'mastercard' }, 'mdes'],
    ['opened Apple Pay', { cardSource: 'apple-pay', scheme: 'amex', cardholderName: 'Jane Doe' }, 'applepay'],
    ['opened Google Pay', { cardSource: 'google-pay' }, 'googlepay'],
  ])('%s is a network token', (_what, over, token_type) => {
    const { body } = bodyOf({ instrument: { ...token, ...over } })

    expect(body['source']).toMatchObject({
      type: 'network_token',
      token_type,
      token: '4242424242424242',
      expiry_month: 6,
      expiry_year: 2030,
      cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=',
      eci: '07',
    })
  })

  test.each<[string, AuthorizeOrder['instrument'], string]>([
    ['a token of another scheme', { ...token, scheme: 'jcb' }, 'unsupported_scheme'],
    [
      'a token of another provider',
      { kind: 'provider-token', method: 'card', token: secret('tok_1'), securityCode: null },
      'unavailable_payment_method',
    ],
    [
      'a redirect',
      { kind: 'redirect', method: 'ideal', country: 'NL', currency: 'EUR' },
      'unsupported_payment_method',
    ],
  ])('%s is refused, and nothing is sent', async (_what, instrument, code) => {
    const shop = openShop()

    const answer = await authorize(samples.authorizeOrder({ instrument }), shop.link)

    expect(answer).toMatchObject({ outcome: 'failed', code })
    expect(shop.sent).toEqual([])
  })

  test('token without its cryptogram is refused by Checkout.com', async () => {
    const instrument = { ...token, cryptogram: null }

    const answer = await authorize(samples.authorizeOrder({ instrument }), link)

    expect(answer).toMatchObject({
      code: 'invalid_service_request',
      facts: { rawCode: 'cryptogram_required' },
    })
  })
})

test('the account says what else is sent', () => {
  const channel = 'pc_hpswyyx23geezflc2ocz3exn4y'
  const held = bodyOf({}, { processing_channel_id: channel, estimated_authorizations: 'true' })
  const sold = bodyOf({ intent: 'capture', isPartialAllowed: true }, { estimated_authorizations: 'true' })

  expect(held.body).toMatchObject({ processing_channel_id: channel, authorization_type: 'Estimated' })
  expect(sold.body).toMatchObject({ partial_authorization: { enabled: true } })
  expect(sold.body).not.toHaveProperty('authorization_type')
})

test('an amount of zero verifies the card, and captures nothing', async () => {
  const order = samples.authorizeOrder({ ...CARD_ORDER, amount: 0, intent: 'capture' })

  expect(await authorize(order, link)).toMatchObject({ outcome: 'approved', facts: { rawCode: '10000' } })
  expect(bodyOf({ amount: 0, intent: 'capture' }).body['capture']).toBe(false)
})

describe('amounts', () => {
  test.each(['BHD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])(
    'in %s that Checkout.com cannot state are refused without a request',
    async (currency) => {
      const shop = openShop()
      const order = samples.authorizeOrder({ ...CARD_ORDER, currency, amount: 1312 })
      const on = { order, reference: 'pay_mbabizu24mvu3mela5njyhpit4' }
      const refused = { outcome: 'failed', code: 'invalid_amount' }

      expect(await authorize(order, shop.link)).toMatchObject(refused)
      expect(await capture(samples.captureOrder(on), shop.link)).toMatchObject(refused)
      expect(await refund(samples.refundOrder(on), shop.link)).toMatchObject(refused)
      expect(shop.sent).toEqual([])
      expect(await authorize({ ...order, amount: 1310 }, shop.link)).toMatchObject({ outcome: 'approved' })
    },
  )

  test('are those of ISO 4217 in every currency that is offered', () => {
    const doubtful = ['CLF', 'CLP', 'UYI', 'IQD']

    expect(CURRENCIES.filter((currency) => doubtful.includes(currency))).toEqual([])
    expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
    expect(CURRENCIES.every((currency) => /^[A-Z]{3}$/.test(currency))).toBe(true)
  })
})

test('captures say whether another one follows, and every act carries its attempt', async () => {
  const shop = openShop()
  const order = samples.authorizeOrder(CARD_ORDER)
  const paid = await authorize(order, shop.link)
  const on = { order, reference: 'reference' in paid ? (paid.reference ?? '') : '' }
  const [first, rest] = [
    samples.captureOrder(on, { amount: 500, isFinal: false }),
    samples.voidOrder(on, { amount: 799 }),
  ]
  await capture(first, shop.link)
  await release(rest, shop.link)

  expect(shop.sent.slice(1)).toEqual([
    {
      path: `/payments/${on.reference}/captures`,
      key: first.attemptId,
      body: {
        amount: 500,
        capture_type: 'NonFinal',
        reference: order.reconciliationId,
        metadata: { capture_attempt: first.attemptId },
      },
    },
    {
      path: `/payments/${on.reference}/voids`,
      key: rest.attemptId,
      body: { reference: order.reconciliationId, metadata: { void_attempt: rest.attemptId } },
    },
  ])
})
