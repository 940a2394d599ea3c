import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PROCESSING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { appleCertificate, removeWallets } from '#testing/wallet-shop.ts'

const WALLET = {
  provider: 'apple',
  merchant_name: 'Fashion store',
  accept_terms_and_conditions: true,
}
const DETAILS = {
  merchant_display_name: 'Fashion',
  merchant_url: 'https://shop.example.com',
  merchant_country_code: 'US',
  merchant_category_code: '5651',
  address: {
    line1: '1 Main Street',
    line2: null,
    city: 'Springfield',
    state_code: 'US-IL',
    postal_code: '62701',
  },
  extra_configuration: { anything: { at: ['all'] } },
  domain_names: ['shop.example.com'],
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())
beforeEach(() => removeWallets(service.send))

const create = (body: object = {}, options = {}) =>
  service.send('POST /digital-wallets', { ...WALLET, ...body }, options)
const list = async (account?: string) =>
  (await service.send('GET /digital-wallets', undefined, account ? { account } : {})).json().items

async function entries(): Promise<string[]> {
  const { items } = (await service.send('GET /audit-logs?resource_type=digital-wallet')).json()
  return items.map(({ action }: { action: string }) => action)
}

test('creates, shows, lists, updates and deletes', async () => {
  const created = await create(DETAILS)
  const wallet = created.json()

  expect(created.statusCode, created.body).toBe(201)
  expect(wallet).toEqual({
    type: 'digital-wallet',
    id: wallet.id,
    merchant_account_id: 'default',
    provider: 'apple',
    merchant_name: 'Fashion store',
    ...DETAILS,
    active_certificate_count: 0,
    pending_certificate_count: 0,
    expired_certificate_count: 0,
    fields: null,
    created_at: wallet.created_at,
    updated_at: wallet.created_at,
  })
  const path = `/digital-wallets/${wallet.id}`
  expect((await service.send(`GET ${path}`)).json()).toEqual(wallet)
  expect(await list()).toEqual([wallet])

  const updated = await service.send(`PUT ${path}`, { merchant_name: 'Renamed', merchant_url: null })
  expect(updated.json()).toEqual({
    ...wallet,
    merchant_name: 'Renamed',
    merchant_url: null,
    updated_at: updated.json().updated_at,
  })
  expect(updated.json().updated_at > wallet.updated_at).toBe(true)

  const unchanged = await service.send(`PUT ${path}`, { merchant_name: null, domain_names: null })
  expect(unchanged.json()).toMatchObject({ merchant_name: 'Renamed', domain_names: ['shop.example.com'] })

  expect((await service.send(`DELETE ${path}`)).statusCode).toBe(204)
  expect((await service.send(`GET ${path}`)).statusCode).toBe(404)
  expect(await list()).toEqual([])
  expect((await entries()).slice(0, 4)).toEqual(['deleted', 'updated', 'updated', 'created'])
})

test('a Google wallet says by what Google knows the merchant account', async () => {
  const wallet = (await create({ provider: 'google' })).json()

  expect(wallet.fields).toEqual({
    gateway: 'switchyard',
    gateway_merchant_id: 'default',
    session_public_key: expect.stringContaining('BEGIN PUBLIC KEY'),
  })
  expect((await service.send(`GET /digital-wallets/${wallet.id}`)).json()).toEqual(wallet)
})

test('a second wallet of a provider is refused, in the same account only', async () => {
  const first = (await create()).json()

  const again = await create({ merchant_name: 'Another' })
  const elsewhere = await create({}, { account: 'other-shop' })

  expect(again.statusCode).toBe(409)
  expect(again.json()).toMatchObject({ code: 'duplicate_record', resource_id: first.id })
  expect(elsewhere.statusCode).toBe(201)
  expect((await create({ provider: 'paze' })).statusCode).toBe(201)
  expect((await list()).map(({ provider }: { provider: string }) => provider)).toEqual(['paze', 'apple'])
  await service.send(`DELETE /digital-wallets/${elsewhere.json().id}`, undefined, { account: 'other-shop' })
})

test('of two registrations at once, one is refused', async () => {
  const both = await Promise.all([create(), create()])

  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409])
})

test('another account’s wallet looks like a missing one', async () => {
  const { id } = (await create()).json()
  const options = { account: 'other-shop' }

  for (const [route, body] of [
    [`GET /digital-wallets/${id}`],
    [`PUT /digital-wallets/${id}`, { merchant_name: 'Stolen' }],
    [`DELETE /digital-wallets/${id}`],
  ] as const) {
    expect((await service.send(route, body, options)).statusCode, route).toBe(404)
  }
  expect(await list('other-shop')).toEqual([])
  expect(await list('*')).toHaveLength(1)
})

