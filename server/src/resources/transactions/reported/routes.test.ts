import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill } from '#testing/till.ts'

let service: TestService
let transactionId: string
beforeAll(async () => {
  service = await startTestService()
  const paid = await service.send('POST /transactions', {
    amount: 1299,
    currency: 'USD',
    payment_method: CARD,
  })
  transactionId = paid.json().id
})
afterAll(() => service.close())

describe.each(['settlements', 'refund-settlements', 'chargebacks', 'chargeback-reversals'])('%s', (list) => {
  test('of a transaction are an empty list while nothing is reported', async () => {
    const response = await service.send(`GET /transactions/${transactionId}/${list}`)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ items: [] })
  })

  test('of a transaction that does not exist are not found', async () => {
    const response = await service.send(`GET /transactions/${MISSING}/${list}`)

    expect(response.statusCode).toBe(404)
  })
})

test.each(['settlements', 'refund-settlements'])('a single item of %s is not found', async (list) => {
  const response = await service.send(`GET /transactions/${transactionId}/${list}/${MISSING}`)

  expect(response.statusCode).toBe(404)
})

test('a reversal that comes before its chargeback disputes the payment, too', async () => {
  const till = openTill(service)
  const paid = await till.pay({ intent: 'capture' })

  await takeDispute(
    { ...service.context, merchantAccountId: 'default' },
    service.engine,
    paid.payment_service.id,
    {
      about: 'chargeback_reversal',
      id: 'reversal first',
      reference: paid.payment_service_transaction_id,
      amount: 1_000,
      currency: 'USD',
      code: '10.4',
      reason: 'won',
      postedAt: service.context.clock(),
    },
  )

  expect(await till.get(paid.id)).toMatchObject({ disputed: true })
})
