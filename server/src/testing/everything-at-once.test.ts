import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from './harness.ts'

const BAD_CARD = {
  method: 'card',
  number: '4111111111111112',
  expiration_date: '13/30',
  security_code: '12',
}
const BAD_CARD_AT = (at: string) => [
  [`${at}/number`, 'value_error.luhn'],
  [`${at}/expiration_date`, 'value_error.str.regex'],
  [`${at}/security_code`, 'value_error.str.regex'],
]

let service: TestService
let sessionId = ''
let buyerId = ''
beforeAll(async () => {
  service = await startTestService()
  sessionId = (await service.send('POST /checkout/sessions')).json().id
  buyerId = (await service.send('POST /buyers', {})).json().id
})
afterAll(() => service.close())

type Case = { readonly route: string; readonly body: object; readonly wrong: readonly (readonly string[])[] }

/**
 * Each body has mistakes of form, which a schema finds, and mistakes of meaning, which no schema can find.
 */
const CASES: readonly Case[] = [
  { route: 'POST /payment-methods', body: BAD_CARD, wrong: BAD_CARD_AT('') },
  {
    route: 'POST /payment-methods',
    body: { number: '41111111', expiration_date: '01/20' },
    wrong: [
      ['/method', 'value_error.missing'],
      ['/number', 'value_error.str.regex'],
      ['/expiration_date', 'value_error.expired'],
    ],
  },
  {
    route: 'POST /payment-methods',
    body: { ...BAD_CARD, buyer_id: '01900000-0000-7000-8000-0000000000ff', buyer_external_identifier: 'x' },
    wrong: [...BAD_CARD_AT(''), ['/buyer_external_identifier', 'value_error.conflict']],
  },
  {
    route: 'PUT /payment-methods/01900000-0000-7000-8000-0000000000ff',
    body: { expiration_date: '00/30', scheme_transaction_id_scheme: 'vissa' },
    wrong: [
      ['/expiration_date', 'value_error.str.regex'],
      ['/scheme_transaction_id_scheme', 'type_error.enum'],
    ],
  },
  ...['PUT', 'POST'].map((method) => ({
    route: `${method} /checkout/sessions/:session/fields`,
    body: { payment_method: BAD_CARD, postal_code: '' },
    wrong: [...BAD_CARD_AT('/payment_method'), ['/postal_code', 'value_error.any_str.min_length']],
  })),
  {
    route: 'PUT /checkout/sessions/:session/fields',
    body: { payment_method: { method: 'card', number: '41111111', expiration_date: '01/20' } },
    wrong: [
      ['/payment_method/number', 'value_error.str.regex'],
      ['/payment_method/expiration_date', 'value_error.expired'],
    ],
  },
  {
    route: 'PUT /checkout/sessions/:session/fields',
    body: { payment_method: { method: 'cash' }, surprise: true },
    wrong: [
      ['/payment_method/method', 'type_error.enum'],
      ['/surprise', 'value_error.extra'],
    ],
  },
  ...['POST /checkout/sessions', 'PUT /checkout/sessions/:session'].map((route) => ({
    route,
    body: {
      amount: 12.99,
      currency: 'ZZZ',
      country: 'XX',
      buyer: { display_name: '', billing_details: { address: { country: 'ZZ' } } },
    },
    wrong: [
      ['/amount', 'type_error.integer'],
      ['/currency', 'type_error.enum'],
      ['/country', 'type_error.enum'],
      ['/buyer/display_name', 'value_error.any_str.min_length'],
      ['/buyer/billing_details/address/country', 'type_error.enum'],
    ],
  })),
  {
    route: 'POST /transactions',
    body: {
      amount: 12.99,
      currency: 'ZZZ',
      country: 'XX',
      payment_method: BAD_CARD,
      gift_cards: [{ number: '1', pin: '1', amount: 0 }],
      buyer: { billing_details: { address: { country: 'ZZ' } } },
    },
    wrong: [
      ['/amount', 'type_error.integer'],
      ['/currency', 'type_error.enum'],
      ['/country', 'type_error.enum'],
      ...BAD_CARD_AT('/payment_method'),
      ['/gift_cards/0/number', 'value_error.str.regex'],
      ['/gift_cards/0/amount', 'value_error.number.not_ge'],
      ['/buyer/billing_details/address/country', 'type_error.enum'],
    ],
  },
  {
    route: 'POST /transactions',
    body: {
      amount: 0,
      currency: 'usd',
      intent: 'capture',
      merchant_initiated: true,
      payment_source: 'phone',
      payment_method: { method: 'network-token', token: '4111111111111111', expiration_date: '01/20' },
    },
    wrong: [
      ['/amount', 'value_error.number.not_ge'],
      ['/currency', 'value_error.str.regex'],
      // Without the rules for merchant_initiated: the payment source is unknown.
      ['/payment_source', 'type_error.enum'],
      ['/payment_method/expiration_date', 'value_error.expired'],
    ],
  },
  ...['POST /buyers', 'PUT /buyers/:buyer'].map((route) => ({
    route,
    body: {
      external_identifier: '',
      billing_details: { address: { country: 'ZZ' }, tax_id: { value: '1' } },
    },
    wrong: [
      ['/external_identifier', 'value_error.any_str.min_length'],
      ['/billing_details/address/country', 'type_error.enum'],
      ['/billing_details/tax_id/kind', 'value_error.missing'],
    ],
  })),
  {
    route: 'POST /buyers/:buyer/shipping-details',
    body: { address: { country: 'ZZ' }, first_name: '' },
    wrong: [
      ['/address/country', 'type_error.enum'],
      ['/first_name', 'value_error.any_str.min_length'],
    ],
  },
  {
    route: 'POST /gift-cards',
    body: { number: '12', buyer_id: '01900000-0000-7000-8000-0000000000ff', buyer_external_identifier: 'x' },
    wrong: [
      ['/pin', 'value_error.missing'],
      ['/number', 'value_error.any_str.min_length'],
      ['/buyer_external_identifier', 'value_error.conflict'],
    ],
  },
  {
    route: 'POST /gift-cards/activations',
    body: { number: 'x', amount: 10, store: true },
    wrong: [
      ['/currency', 'value_error.missing'],
      ['/pin', 'value_error.missing'],
      ['/number', 'value_error.any_str.min_length'],
    ],
  },
  {
    route: 'POST /gift-cards/issuances',
    body: { theme: '', amount: 1, currency: 'ZZZ' },
    wrong: [
      ['/theme', 'value_error.any_str.min_length'],
      ['/currency', 'type_error.enum'],
    ],
  },
  {
    route: 'POST /gift-cards/balances',
    body: { items: [{ number: '12', pin: '1' }, 'x'] },
    wrong: [
      ['/items/0/number', 'value_error.any_str.min_length'],
      ['/items/1', 'type_error.object'],
    ],
  },
  ...['POST /webhook-subscriptions', 'PUT /webhook-subscriptions/01900000-0000-7000-8000-0000000000ff'].map(
    (route) => ({
      route,
      body: { active: 'yes', url: 'ftp://shop.example', authentication: { kind: 'basic', username: 'x' } },
      wrong: [
        ['/active', 'type_error.bool'],
        ['/url', 'value_error.url'],
        ['/authentication/password', 'value_error.missing'],
      ],
    }),
  ),
  {
    route: 'POST /webhook-subscriptions/01900000-0000-7000-8000-0000000000ff/replay',
    body: { until: 'soon' },
    wrong: [
      ['/since', 'value_error.missing'],
      ['/until', 'type_error.datetime'],
    ],
  },
  {
    route: 'POST /payment-options',
    body: { amount: '1', currency: 'ZZZ', country: 'ZZ' },
    wrong: [
      ['/amount', 'type_error.integer'],
      ['/currency', 'type_error.enum'],
      ['/country', 'type_error.enum'],
    ],
  },
  {
    route: 'POST /merchant-accounts/default/three-ds-configurations',
    body: { currency: 'ZZZ' },
    wrong: [
      ['/merchant_acquirer_bin', 'value_error.missing'],
      ['/currency', 'type_error.enum'],
    ],
  },
  {
    route: 'POST /merchant-accounts',
    body: { id: 'a b', display_name: 'Shop', loon_client_key: 'key' },
    wrong: [
      ['/loon_secret_key', 'value_error.missing'],
      ['/id', 'value_error.str.regex'],
    ],
  },
]

