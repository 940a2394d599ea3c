import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refund } from '#resources/transactions/wire/refund.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let refunds: Refund[]
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  for (const currency of ['USD', 'EUR']) {
    const payment = await till.pay({ intent: 'capture', currency, external_identifier: `order-${currency}` })
    for (const amount of [100, 200]) {
      const response = await till.act(payment.id, 'refunds', {
        amount,
        external_identifier: `${currency}-${amount}`,
      })
      expect(response.statusCode, response.body).toBe(201)
    }
  }
  refunds = await list('limit=100')
})
afterAll(() => service.close())

async function list(query: string, options = {}): Promise<Refund[]> {
  const response = await service.send(`GET /refunds?${query}`, undefined, options)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().items
}

test('lists the refunds of all payments, newest first, as they are below their payments', async () => {
  const below = await Promise.all(
    [...new Set(refunds.map(({ transaction_id }) => transaction_id))].map(
      async (id) => (await service.send(`GET /transactions/${id}/refunds`)).json().items,
    ),
  )

  expect(refunds.map(({ external_identifier }) => external_identifier)).toEqual([
    'EUR-200',
    'EUR-100',
    'USD-200',
    'USD-100',
  ])
  expect(new Set(refunds.map(({ id }) => id))).toEqual(new Set(below.flat().map(({ id }: Refund) => id)))
  expect(below.flat()).toContainEqual(refunds[0])
})

test.each([
  ['currency=USD', 2],
  ['currency=USD&currency=EUR', 4],
  ['status=succeeded', 4],
  ['status=failed&status=declined', 0],
  ['external_identifier=EUR-100', 1],
  ['external_identifier=EUR-100&currency=USD', 0],
  ['created_at_lte=2020-01-01T00:00:00Z', 0],
  ['created_at_gte=2020-01-01T00:00:00Z&status=succeeded&currency=EUR', 2],
])('%s finds %i', async (query, count) => {
  const ids = (await list(query)).map(({ id }) => id)

  expect(ids).toHaveLength(count)
  expect(refunds.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
})

test('finds the refunds of one payment, page by page', async () => {
  const payment = refunds[0]?.transaction_id
  const first = (await service.send(`GET /refunds?transaction_id=${payment}&limit=1`)).json()
  const second = (
    await service.send(`GET /refunds?transaction_id=${payment}&limit=1&cursor=${first.next_cursor}`)
  ).json()

  expect([...first.items, ...second.items]).toEqual(refunds.slice(0, 2))
  expect(second.next_cursor).toBeNull()
})

test('refunds of another account are not listed', async () => {
  const token = await signToken(await service.addKey({ merchantAccountIds: ['other'] }))

  expect(await list('', { token })).toEqual([])
  expect(await list('', { account: '*' })).toHaveLength(4)
})

test.each([
  ['status=refunded', '/status/0'],
  ['currency=usd', '/currency/0'],
  ['transaction_id=7', '/transaction_id'],
])('refuses %s, and names the field', async (query, pointer) => {
  const response = await service.send(`GET /refunds?${query}`)

  expect(response.statusCode).toBe(400)
  expect(response.json().details[0].pointer).toBe(pointer)
})
