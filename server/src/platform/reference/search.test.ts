import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import type { Found } from './search.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

async function find(query: string): Promise<Found[]> {
  const url = `/docs/search?q=${encodeURIComponent(query)}`
  return (await service.app.inject({ url, headers: { accept: 'application/json' } })).json()
}

test.each([
  ['create transaction', 'Create transaction', '/docs/operations/create_transaction'],
  ['POST /transactions', 'Create transaction', '/docs/operations/create_transaction'],
  ['create_buyer add_buyer', 'Create buyer', '/docs/operations/add_buyer'],
  ['how to refund a payment', 'Refund transaction', '/docs/operations/create_transaction_refund'],
  ['pagination', 'Read a list page by page', '/docs/guide/requests#read-a-list-page-by-page'],
  ['cancel a payment', 'Cancel transaction', '/docs/operations/cancel_transaction'],
  ['add_buyer', 'Create buyer', '/docs/operations/add_buyer'],
  [
    'rotate secret',
    'Rotate webhook subscription secret',
    '/docs/operations/rotate_webhook_subscription_secret',
  ],
  ['duplicate_record', 'duplicate_record', '/docs/api/errors#error-409'],
  ['TransactionCreate', 'TransactionCreate', '/docs/objects/TransactionCreate'],
  ['Authenticate', 'Authenticate', '/docs/guide/authenticate'],
  ['xyzzy', undefined, undefined],
  ['   ', undefined, undefined],
])('finds for %j first %j', async (query, title, href) => {
  const [first] = await find(query)

  expect([first?.title, first?.href]).toEqual([title, href])
})

test('finds the operation of a partial refund among the first', async () => {
  const titles = (await find('partial refund')).map(({ title }) => title)

  expect(titles.slice(0, 2)).toEqual(['Refund', 'Refund transaction'])
})

test('finds an operation by a field of its body', async () => {
  const titles = (await find('allow_partial_authorization')).map(({ title }) => title)

  expect(titles).toContain('Create transaction')
})

test('finds sections of guides, and no comments in their code', async () => {
  const found = await find('outcome is unknown')

  expect(found[0]).toEqual({
    kind: 'guide',
    title: 'When the outcome is unknown',
    detail: 'Pay, capture, refund',
    href: '/docs/guide/transactions#when-the-outcome-is-unknown',
  })
})

test('gives at most 20 results', async () => {
  expect(await find('e')).toHaveLength(20)
})

test('shows the results as a page to a browser without the script', async () => {
  const response = await service.app.inject('/docs/search?q=create%20transaction')

  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.headers['vary']).toBe('accept')
  expect(response.body).toContain('<li><a href="/docs/operations/create_transaction">Create transaction</a>')
  expect(response.body).toContain('value="create transaction"')
})

test.each([
  '<script>alert(1)</script>',
  '"><img src=x>',
  'a'.repeat(5_000),
  '\u202e\u0000',
  '%',
  '((((',
  'a '.repeat(60),
])('takes %j for words and nothing else', async (query) => {
  const response = await service.app.inject(`/docs/search?q=${encodeURIComponent(query)}`)

  expect(response.statusCode).toBe(200)
  expect(response.body.match(/<script/g)).toHaveLength(1)
  expect(response.body).not.toContain('<img')
  expect(response.body.length).toBeLessThan(100_000)
  expect(await find(query)).toEqual(expect.any(Array))
})

test('takes a missing query, and one that comes twice', async () => {
  for (const url of ['/docs/search', '/docs/search?q=a&q=b', '/docs/search?q[]=1']) {
    expect((await service.app.inject(url)).statusCode).toBe(200)
  }
})
