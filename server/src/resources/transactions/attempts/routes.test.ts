import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

test('lists what was asked of providers for a payment, newest first', async () => {
  const payment = await till.pay({ intent: 'authorize' })
  await till.act(payment.id, 'capture', {})
  const refund = (await till.act(payment.id, 'refunds', { amount: 300 })).json()

  const { items } = (await service.send(`GET /transactions/${payment.id}/attempts`)).json()

  expect(items).toMatchObject([
    { operation: 'refund', amount: 300, status: 'approved', subject_id: refund.id },
    { operation: 'capture', amount: 1_000, status: 'approved' },
    {
      type: 'transaction-attempt',
      operation: 'authorize',
      transaction_id: payment.id,
      amount: 1_000,
      status: 'approved',
      subject_id: null,
      service_id: payment.payment_service.id,
      payment_service_reference: payment.payment_service_transaction_id,
      error_code: null,
      next_inquiry_at: null,
    },
  ])
})

test('a declined payment says why, in the words of the provider', async () => {
  const declined = await till.pay({ amount: 200_005 })

  const { items } = (await service.send(`GET /transactions/${declined.id}/attempts`)).json()

  expect(items[0]).toMatchObject({ status: 'declined', error_code: declined.error_code })
})

test('a payment of another account has no attempts to show', async () => {
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  const payment = await till.pay()

  const response = await service.send(`GET /transactions/${payment.id}/attempts`, undefined, {
    account: 'other',
  })

  expect(response.statusCode).toBe(404)
})
