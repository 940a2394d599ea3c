import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'

const STORED = '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const ask = (query: string) => service.send(`GET /card-details?${query}`)

test('shows the details of a co-badged card', async () => {
  const response = await ask('currency=EUR&bin=40355010')

  expect(response.statusCode, response.body).toBe(200)
  expect(response.json()).toEqual({
    type: 'card-detail',
    id: '40355010',
    card_type: 'debit',
    scheme: 'visa',
    additional_schemes: ['carte-bancaire'],
    additional_schemes_details: [
      {
        scheme: 'carte-bancaire',
        icon_url: 'http://127.0.0.1:3000/assets/card-schemes/carte-bancaire.svg',
      },
    ],
    scheme_icon_url: 'http://127.0.0.1:3000/assets/card-schemes/visa.svg',
    country: 'FR',
    required_fields: null,
  })
})

test('uses the number alone if the table has no entry', async () => {
  const response = await ask('currency=USD&bin=5399999')

  expect(response.json()).toMatchObject({
    id: '5399999',
    scheme: 'mastercard',
    additional_schemes: [],
    additional_schemes_details: [],
    card_type: null,
    country: null,
  })
})

test('shows an unknown scheme as other', async () => {
  const response = await ask('currency=USD&bin=999999')

  expect(response.json()).toMatchObject({
    scheme: 'other',
    scheme_icon_url: 'http://127.0.0.1:3000/assets/card-schemes/other.svg',
  })
})

test('accepts all fields about the payment', async () => {
  const metadata = encodeURIComponent('{"order":"1"}')
  const response = await ask(
    `currency=USD&bin=411111&country=US&amount=1299&intent=capture&is_subsequent_payment=true&merchant_initiated=false&metadata=${metadata}&payment_source=recurring`,
  )

  expect(response.statusCode, response.body).toBe(200)
})

test.each([
  ['bin=411111', '/currency', 'value_error.missing'],
  ['currency=usd&bin=411111', '/currency', 'value_error.str.regex'],
  ['currency=XYZ&bin=411111', '/currency', 'type_error.enum'],
  ['currency=USD', '/bin', 'value_error.missing'],
  [`currency=USD&bin=411111&payment_method_id=${STORED}`, '/bin', 'value_error.conflict'],
  ['currency=USD&bin=41111', '/bin', 'value_error.any_str.min_length'],
  ['currency=USD&bin=411111111', '/bin', 'value_error.any_str.max_length'],
  ['currency=USD&bin=41111a', '/bin', 'value_error.str.regex'],
  ['currency=USD&bin=', '/bin', 'value_error.any_str.min_length'],
  ['currency=USD&bin=٤١١١١١', '/bin', 'value_error.str.regex'],
  ['currency=USD&bin=411111&bin=422222', '/bin', 'type_error.string'],
  ['currency=USD&payment_method_id=42', '/payment_method_id', 'type_error.uuid'],
  [`currency=USD&payment_method_id=${STORED}`, '/payment_method_id', 'value_error.not_found'],
  ['currency=USD&bin=411111&country=us', '/country', 'value_error.str.regex'],
  ['currency=USD&bin=411111&country=XX', '/country', 'type_error.enum'],
  ['currency=USD&bin=411111&amount=-1', '/amount', 'value_error.number.not_ge'],
  ['currency=USD&bin=411111&amount=100000000', '/amount', 'value_error.number.not_le'],
  ['currency=USD&bin=411111&amount=1.5', '/amount', 'type_error.integer'],
  ['currency=USD&bin=411111&intent=charge', '/intent', 'type_error.enum'],
  ['currency=USD&bin=411111&merchant_initiated=yes', '/merchant_initiated', 'type_error.bool'],
  ['currency=USD&bin=411111&is_subsequent_payment=1', '/is_subsequent_payment', 'type_error.bool'],
  ['currency=USD&bin=411111&payment_source=shop', '/payment_source', 'type_error.enum'],
  [`currency=USD&bin=411111&metadata=${'x'.repeat(10_001)}`, '/metadata', 'value_error.any_str.max_length'],
])('refuses %s', async (query, pointer, type) => {
  const response = await ask(encodeURI(query))

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'query', pointer, type }])
})

test('names all that is wrong at once', async () => {
  const response = await ask('currency=XYZ&country=XX')

  const pointers = response.json().details.map(({ pointer }: { pointer: string }) => pointer)
  expect(pointers).toEqual(['/bin', '/currency', '/country'])
})

test('a browser token may call it, within its key’s roles', async () => {
  const token = await signToken(service.admin, { scopes: ['embed'] })

  const response = await service.send('GET /card-details?currency=EUR&bin=411111', undefined, { token })

  expect(response.statusCode, response.body).toBe(200)
})