describe('form and meaning are judged together, in the order of the request', () => {
  test.each(CASES)('$route $body', async ({ route, body, wrong }) => {
    const response = await service.send(route.replace(':session', sessionId).replace(':buyer', buyerId), body)

    expect(response.statusCode, response.body).toBe(400)
    const { message, details } = response.json()
    const found = details.map(({ pointer, type }: Record<string, string>) => [pointer, type])
    expect(message).toBe('Request failed validation')
    expect(found).toEqual(expect.arrayContaining([...wrong]))
    expect(found.filter(([pointer]: string[]) => wrong.some(([at]) => at === pointer))).toEqual(wrong)
    expect(new Set(found.map(([pointer]: string[]) => pointer)).size).toBe(found.length)
  })
})

test('a query is judged like a body', async () => {
  const response = await service.send('GET /card-details?currency=ZZZ&country=gb&intent=void')

  expect(response.json().details).toMatchObject([
    { location: 'query', pointer: '/bin', type: 'value_error.missing' },
    { location: 'query', pointer: '/currency', type: 'type_error.enum' },
    { location: 'query', pointer: '/country', type: 'value_error.str.regex' },
    { location: 'query', pointer: '/intent', type: 'type_error.enum' },
  ])
})

test('a card that expires between a payment and its retry does not turn the stored answer into a refusal', async () => {
  const own = await startTestService()
  try {
    const now = new Date()
    const expiresMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 12)
    own.moveClock(expiresMs - Date.now() - 3_600_000)
    const times = { nbf: Math.floor(expiresMs / 1000) - 7_200, exp: Math.floor(expiresMs / 1000) + 7_200 }
    const token = await signToken(own.admin, times)
    const expiration_date = `${now.toISOString().slice(5, 7)}/${now.toISOString().slice(2, 4)}`
    const payment_method = { ...BAD_CARD, number: '4111111111111111', expiration_date, security_code: '123' }
    const body = { amount: 1299, currency: 'USD', payment_method }
    const pay = (key: string) =>
      own.send('POST /transactions', body, { token, headers: { 'idempotency-key': key } })

    const paid = await pay('order-1')
    own.moveClock(7_200_000)
    const again = await pay('order-1')
    const another = await pay('order-2')

    expect(paid.statusCode, paid.body).toBe(201)
    expect(again.statusCode, again.body).toBe(201)
    expect(again.json().id).toBe(paid.json().id)
    expect(another.json().details).toMatchObject([{ type: 'value_error.expired' }])
  } finally {
    await own.close()
  }
})
