import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill } from '#testing/till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('has everything of one buyer, and nothing of others', async () => {
  const till = openTill(service)
  const buyer = (await service.send('POST /buyers', { display_name: 'Jane' })).json()
  const other = (await service.send('POST /buyers', { display_name: 'Joe' })).json()
  const buyer_id = buyer.id
  const shipped = await service.send(`POST /buyers/${buyer_id}/shipping-details`, { first_name: 'Jane' })
  const stored = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json()
  const first = await till.pay({ buyer_id })
  const second = await till.pay({ buyer_id, intent: 'capture', metadata: { note: 'hers' } })
  await till.pay({ buyer_id: other.id })
  const payout = await till.payOut({ buyer_id })

  const response = await service.send(`GET /buyers/${buyer_id}/export`)

  expect(response.statusCode, response.body).toBe(200)
  expect(response.json()).toMatchObject({
    buyer: { display_name: 'Jane' },
    shipping_details: [{ id: shipped.json().id }],
    payment_methods: [{ id: stored.id }],
    payouts: [{ id: payout.id }],
    payments: [
      { transaction: { id: first.id } },
      { transaction: { id: second.id, metadata: { note: 'hers' } } },
    ],
    has_more_payments: false,
  })
  expect(response.body).not.toContain(other.id)
})

test('is not found for an unknown buyer, and found for a deleted one with payments', async () => {
  const buyer = (await service.send('POST /buyers', { display_name: 'Gone' })).json()
  await openTill(service).pay({ buyer_id: buyer.id })
  await service.send(`DELETE /buyers/${buyer.id}`)

  const found = await service.send(`GET /buyers/${buyer.id}/export`)
  const missing = await service.send(`GET /buyers/${crypto.randomUUID()}/export`)

  expect(found.json()).toMatchObject({
    buyer: null,
    payments: [{ transaction: { buyer: { display_name: 'Gone' } } }],
  })
  expect(missing.statusCode).toBe(404)
})
