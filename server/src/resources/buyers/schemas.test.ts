import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

const BILLING = {
  first_name: 'Ada',
  address: { country: 'GB' },
  tax_id: { value: '12-3456789', kind: 'us.ein' },
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describe('billing details from an answer', () => {
  test('can be sent back as those of a buyer', async () => {
    const first = (await service.send('POST /buyers', { billing_details: BILLING })).json()

    const { billing_details } = first
    const second = (await service.send('POST /buyers', { billing_details })).json()
    const updated = (await service.send(`PUT /buyers/${first.id}`, { billing_details })).json()

    expect(billing_details).toMatchObject({ type: 'billing-details', ...BILLING })
    expect(second.billing_details).toEqual(billing_details)
    expect(updated.billing_details).toEqual(billing_details)
  })

  test('can be sent back as those of a guest, in a session and in a payment', async () => {
    const buyer = { display_name: 'Ada', billing_details: BILLING }
    const { id, buyer: shown } = (await service.send('POST /checkout/sessions', { buyer })).json()

    const updated = await service.send(`PUT /checkout/sessions/${id}`, { buyer: shown })
    const paid = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'GBP',
      payment_method: CARD,
      buyer: shown,
    })

    expect(updated.statusCode, updated.body).toBe(200)
    expect(updated.json().buyer).toEqual(shown)
    expect(paid.statusCode, paid.body).toBe(201)
    expect(paid.json().buyer.billing_details).toEqual(shown.billing_details)
  })

  test.each(['buyer', null, ''])('cannot have another type: %o', async (type) => {
    const response = await service.send('POST /buyers', { billing_details: { ...BILLING, type } })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/billing_details/type' }])
  })
})
