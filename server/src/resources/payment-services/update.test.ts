import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const SECRET = 'a-secret-of-ours'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const change = (id: string, key: string, value: string) =>
  service.send(`PUT /payment-services/${id}`, { fields: [{ key, value }] })

async function withOpenPayment() {
  const later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
  const paid = await till.pay({ payment_service_id: later.id, intent: 'capture' })
  const { payment_service_transaction_id } = paid
  const end = () => till.notify(later, { event: 'capture.succeeded', payment_service_transaction_id }, SECRET)
  return { id: later.id, end }
}

describe('while an operation is open at a service', () => {
  test.each([
    ['of which account it speaks', 'merchant_id', 'another-shop'],
    ['what is cleared', 'asynchronous', ''],
    ['what is new', 'extended', 'true'],
    ['a secret', 'webhook_secret', 'another-secret'],
  ])('its fields cannot be changed: %s', async (_what, key, value) => {
    const { id, end } = await withOpenPayment()

    const early = await change(id, key, value)
    await end()
    const inTime = await change(id, key, value)

    expect(early.statusCode, early.body).toBe(400)
    expect(early.json().details).toEqual([
      {
        location: 'body',
        pointer: '/fields/0/value',
        type: 'value_error.conflict',
        message: '1 operation is still open at this payment service; change it later, or create another one',
      },
    ])
    expect(inTime.statusCode, inTime.body).toBe(200)
  })

  test('unchanged fields may be sent, and other settings change', async () => {
    const { id } = await withOpenPayment()

    const response = await service.send(`PUT /payment-services/${id}`, {
      active: false,
      fields: [{ key: 'merchant_id', value: 'shop' }],
    })

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json().active).toBe(false)
  })
})
