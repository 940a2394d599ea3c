import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adyenContract, problemsOfMessage } from '#connectors/adyen/testing/published-contract.ts'
import { payPalContract } from '#connectors/paypal/testing/published-contract.ts'
import siftContract from '#connectors/sift/testing/contract.json' with { type: 'json' }
import { stripeContract } from '#connectors/stripe/testing/published-contract.ts'
import { openContract } from './published-contract.ts'

/** The contracts would find each kind of mistake. */

const ADYEN = {
  url: 'https://checkout-test.adyen.com/v71/payments',
  right: {
    merchantAccount: 'Shop',
    amount: { value: 1299, currency: 'USD' },
    reference: 'attempt',
    returnUrl: 'https://shop.example.com/return',
    paymentMethod: { type: 'scheme', number: '4111111111111111', expiryMonth: '03', expiryYear: '2030' },
  },
}
const PAYPAL = {
  url: 'https://api-m.sandbox.paypal.com/v2/checkout/orders',
  right: {
    intent: 'CAPTURE',
    purchase_units: [{ custom_id: 'attempt', amount: { currency_code: 'USD', value: '12.99' } }],
    payment_source: { card: { number: '4111111111111111', expiry: '2030-03' } },
  },
}
const STRIPE = {
  url: 'https://api.stripe.com/v1/payment_intents',
  right: 'amount=1299&currency=usd&payment_method=pm_1&payment_method_options[card][moto]=true',
}
const SIFT = {
  url: 'https://api.sift.com/v205/events',
  right: { $type: '$create_order', $api_key: 'key', $user_id: 'jane', $billing_address: { $country: 'NL' } },
}
const sift = openContract(siftContract)
const [unit] = PAYPAL.right.purchase_units

describe.each([
  [
    'Adyen',
    (body: unknown) => problemsIn(adyenContract, ADYEN.url, body),
    ADYEN.right,
    [
      [{ ...ADYEN.right, amount: { ...ADYEN.right.amount, cents: 1 } }, '(cents)'],
      [{ ...ADYEN.right, channel: 'Fax' }, '/channel must be equal to one of the allowed values'],
      [{ ...ADYEN.right, merchantOrderReference: 'x'.repeat(1_001) }, 'more than 1000 characters'],
      [{ ...ADYEN.right, amount: { ...ADYEN.right.amount, value: '12' } }, '/amount/value must be integer'],
      [{ ...ADYEN.right, amount: undefined }, "required property 'amount'"],
    ],
  ],
  [
    'PayPal',
    (body: unknown) => problemsIn(payPalContract, PAYPAL.url, body),
    PAYPAL.right,
    [
      [{ ...PAYPAL.right, purchase_units: [{ ...unit, custom: 'x' }] }, '(custom)'],
      [
        { ...PAYPAL.right, payment_source: { card: { ...PAYPAL.right.payment_source.card, cvc: '1' } } },
        '(cvc)',
      ],
      [{ ...PAYPAL.right, intent: 'TAKE' }, '/intent must be equal to one of the allowed values'],
      [
        { ...PAYPAL.right, purchase_units: [{ ...unit, description: 'x'.repeat(2_049) }] },
        '/description must NOT have more',
      ],
      [{ ...PAYPAL.right, intent: undefined }, "required property 'intent'"],
    ],
  ],
  [
    'Stripe',
    (body: unknown) => problemsIn(stripeContract, STRIPE.url, body),
    STRIPE.right,
    [
      [`${STRIPE.right}&colour=red`, '(colour)'],
      [`${STRIPE.right}&payment_method_options[card][fax]=true`, '(fax)'],
      [`${STRIPE.right}&capture_method=later`, '/capture_method must be equal to one of the allowed values'],
      [`${STRIPE.right}&description=${'x'.repeat(1_001)}`, 'more than 1000 characters'],
      [STRIPE.right.replace('1299', 'much'), '/amount must be integer'],
    ],
  ],
  [
    'Sift',
    (body: unknown) => problemsIn(sift, SIFT.url, body),
    SIFT.right,
    [
      [{ ...SIFT.right, $colour: 'red' }, '($colour)'],
      [{ ...SIFT.right, $billing_address: { $street: 'Damrak' } }, '($street)'],
      [{ ...SIFT.right, $type: '$order' }, '/$type must be equal to one of the allowed values'],
      [{ ...SIFT.right, $user_id: 'Jane Doe' }, '/$user_id must match pattern'],
      [{ ...SIFT.right, $user_id: undefined }, "required property '$session_id'"],
    ],
  ],
] as const)('the published contract of %s', (_provider, problems, right, wrong) => {
  test('has a request that is right', () => {
    expect(problems(right)).toEqual([])
  })

  test.each(wrong as readonly (readonly [unknown, string])[])('finds a mistake: %o', (body, found) => {
    expect(problems(body).join('\n')).toContain(found)
  })
})

const PROVIDERS = readdirSync('connectors').filter(
  (name) => !['contract', 'simulators', 'switchyard-gift-card'].includes(name),
)

test.each(PROVIDERS)('%s has its contract here, and generated requests for all that it is asked', (name) => {
  const files = readdirSync(join('connectors', name))
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  const text = tests.map((file) => readFileSync(join('connectors', name, file), 'utf8')).join('\n')
  const places = [`connectors/${name}/testing/contract.json`, `sandbox/stand-ins/${name}/contract.json`]

  expect(places.some((place) => existsSync(place))).toBe(true)
  expect(text).toMatch(/^\s*describe(Generated|Judged)\(/m)
  if (files.includes('network-tokens.ts')) expect(text).toMatch(/^describeGeneratedTokens\(/m)
  if (files.includes('account-updater.ts')) expect(text).toMatch(/^describeGeneratedUpdates\(/m)
})

test('a path, a parameter and a body that the contract does not have are found', () => {
  const ask = (method: string, url: string, body = '') =>
    payPalContract.problemsOfRequest({ method, url, body })
  const list = 'https://api-m.sandbox.paypal.com/v1/customer/disputes'

  expect(ask('GET', `${list}?disputed_transaction_id=8AB12345CD678901E`)).toEqual([])
  expect(ask('GET', `${list}?transaction=1`).join()).toContain('(transaction)')
  expect(ask('GET', list, '{}').join()).toContain('takes no body')
  expect(ask('PUT', list).join()).toContain('is not in the contract')
})

test('an answer and a webhook that the contract does not have are found', async () => {
  const complaints: string[] = []
  const answer = { pspReference: 1, resultCode: 'Perhaps' }
  const fetch = adyenContract.watch(async () => Response.json(answer), {
    complain: (found) => complaints.push(...found),
  })
  await fetch(ADYEN.url, { method: 'POST', body: JSON.stringify(ADYEN.right) })
  const item = { eventCode: 'AUTHORISATION', success: 'perhaps' }

  expect(complaints.join()).toContain('/resultCode must be equal to one of the allowed values')
  expect(
    problemsOfMessage(JSON.stringify({ notificationItems: [{ NotificationRequestItem: item }] })),
  ).not.toEqual([])
  expect(adyenContract.problemsOfWebhook('PARTY', {})).toEqual(['webhook PARTY is not in the contract'])
})

function problemsIn(contract: typeof adyenContract, url: string, body: unknown): readonly string[] {
  return contract.problemsOfRequest({
    method: 'POST',
    url,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
