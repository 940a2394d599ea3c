import { expect, test } from 'vitest'
import { useReportShop } from '#testing/reports.ts'

const shop = useReportShop()

const read = (params: object) => shop.reports.readOnce({ model: 'transaction_retries', params })

test('has a line for each service that was asked', async () => {
  const plain = await shop.till.pay({ amount: 1_000 })
  const second = await shop.till.addService({ merchant_id: 'second' })
  const retried = await shop.till.pay({ amount: 200_007 })

  const rows = await shop.reports.readRows({ model: 'transaction_retries', params: {} })

  expect(rows.map(({ transaction_id, attempt }) => [transaction_id, attempt])).toEqual([
    [plain.id, '1'],
    [retried.id, '1'],
    [retried.id, '2'],
  ])
  expect(rows[0]).toMatchObject({
    attempt_status: 'approved',
    amount: '1000',
    currency: 'USD',
    method: 'card',
    scheme: 'visa',
    payment_service_id: plain.payment_service.id,
    payment_service_display_name: plain.payment_service.display_name,
    payment_service_transaction_id: plain.payment_service_transaction_id,
    transaction_status: 'authorization_succeeded',
    attempted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/),
  })
  expect(rows[2]).toMatchObject({
    attempt_status: 'declined',
    error_code: 'incorrect_country',
    payment_service_id: second.id,
    transaction_status: 'authorization_declined',
  })
})

test('has only the payments of a time', async () => {
  const early = { created_at: { end: '2020-01-01T00:00:00Z' } }

  expect(await read({ filters: early })).toHaveLength(1)
})
