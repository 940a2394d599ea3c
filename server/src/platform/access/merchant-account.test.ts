import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'shop', display_name: 'Shop' })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  await service.send('PUT /merchant-accounts/shop', { display_name: 'Shop 2' })
})
afterAll(() => service.close())

const logs = (headers: Record<string, string>, token?: string) =>
  service.send('GET /audit-logs', undefined, { headers, ...(token && { token }) })
const accountsIn = (response: Awaited<ReturnType<typeof logs>>) =>
  new Set(
    response.json().items.map((item: { merchant_account_id: string | null }) => item.merchant_account_id),
  )

test.each(['X-Service-Merchant-Account-ID', 'x-acme-merchant-account-id', 'X-ANY-MERCHANT-ACCOUNT-ID'])(
  'the header may be called %s',
  async (name) => {
    const response = await logs({ [name]: 'shop' })

    expect(response.statusCode, response.body).toBe(200)
    expect(accountsIn(response)).toEqual(new Set(['shop', null]))
  },
)

test('two headers with the same value are accepted', async () => {
  const response = await logs({
    'x-service-merchant-account-id': 'shop',
    'x-acme-merchant-account-id': 'shop',
  })

  expect(response.statusCode).toBe(200)
})

test('two different values are refused', async () => {
  const response = await logs({
    'x-service-merchant-account-id': 'shop',
    'x-acme-merchant-account-id': 'other',
  })

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toEqual([
    {
      location: 'header',
      pointer: '/x-service-merchant-account-id',
      type: 'value_error.conflict',
      message: 'is given twice with different values',
    },
  ])
})

test.each([
  ['of 256 characters', 'x'.repeat(256), 'value_error.any_str.max_length'],
  ['that is empty', '', 'value_error.any_str.min_length'],
])('a value %s is refused', async (_name, value, type) => {
  const response = await logs({ 'x-service-merchant-account-id': value })

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'header', type }])
})

test('a value of 255 characters is only unknown', async () => {
  expect((await logs({ 'x-service-merchant-account-id': 'x'.repeat(255) })).statusCode).toBe(403)
})

test('an unknown account and a forbidden one get the same answer', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['shop'] }))

  const unknown = await logs({ 'x-service-merchant-account-id': 'nowhere' }, token)
  const forbidden = await logs({ 'x-service-merchant-account-id': 'other' }, token)

  expect(unknown.statusCode).toBe(403)
  expect(forbidden.json()).toEqual(unknown.json())
})

test('without the header, a key acts on its first account', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['shop', 'other'] }))

  expect(accountsIn(await logs({}, token))).toEqual(new Set(['shop']))
})

test('* selects every account the key can reach, and no other', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['shop', 'other'] }))

  expect(accountsIn(await logs({ 'x-service-merchant-account-id': '*' }, token))).toEqual(
    new Set(['shop', 'other']),
  )
  expect(accountsIn(await logs({ 'x-service-merchant-account-id': '*' })).has('other')).toBe(true)
})

test('* is refused if a request acts on one account', async () => {
  const response = await service.send(
    'POST /merchant-accounts',
    { id: 'x', display_name: 'X' },
    { account: '*' },
  )

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'header', type: 'value_error.const' }])
})