test('domains are kept in one spelling, each once', async () => {
  const wallet = (
    await create({ domain_names: ['Shop.Example.com', 'shop.example.com', 'bücher.example'] })
  ).json()

  expect(wallet.domain_names).toEqual(['shop.example.com', 'xn--bcher-kva.example'])

  const updated = await service.send(`PUT /digital-wallets/${wallet.id}`, { domain_names: [] })
  expect(updated.json().domain_names).toEqual([])
})

test.each([
  [{ accept_terms_and_conditions: false }, '/accept_terms_and_conditions'],
  [{ accept_terms_and_conditions: undefined }, '/accept_terms_and_conditions'],
  [{ provider: 'samsung' }, '/provider'],
  [{ merchant_name: '' }, '/merchant_name'],
  [{ merchant_name: 'x'.repeat(1025) }, '/merchant_name'],
  [{ merchant_display_name: 'x'.repeat(1025) }, '/merchant_display_name'],
  [{ merchant_country_code: 'us' }, '/merchant_country_code'],
  [{ merchant_country_code: 'XX' }, '/merchant_country_code'],
  [{ merchant_category_code: '565' }, '/merchant_category_code'],
  [{ address: { ...DETAILS.address, state_code: 'Illinois' } }, '/address/state_code'],
  [{ address: { ...DETAILS.address, city: undefined } }, '/address/city'],
  [{ extra_configuration: [] }, '/extra_configuration'],
  [{ extra_configuration: { client_id: 7 } }, '/extra_configuration/client_id'],
  [{ extra_configuration: { domain_associations: 'x' } }, '/extra_configuration/domain_associations'],
  [
    { extra_configuration: { domain_associations: { 'shop.example.com': 'grün' } } },
    '/extra_configuration/domain_associations/shop.example.com',
  ],
  [
    { extra_configuration: { domain_associations: { localhost: '7B' } } },
    '/extra_configuration/domain_associations/localhost',
  ],
  [{ domain_names: ['shop.example.com', 'https://shop.example.com'] }, '/domain_names/1'],
  [{ domain_names: ['127.0.0.1'] }, '/domain_names/0'],
  [{ domain_names: Array.from({ length: 100 }, (_, index) => `a${index}.example.com`) }, '/domain_names'],
])('refuses %j', async (change, pointer) => {
  const response = await create(change)

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toEqual([pointer])
  expect(await list()).toEqual([])
})

test('everything that is wrong is reported at once', async () => {
  const response = await create({
    merchant_name: 7,
    accept_terms_and_conditions: false,
    domain_names: ['localhost'],
  })

  expect(response.json().details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/merchant_name',
    '/accept_terms_and_conditions',
    '/domain_names/0',
  ])
})

describe('a wallet with certificates', () => {
  test('cannot be deleted while one is active', async () => {
    const { id } = (await create()).json()
    const key = await service.send(`POST /digital-wallets/${id}/keys`, {
      purpose: 'apple-payment-processing',
      ...appleCertificate(),
    })

    const refused = await service.send(`DELETE /digital-wallets/${id}`)

    expect(refused.statusCode).toBe(400)
    expect(refused.json().message).toContain('active certificates')
    expect((await list())[0]).toMatchObject({ active_certificate_count: 1 })
    await service.send(`DELETE /digital-wallets/${id}/keys/${key.json().id}`)
    expect((await service.send(`DELETE /digital-wallets/${id}`)).statusCode).toBe(204)
  })

  test('is deleted with its pending keys, which leave the vault', async () => {
    const items = async () =>
      (await service.database.pool.query('select count(*)::int as n from vault.items')).rows[0].n
    const before = await items()
    const { id } = (await create()).json()
    await service.send(`POST /digital-wallets/${id}/keys`, { purpose: 'apple-payment-processing' })
    expect((await list())[0]).toMatchObject({ pending_certificate_count: 1 })
    expect(await items()).toBe(before + 1)

    const response = await service.send(`DELETE /digital-wallets/${id}`)

    expect(response.statusCode, response.body).toBe(204)
    expect(await items()).toBe(before)
  })
})

test('the shop’s own key may register wallets, and may not touch their keys', async () => {
  const token = await signToken(await service.addKey({ roleIds: [PROCESSING] }))

  const wallet = await create({}, { token })
  const keys = await service.send(
    `POST /digital-wallets/${wallet.json().id}/keys`,
    { purpose: 'apple-payment-processing' },
    { token },
  )

  expect(wallet.statusCode).toBe(201)
  expect(keys.statusCode).toBe(403)
})
