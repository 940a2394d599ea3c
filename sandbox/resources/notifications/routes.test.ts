import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const tell = (serviceId: string, body: object, options = {}) =>
  service.send(`POST /sandbox/payment-services/${serviceId}/notifications`, body, options)

test('ends what is pending, as if the processor had sent it', async () => {
  const later = await till.addService({ asynchronous: 'true', webhook_secret: 'a-secret' })
  const { id } = await till.pay({ intent: 'capture', payment_service_id: later.id })
  expect((await till.get(id)).status).toBe('processing')

  const told = await tell(later.id, { transaction_id: id, event: 'capture.succeeded' })

  expect(told.statusCode, told.body).toBe(201)
  const { payment_service_transaction_id: reference, status } = await till.get(id)
  expect(status).toBe('capture_succeeded')
  expect(told.json()).toEqual({
    type: 'sandbox-notification',
    id: expect.any(String),
    merchant_account_id: 'default',
    payment_service_id: later.id,
    transaction_id: id,
    event: 'capture.succeeded',
    body: JSON.stringify({ event: 'capture.succeeded', payment_service_transaction_id: reference }),
    outcome: 'taken',
    message: null,
    created_at: expect.any(String),
  })
  expect(await till.audited(told.json().id)).toHaveLength(1)
})

test('tells again what was told, and nothing changes', async () => {
  const { id, payment_service } = await till.pay({ intent: 'capture' })
  const before = await till.history(id)

  const again = await tell(payment_service.id, { transaction_id: id })

  expect(again.json()).toMatchObject({ event: 'authorization.succeeded', outcome: 'taken' })
  expect(await till.history(id)).toEqual(before)
})

test('tells what got lost on the way', async () => {
  const { payment_service } = await till.pay()
  await service.send(`POST /sandbox/payment-services/${payment_service.id}/next-outcomes`, {
    effect: 'lose-answer',
  })
  // With another service, the processor would be asked at once.
  const lost = await till.pay({ intent: 'capture', payment_service_id: payment_service.id })
  expect(lost.status).toBe('processing')

  const told = await tell(lost.payment_service.id, { transaction_id: lost.id })

  expect(told.json()).toMatchObject({ event: 'authorization.succeeded', outcome: 'taken' })
  expect((await till.get(lost.id)).status).toBe('capture_succeeded')
})

test('tells of a chargeback, and of a refund by its own id', async () => {
  const { id, payment_service } = await till.pay({ intent: 'capture' })
  await service.send(`POST /sandbox/payment-services/${payment_service.id}/chargebacks`, {
    transaction_id: id,
    amount: 300,
  })
  const chargeback = await tell(payment_service.id, { transaction_id: id })
  expect(chargeback.json()).toMatchObject({ event: 'chargeback', outcome: 'taken' })
  expect((await till.get(id)).disputed).toBe(true)

  const other = await till.pay({ intent: 'capture' })
  await till.act(other.id, 'refunds', { amount: 200 })
  const refund = await tell(payment_service.id, { transaction_id: other.id, event: 'refund.succeeded' })
  expect(refund.json()).toMatchObject({ outcome: 'taken' })
  expect(JSON.parse(refund.json().body)).toHaveProperty('payment_service_refund_id')
})

test('says that it was refused, when the processor says otherwise than before', async () => {
  const { id, payment_service } = await till.pay({ intent: 'capture' })

  const contrary = await tell(payment_service.id, { transaction_id: id, event: 'capture.declined' })

  expect(contrary.json()).toMatchObject({
    outcome: 'rejected',
    message: 'this has ended already, and otherwise',
  })
  expect((await till.get(id)).status).toBe('capture_succeeded')
})

test('is sent once with one idempotency key', async () => {
  const { id, payment_service } = await till.pay()
  const headers = { 'idempotency-key': `notify-${id}` }

  const first = await tell(payment_service.id, { transaction_id: id }, { headers })
  const second = await tell(payment_service.id, { transaction_id: id }, { headers })

  expect(second.json()).toEqual(first.json())
})

describe('is refused, with what to do', () => {
  const complaintOf = async (serviceId: string, body: object) => {
    const response = await tell(serviceId, body)
    expect(response.statusCode, response.body).toBe(400)
    const [detail] = response.json().details
    return detail ? `${detail.pointer}: ${detail.message}` : response.json().message
  }

  test('for what the processor does not know', async () => {
    const { id, payment_service } = await till.pay()

    expect(await complaintOf(payment_service.id, { transaction_id: id, event: 'refund.succeeded' })).toBe(
      '/event: the processor knows no refund of this payment',
    )
    expect(await complaintOf(payment_service.id, { transaction_id: id, event: 'capture.exploded' })).toMatch(
      /^\/event/,
    )
  })

  test('while nothing was said, unless an event is named', async () => {
    const later = await till.addService({ asynchronous: 'true' })
    const { id } = await till.pay({ intent: 'capture', payment_service_id: later.id })

    expect(await complaintOf(later.id, { transaction_id: id })).toMatch(/^\/transaction_id: name an event/)
  })

  test('for payments and services of others, and providers that are not simulated', async () => {
    const { id, payment_service } = await till.pay()
    const other = await till.addService({ merchant_id: 'other' })

    const missing = '/transaction_id: there is no such transaction'
    expect(await complaintOf(payment_service.id, { transaction_id: MISSING })).toBe(missing)
    expect(await complaintOf(other.id, { transaction_id: id })).toMatch(/^\/transaction_id: name the payment/)
    expect((await tell(MISSING, { transaction_id: id })).statusCode).toBe(404)
  })
})
