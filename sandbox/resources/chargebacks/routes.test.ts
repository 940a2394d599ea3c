import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const dispute = (serviceId: string, body: object, key?: string) =>
  service.send(`POST /sandbox/payment-services/${serviceId}/chargebacks`, body, {
    ...(key && { headers: { 'idempotency-key': key } }),
  })

async function sell(over: object = {}) {
  const { id, payment_service } = await till.pay({ intent: 'capture', ...over })
  return { id, serviceId: payment_service.id }
}

test('charges a payment back, and reverses the chargeback', async () => {
  const { id, serviceId } = await sell()

  const taken = await dispute(serviceId, { transaction_id: id, amount: 400, reason: 'duplicate' })
  const given = await dispute(serviceId, { transaction_id: id, stage: 'reversal' })

  expect(taken.statusCode, taken.body).toBe(201)
  expect(taken.json()).toEqual({
    type: 'sandbox-chargeback',
    id: expect.any(String),
    merchant_account_id: 'default',
    payment_service_id: serviceId,
    transaction_id: id,
    stage: 'chargeback',
    amount: 400,
    currency: 'USD',
    code: '610004',
    reason: 'duplicate',
    created_at: expect.any(String),
  })
  expect(given.json()).toMatchObject({ stage: 'reversal', amount: 400, reason: 'duplicate' })
  expect(await till.audited(taken.json().id)).toHaveLength(1)
})

test('is done once for an idempotency key', async () => {
  const { id, serviceId } = await sell()
  const body = { transaction_id: id, amount: 400 }

  const first = await dispute(serviceId, body, `dispute-${id}`)
  const second = await dispute(serviceId, body, `dispute-${id}`)

  expect(second.json()).toEqual(first.json())
  expect((await dispute(serviceId, { transaction_id: id })).json()).toMatchObject({ amount: 600 })
})

describe('is refused, with what to do', () => {
  const complaintOf = async (serviceId: string, body: object) => {
    const response = await dispute(serviceId, body)
    expect(response.statusCode, response.body).toBe(400)
    const [detail] = response.json().details
    return detail ? `${detail.pointer}: ${detail.message}` : response.json().message
  }

  test('for a payment that was not captured', async () => {
    const { id, payment_service } = await till.pay()

    expect(await complaintOf(payment_service.id, { transaction_id: id })).toMatch(
      /^\/transaction_id: capture/,
    )
  })

  test('for more than was captured, and for what was charged back before', async () => {
    const { id, serviceId } = await sell()

    expect(await complaintOf(serviceId, { transaction_id: id, amount: 1001 })).toBe(
      '/amount: at most 1000 can be charged back: what was captured, less earlier chargebacks',
    )
    await dispute(serviceId, { transaction_id: id })
    expect(await complaintOf(serviceId, { transaction_id: id })).toBe(
      '/amount: all that was captured was charged back before',
    )
    expect(await complaintOf(serviceId, { transaction_id: id, stage: 'reversal', amount: 1001 })).toMatch(
      /^\/amount: at most 1000 can be reversed/,
    )
  })

  test('for a reversal without a chargeback', async () => {
    const { id, serviceId } = await sell()

    expect(await complaintOf(serviceId, { transaction_id: id, stage: 'reversal' })).toMatch(
      /^\/stage: make a chargeback first/,
    )
  })

  test('for a payment that is not there, of another account, or of another service', async () => {
    const { serviceId } = await sell()
    await service.send('POST /merchant-accounts', { id: 'another-shop', display_name: 'Another' })
    const foreign = await service.send(
      'POST /transactions',
      { amount: 1000, currency: 'USD', intent: 'capture', payment_method: CARD },
      { account: 'another-shop' },
    )
    const other = await till.addService({ merchant_id: 'other' })
    const { id } = await sell({ payment_service_id: other.id })

    const missing = '/transaction_id: there is no such transaction'
    expect(await complaintOf(serviceId, { transaction_id: MISSING })).toBe(missing)
    expect(await complaintOf(serviceId, { transaction_id: foreign.json().id ?? MISSING })).toBe(missing)
    expect(await complaintOf(serviceId, { transaction_id: id })).toMatch(
      /^\/transaction_id: name the payment/,
    )
    expect((await dispute(MISSING, { transaction_id: id })).statusCode).toBe(404)
  })

  test('for a reason, a stage or an amount that does not exist', async () => {
    const { id, serviceId } = await sell()
    const body = { transaction_id: id }

    expect(await complaintOf(serviceId, { ...body, reason: 'bored' })).toMatch(/^\/reason/)
    expect(await complaintOf(serviceId, { ...body, stage: 'appeal' })).toMatch(/^\/stage/)
    expect(await complaintOf(serviceId, { ...body, amount: 0 })).toMatch(/^\/amount/)
  })

  test('at a service whose connector has no disputes', async () => {
    const wallet = await service.send('POST /payment-services', {
      display_name: 'Wallet',
      payment_service_definition_id: 'mock-paypal',
      fields: [{ key: 'merchant_id', value: 'wallet' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    })

    expect(await complaintOf(wallet.json().id, { transaction_id: MISSING })).toMatch(/use mock-card$/)
  })
})
