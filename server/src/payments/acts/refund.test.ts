import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const refund = (id: string, body: object = {}, options = {}) => till.act(id, 'refunds', body, options)
const refunds = async (id: string) => (await service.send(`GET /transactions/${id}/refunds`)).json().items
const details = (response: { json: () => { details: { pointer: string; type: string }[] } }) =>
  response.json().details.map(({ pointer, type }) => [pointer, type])
const pay = (body: object = {}) => till.pay({ intent: 'capture', ...body })

async function giveBack(id: string, body: object = {}) {
  const response = await refund(id, body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

describe('refunding', () => {
  test('all of it, when no amount is named', async () => {
    const { id, reconciliation_id } = await pay({ external_identifier: 'order-1' })

    const made = await giveBack(id)

    expect(made).toEqual({
      type: 'refund',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reconciliation_id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      external_identifier: null,
      transaction_id: id,
      transaction_reconciliation_id: reconciliation_id,
      transaction_external_identifier: 'order-1',
      payment_service_refund_id: expect.any(String),
      status: 'succeeded',
      currency: 'USD',
      amount: 1000,
      reason: null,
      target_type: 'payment-method',
      target_id: null,
      creator: { id: expect.any(String), name: expect.any(String), email_address: '' },
      error_code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      settled: false,
      settled_amount: 0,
      settled_currency: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(await till.get(id)).toMatchObject({
      status: 'capture_succeeded',
      intent_outcome: 'succeeded',
      captured_amount: 1000,
      refunded_amount: 1000,
    })
    expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 1000 })
    expect(await till.told(id)).toEqual(['capture.succeeded', 'transaction.captured', 'refund.succeeded'])
    const log = (await service.send('GET /audit-logs?action=created')).json().items
    expect(log[0]).toMatchObject({ resource: { type: 'refund', id: made.id, name: 'USD 1000' } })
  })

  test('in parts, until nothing is left', async () => {
    const { id } = await pay()

    await giveBack(id, { amount: 300, reason: 'One bag came back', external_identifier: 'return-1' })
    await giveBack(id, { amount: 300 })
    const over = await refund(id, { amount: 401 })
    const rest = await giveBack(id)
    const none = await refund(id)

    expect(details(over)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(over.json().details[0].message).toBe('more than is left to refund: 400')
    expect(rest.amount).toBe(400)
    expect(details(none)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(none.json().details[0].message).toBe('nothing is left to refund')
    expect(await refunds(id)).toMatchObject([
      { amount: 400 },
      { amount: 300 },
      { amount: 300, reason: 'One bag came back', external_identifier: 'return-1' },
    ])
    expect(await till.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(await till.books(id)).toMatchObject({ refunded: 1000 })
  })

  test('what is captured, while more can be captured', async () => {
    const { id } = await till.pay()
    await till.act(id, 'capture', { amount: 400, final: false })

    const over = await refund(id, { amount: 401 })
    await giveBack(id, { amount: 400 })
    await till.act(id, 'capture', { amount: 500 })
    await giveBack(id)

    expect(details(over)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(await till.get(id)).toMatchObject({ captured_amount: 900, refunded_amount: 900 })
    expect(await till.books(id)).toMatchObject({ captured: 900, refunded: 900 })
  })

  test('names the stored payment method it goes to', async () => {
    const { id, payment_method } = await pay({ store: true })

    const made = await giveBack(id, { target_type: 'payment-method' })

    expect(payment_method.id).toEqual(expect.any(String))
    expect(made).toMatchObject({ target_type: 'payment-method', target_id: payment_method.id })
  })

  test('works after the stored payment method was deleted', async () => {
    const method = (await service.send('POST /payment-methods', CARD)).json()
    const { id } = await pay({ payment_method: { method: 'id', id: method.id } })
    await service.send(`DELETE /payment-methods/${method.id}`)

    expect(await giveBack(id)).toMatchObject({ status: 'succeeded', amount: 1000 })
  })
})

describe('amounts and targets', () => {
  test('the document names the least amount that is taken', async () => {
    const { components } = (await service.app.inject('/openapi.json')).json()

    expect(JSON.stringify(components.schemas.RefundCreate.properties.amount)).toContain('"minimum":1,')
  })

  test.each([
    ['nothing', { amount: 0 }, '/amount', 'value_error.number.not_ge'],
    ['less than nothing', { amount: -1 }, '/amount', 'value_error.number.not_ge'],
    ['more than is captured', { amount: 1001 }, '/amount', 'value_error.number.not_le'],
    ['more than any payment can be', { amount: 100_000_000 }, '/amount', 'value_error.number.not_le'],
    ['text', { amount: '10' }, '/amount', 'type_error.integer'],
    ['a long reason', { reason: 'x'.repeat(101) }, '/reason', 'value_error.any_str.max_length'],
    [
      'a long reference',
      { external_identifier: 'x'.repeat(301) },
      '/external_identifier',
      'value_error.any_str.max_length',
    ],
    ['an unknown target', { target_type: 'bank' }, '/target_type', 'type_error.enum'],
    [
      'a redemption without its id',
      { target_type: 'gift-card-redemption' },
      '/target_id',
      'value_error.missing',
    ],
    [
      'a redemption that there is not',
      { target_type: 'gift-card-redemption', target_id: MISSING },
      '/target_id',
      'value_error.not_found',
    ],
    [
      'an id that is none',
      { target_type: 'gift-card-redemption', target_id: 'x' },
      '/target_id',
      'type_error.uuid',
    ],
    ['a field that there is not', { currency: 'USD' }, '/currency', 'value_error.extra'],
  ])('%s is refused', async (_name, body, pointer, type) => {
    const { id } = await pay()

    const response = await refund(id, body)

    expect(response.statusCode, response.body).toBe(400)
    expect(details(response)).toEqual([[pointer, type]])
    expect(await refunds(id)).toEqual([])
    expect(await till.books(id)).toMatchObject({ refunded: 0 })
  })

  test('null is the same as no amount', async () => {
    const { id } = await pay()

    const made = await giveBack(id, {
      amount: null,
      target_id: null,
      reason: null,
      external_identifier: null,
    })

    expect(made.amount).toBe(1000)
  })
})

describe('a payment service that refunds all or nothing', () => {
  const capabilities = () => {
    const connector = service.providers.connectors.find('mock-card')
    if (!connector) throw new Error('there is no mock-card')
    return connector.manifest.capabilities
  }
  beforeAll(() => Object.assign(capabilities(), { partialRefunds: false }))
  afterAll(() => Object.assign(capabilities(), { partialRefunds: true }))

  test('is not asked for a partial refund', async () => {
    const { id } = await pay()

    const part = await refund(id, { amount: 999 })
    const whole = await giveBack(id, { amount: 1000 })

    expect(details(part)).toEqual([['/amount', 'value_error.conflict']])
    expect(whole.status).toBe('succeeded')
  })
})

describe('payments that cannot be refunded', () => {
  test.each([
    ['authorized', {}, 'authorization_succeeded'],
    ['declined', { amount: 200011 }, 'authorization_declined'],
    ['failed', { amount: 200002 }, 'authorization_failed'],
    ['still open', { amount: 600002 }, 'processing'],
  ])('%s', async (_name, body, status) => {
    const { id } = await till.pay(body)

    const response = await refund(id, { amount: 1 })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(
      `The transaction cannot be refunded: its status is ${status}, and nothing is captured.`,
    )
    expect(await refunds(id)).toEqual([])
  })

  test('voided', async () => {
    const { id } = await till.pay()
    await till.act(id, 'void')

    expect((await refund(id)).json().message).toContain('its status is authorization_voided')
  })

  test('missing, or of another account', async () => {
    const { id } = await pay()

    expect((await refund(MISSING)).statusCode).toBe(404)
    expect((await refund(id, {}, { account: 'other' })).statusCode).toBe(404)
  })
})

describe('a refund that the processor refuses', () => {
  test.each([
    [520001, 'failed', 'disputed_transaction'],
    [520002, 'declined', 'issuer_decline'],
    [520003, 'failed', 'service_error'],
    [520004, 'failed', 'refund_already_satisfied'],
  ])('%i is %s: %s', async (amount, status, code) => {
    const { id } = await pay({ amount: 600000 })

    const made = await giveBack(id, { amount })

    expect(made).toMatchObject({
      status,
      amount,
      error_code: code,
      raw_response_code: `${amount}`,
      raw_response_description: code,
    })
    expect(await till.get(id)).toMatchObject({ refunded_amount: 0, error_code: null })
    expect(await till.told(id)).toContain(`refund.${status}`)
    expect(await till.books(id)).toMatchObject({ refunded: 0 })
  })

  test('ends its reservation', async () => {
    const { id } = await pay({ amount: 600000 })

    await giveBack(id, { amount: 520002 })
    const whole = await giveBack(id)

    expect(whole).toMatchObject({ amount: 600000, status: 'succeeded' })
    expect(await till.get(id)).toMatchObject({ refunded_amount: 600000 })
  })

  test('does not count as a completed refund', async () => {
    const refused = await pay({ amount: 520002 })
    const done = await pay({ amount: 520005 })
    await giveBack(refused.id)
    await giveBack(done.id, { amount: 1 })

    const find = async (query: string) =>
      (await service.send(`GET /transactions?amount_gte=520002&amount_lte=520005&${query}`))
        .json()
        .items.map(({ id }: { id: string }) => id)
    expect(await find('has_refunds=true')).toEqual([done.id])
    expect(await find('has_refunds=false')).toEqual([refused.id])
  })
})

describe('at the same instant', () => {
  test('only those of fifty refunds are made that fit together', async () => {
    const { id } = await pay({ amount: 1000 })

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) => refund(id, { amount: 70 + (index % 5) * 20 })),
    )

    const made = responses.filter(({ statusCode }) => statusCode === 201).map((response) => response.json())
    const others = responses.filter(({ statusCode }) => statusCode !== 201)
    const total = made.reduce((sum, { amount }) => sum + amount, 0)
    expect(made.every(({ status }) => status === 'succeeded')).toBe(true)
    expect(others.every((response) => response.json().details?.[0]?.pointer === '/amount')).toBe(true)
    expect(total).toBeGreaterThan(930)
    expect(total).toBeLessThanOrEqual(1000)
    expect(await till.get(id)).toMatchObject({ refunded_amount: total })
    expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: total })
    expect(await refunds(id)).toHaveLength(made.length)
  })

  test('only as many of fifty equal refunds are made as were captured', async () => {
    const { id } = await pay({ amount: 1000 })

    const responses = await Promise.all(Array.from({ length: 50 }, () => refund(id, { amount: 100 })))

    expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10)
    expect(responses.filter(({ statusCode }) => statusCode === 400)).toHaveLength(40)
    expect(await till.get(id)).toMatchObject({ refunded_amount: 1000 })
    expect(await till.books(id)).toMatchObject({ captured: 1000, refunded: 1000 })
  })

  test('fifty requests with one key make one refund, and get one answer', async () => {
    const { id } = await pay()
    const headers = { 'idempotency-key': 'refund-once' }
    const body = { amount: 100 }

    const responses = await Promise.all(Array.from({ length: 50 }, () => refund(id, body, { headers })))
    const later = await refund(id, body, { headers })

    const answered = responses.filter(({ statusCode }) => statusCode === 201)
    expect(responses.filter(({ statusCode }) => statusCode !== 201 && statusCode !== 409)).toEqual([])
    expect(new Set([...answered, later].map((response) => response.body))).toEqual(new Set([later.body]))
    expect(await refunds(id)).toHaveLength(1)
    expect(await till.books(id)).toMatchObject({ refunded: 100 })
  })
})
