import { describe, expect, test } from 'vitest'
import { adyenContract, problemsOfMessage } from '#connectors/adyen/testing/published-contract.ts'
import { payPalContract } from '#connectors/paypal/testing/published-contract.ts'
import { stripeContract } from '#connectors/stripe/testing/published-contract.ts'

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
] as const)('the published contract of %s', (_provider, problems, right, wrong) => {
  test('has a request that is right', () => {
    expect(problems(right)).toEqual([])
  })

  test.each(wrong as readonly (readonly [unknown, string])[])('finds a mistake: %o', (body, found) => {
    expect(problems(body).join('\n')).toContain(found)
  })
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
