import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { removeWallets } from '#testing/wallet-shop.ts'

const PATH = '/.well-known/apple-developer-merchantid-domain-association'

let service: TestService
let apple = ''
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())
beforeEach(async () => {
  await removeWallets(service.send)
  apple = (await register('apple')).json().id
})

const register = (provider: string, body: object = {}, options = {}) =>
  service.send(
    'POST /digital-wallets',
    { provider, merchant_name: 'Shop', accept_terms_and_conditions: true, ...body },
    options,
  )
const domainsOf = async (id = apple) => (await service.send(`GET /digital-wallets/${id}`)).json().domain_names
const add = (domain: unknown, id = apple, options = {}) =>
  service.send(`POST /digital-wallets/${id}/domains`, { domain_name: domain }, options)
const remove = (domain: unknown, id = apple, options = {}) =>
  service.send(`DELETE /digital-wallets/${id}/domains`, { domain_name: domain }, options)

async function changes(): Promise<number> {
  const { items } = (
    await service.send('GET /audit-logs?resource_type=digital-wallet&action=updated&limit=100')
  ).json()
  return items.length
}

test('registers and removes a domain, and repeats change nothing', async () => {
  const before = await changes()
  const registered = await add('Shop.example.com')
  await add('pay.example.com')
  const again = await add('SHOP.example.com')

  expect(registered.statusCode).toBe(200)
  expect(registered.json()).toEqual({})
  expect(again.statusCode).toBe(200)
  expect(await domainsOf()).toEqual(['shop.example.com', 'pay.example.com'])

  expect((await remove('shop.Example.com')).statusCode).toBe(204)
  expect((await remove('shop.example.com')).statusCode).toBe(204)
  expect((await remove('never.example.com')).statusCode).toBe(204)
  expect((await remove('not a domain')).statusCode).toBe(204)
  expect(await domainsOf()).toEqual(['pay.example.com'])
  expect((await changes()) - before).toBe(3)
})

test('registrations at once are all kept', async () => {
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(`${name}.example.com`)))

  expect((await domainsOf()).toSorted()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}.example.com`))
})

test.each([
  'https://shop.example.com',
  'shop.example.com/pay',
  'shop.example.com:443',
  '127.0.0.1',
  '[::1]',
  'localhost',
  'shop',
  '*.example.com',
  '',
  'x'.repeat(256),
  7,
  null,
])('refuses %j, which is no domain', async (domain) => {
  const response = await add(domain)

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().details).toMatchObject([{ location: 'body', pointer: '/domain_name' }])
  expect(await domainsOf()).toEqual([])
})

test('refuses a domain for a wallet of another provider', async () => {
  const { id } = (await register('google')).json()

  const response = await add('shop.example.com', id)

  expect(response.statusCode).toBe(400)
  expect(response.json().message).toContain('Apple Pay only')
  expect((await remove('shop.example.com', id)).statusCode).toBe(204)
})

test('refuses one domain too many', async () => {
  const domains = Array.from({ length: 99 }, (_, index) => `a${index}.example.com`)
  await service.send(`PUT /digital-wallets/${apple}`, { domain_names: domains })

  expect((await add('a1.example.com')).statusCode).toBe(200)
  const response = await add('one-more.example.com')

  expect(response.statusCode).toBe(400)
  expect(response.json().details).toMatchObject([{ pointer: '/domain_name' }])
})

test('another account’s wallet looks like a missing one', async () => {
  const options = { account: 'other-shop' }

  expect((await add('shop.example.com', apple, options)).statusCode).toBe(404)
  expect((await remove('shop.example.com', apple, options)).statusCode).toBe(404)
})

describe('Apple’s file', () => {
  const fileAt = (host: string, path = PATH) =>
    service.send(`GET ${path}`, undefined, { token: null, headers: { host } })
  const files = (content: string) => ({
    domain_names: ['shop.example.com'],
    extra_configuration: { domain_associations: { 'shop.example.com': content } },
  })

  test('is served on the domain that it proves, as plain text', async () => {
    await service.send(`PUT /digital-wallets/${apple}`, files('7B227073704964223A'))

    for (const path of [PATH, `${PATH}.txt`]) {
      const response = await fileAt('Shop.Example.com:443', path)
      expect(response.statusCode, response.body).toBe(200)
      expect(response.body).toBe('7B227073704964223A')
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8')
    }
    for (const host of ['pay.example.com', 'localhost', '127.0.0.1']) {
      expect((await fileAt(host)).statusCode).toBe(404)
    }
  })

  test('is that of the account that claimed the domain first, also if another one’s wallet is older', async () => {
    const options = { account: 'other-shop' }
    const later = (await register('apple', files('FIRST'), options)).json().id

    const byChange = await service.send(`PUT /digital-wallets/${apple}`, files('SECOND'))
    await service.send(`PUT /digital-wallets/${apple}`, {
      extra_configuration: files('SECOND').extra_configuration,
    })
    const byDomain = await add('shop.example.com')

    for (const response of [byChange, byDomain]) {
      expect(response.statusCode, response.body).toBe(409)
      expect(response.json()).toMatchObject({ code: 'duplicate_record' })
      expect(response.body).not.toContain(later)
    }
    expect(await domainsOf()).toEqual([])
    expect((await fileAt('shop.example.com')).body).toBe('FIRST')

    await remove('shop.example.com', later, options)
    expect((await fileAt('shop.example.com')).statusCode).toBe(404)
    expect((await add('shop.example.com')).statusCode).toBe(200)
    expect((await fileAt('shop.example.com')).body).toBe('SECOND')
    const refused = await service.send(`PUT /digital-wallets/${later}`, files('THIRD'), options)
    expect(refused.statusCode).toBe(409)

    await service.send(`DELETE /digital-wallets/${apple}`)
    expect((await fileAt('shop.example.com')).statusCode).toBe(404)
    await service.send(`DELETE /digital-wallets/${later}`, undefined, options)
  })

  test('is not that of an account that registers a wallet later', async () => {
    await service.send(`PUT /digital-wallets/${apple}`, files('FIRST'))

    const refused = await register('apple', files('SECOND'), { account: 'other-shop' })

    expect(refused.statusCode, refused.body).toBe(409)
    expect(refused.json().details).toMatchObject([{ pointer: '/domain_names' }])
    expect((await fileAt('shop.example.com')).body).toBe('FIRST')
  })

  test('is of one account when two claim a domain at once', async () => {
    const options = { account: 'other-shop' }
    const other = (await register('apple', {}, options)).json().id

    const answers = await Promise.all([
      service.send(`PUT /digital-wallets/${apple}`, files('ONE')),
      service.send(`PUT /digital-wallets/${other}`, files('TWO'), options),
    ])

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
    await service.send(`DELETE /digital-wallets/${other}`, undefined, options)
  })
})
