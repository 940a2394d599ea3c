import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'

const CONFIGURATION = {
  scheme: 'visa',
  merchant_acquirer_bin: '516327',
  merchant_acquirer_id: '123456789012345',
  merchant_name: 'Shop',
  merchant_country_code: '528',
  merchant_category_code: '5651',
  merchant_url: 'https://shop.example.com',
  metadata: { region: 'eu' },
}

let service: TestService
let account = ''
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const path = () => `/merchant-accounts/${account}/three-ds-configurations`
const create = (body: object = {}) => service.send(`POST ${path()}`, { ...CONFIGURATION, ...body })
const list = async (query = '') => (await service.send(`GET ${path()}${query}`)).json().items

async function newAccount() {
  account = `shop-${crypto.randomUUID()}`
  await service.send('POST /merchant-accounts', { id: account, display_name: 'Shop' })
}

test('creates, lists, updates and deletes', async () => {
  await newAccount()
  const all = (await create()).json()
  const euro = (await create({ currency: 'EUR' })).json()

  expect(all).toMatchObject({
    type: 'merchant-account.three-ds-configuration',
    merchant_account_id: account,
    ...CONFIGURATION,
    currency: null,
  })
  expect(await list()).toEqual([euro, all])
  expect(await list('?currency=EUR')).toEqual([euro])
  expect(await list('?currency=USD')).toEqual([])

  const updated = (
    await service.send(`PUT ${path()}/${euro.id}`, {
      merchant_name: 'Renamed',
      metadata: {},
      merchant_url: null,
    })
  ).json()
  expect(updated).toMatchObject({
    merchant_name: 'Renamed',
    metadata: {},
    currency: 'EUR',
    merchant_url: CONFIGURATION.merchant_url,
  })

  expect((await service.send(`DELETE ${path()}/${euro.id}`)).statusCode).toBe(204)
  expect(await list()).toEqual([all])
})

test('a second one for the same scheme and currency is refused', async () => {
  await newAccount()
  const first = (await create()).json()
  const euro = (await create({ currency: 'EUR' })).json()
  const again = await create()
  const moved = await service.send(`PUT ${path()}/${euro.id}`, { currency: null })

  expect(again.statusCode).toBe(409)
  expect(again.json()).toMatchObject({ code: 'duplicate_record', resource_id: first.id })
  expect(moved.statusCode).toBe(409)
  expect((await create({ scheme: 'mastercard' })).statusCode).toBe(201)
  expect(await list()).toHaveLength(3)
})

test('one account’s configuration is hidden from another', async () => {
  await newAccount()
  const { id } = (await create()).json()
  await newAccount()

  expect((await service.send(`PUT ${path()}/${id}`, { merchant_name: 'Stolen' })).statusCode).toBe(404)
  expect((await service.send(`DELETE ${path()}/${id}`)).statusCode).toBe(404)
  expect(await list()).toEqual([])
})

test('takes a country in letters, and shows it so', async () => {
  await newAccount()

  expect((await create({ merchant_country_code: 'US' })).json().merchant_country_code).toBe('US')
})

test.each([
  [{ currency: 'EURO' }, '/currency'],
  [{ currency: 'XQQ' }, '/currency'],
  [{ scheme: 'vista' }, '/scheme'],
  [{ merchant_acquirer_bin: '123456789012' }, '/merchant_acquirer_bin'],
  [{ merchant_acquirer_id: 'x'.repeat(36) }, '/merchant_acquirer_id'],
  [{ merchant_name: 'x'.repeat(41) }, '/merchant_name'],
  [{ merchant_country_code: 'nl' }, '/merchant_country_code'],
  [{ merchant_category_code: '565' }, '/merchant_category_code'],
  [{ merchant_url: 'shop.example.com' }, '/merchant_url'],
  [{ metadata: { region: 1 } }, '/metadata/region'],
  [{ metadata: undefined }, '/metadata'],
])('refuses %j', async (change, pointer) => {
  await newAccount()

  const response = await create(change)

  expect(response.statusCode).toBe(400)
  expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toEqual([pointer])
  expect(await list()).toEqual([])
})
