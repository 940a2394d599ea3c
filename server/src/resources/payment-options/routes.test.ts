import { afterAll, beforeAll, expect, test } from 'vitest'
import { pointers } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const ask = (body: unknown, options = {}) => service.send('POST /payment-options', body, options)

test('a sandbox offers cards from the start', async () => {
  const response = await ask({
    amount: 0,
    currency: 'USD',
    country: 'US',
    locale: 'de-DE',
    metadata: { order: '4711' },
    cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 0 }],
  })

  expect(response.statusCode, response.body).toBe(200)
  expect(response.json()).toEqual({
    items: [
      {
        type: 'payment-option',
        method: 'card',
        mode: 'card',
        label: 'Card',
        icon_url: 'http://127.0.0.1:3000/assets/payment-methods/card.svg',
        can_store_payment_method: true,
        can_delay_capture: true,
        context: null,
      },
    ],
  })
})

test('a page may call it, and gets options for what its token pins', async () => {
  const token = await signToken(service.admin, {
    scopes: ['embed'],
    embed: { amount: 1299, currency: 'USD' },
  })

  const response = await ask({}, { token })
  const contradicting = await ask({ currency: 'EUR' }, { token })

  expect(response.statusCode, response.body).toBe(200)
  expect(response.headers['access-control-allow-origin']).toBe('*')
  expect(response.json().items).toHaveLength(1)
  expect(pointers(contradicting)).toEqual([['/currency', 'value_error.conflict']])
})

test.each<[object, string, string]>([
  [{ currency: 'ZZZ' }, '/currency', 'type_error.enum'],
  [{ currency: 'usd' }, '/currency', 'value_error.str.regex'],
  [{ country: 'ZZ' }, '/country', 'type_error.enum'],
  [{ amount: -1 }, '/amount', 'value_error.number.not_ge'],
  [{ amount: '1' }, '/amount', 'type_error.integer'],
  [{ locale: '' }, '/locale', 'value_error.any_str.min_length'],
  [{ locale: null }, '/locale', 'type_error.string'],
  [
    { cart_items: [{ name: 'Bag', quantity: 0, unit_amount: 1 }] },
    '/cart_items/0/quantity',
    'value_error.number.not_ge',
  ],
])('refuses %j', async (body, pointer, type) => {
  const response = await ask(body)

  expect(response.statusCode).toBe(400)
  expect(pointers(response)).toEqual([[pointer, type]])
})
