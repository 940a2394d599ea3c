import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const REPORT = { headers: { prefer: 'resource=transaction-void' } }

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const letGo = (id: string, options = {}) => till.act(id, 'void', undefined, options)

describe('voiding', () => {
  test('releases what is authorized', async () => {
    const { id } = await till.pay()

    const response = await letGo(id)

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({
      type: 'transaction',
      status: 'authorization_voided',
      intent_outcome: 'succeeded',
      authorized_amount: 1000,
      captured_amount: 0,
      error_code: null,
      voided_at: expect.any(String),
    })
    expect(await till.get(id)).toEqual(response.json())
    expect(await till.books(id)).toEqual({ authorized: 1000, captured: 0, refunded: 0, voided: 1000 })
    expect(await till.told(id)).toEqual(['transaction.authorized', 'transaction.voided'])
    expect(await till.history(id)).toEqual([
      'payment-connector-response-transaction-authorization-succeeded',
      'transaction-updated-status',
      'transaction-updated-status',
      'payment-connector-response-transaction-void-succeeded',
      'transaction-updated-status',
    ])
    const log = (await service.send('GET /audit-logs?action=voided')).json().items
    expect(log[0]).toMatchObject({ resource: { type: 'transaction', id, name: 'USD 1000' } })
  })

  test('answers with a report when that is preferred', async () => {
    const { id } = await till.pay()

    const response = await letGo(id, REPORT)

    expect(response.json()).toEqual({
      type: 'transaction-void',
      status: 'succeeded',
      code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      transaction: await till.get(id),
    })
  })

  test.each([
    'resource=transaction',
    'resource=transaction-capture',
    'resource=TRANSACTION-VOID',
    'return=minimal',
  ])('answers with the transaction when %s is preferred', async (prefer) => {
    const { id } = await till.pay()

    expect((await letGo(id, { headers: { prefer } })).json().type).toBe('transaction')
  })

  test('needs no body, and takes no other', async () => {
    const { id } = await till.pay()

    expect((await till.act(id, 'void', {})).statusCode).toBe(200)
  })
})

describe('a void that the processor refuses', () => {
  test.each([
    [510001, 'failed', 'service_network_error'],
    [510002, 'declined', 'issuer_decline'],
  ])('%i is %s, and the payment is as before', async (amount, status, code) => {
    const before = await till.pay({ amount })

    const response = await letGo(before.id, REPORT)

    const { transaction, ...report } = response.json()
    expect(response.statusCode).toBe(200)
    expect(report).toEqual({
      type: 'transaction-void',
      status,
      code,
      raw_response_code: `${amount}`,
      raw_response_description: code,
    })
    expect(transaction).toEqual({ ...before, updated_at: transaction.updated_at })
    expect(await till.get(before.id)).toEqual(transaction)
    expect(await till.books(before.id)).toMatchObject({ voided: 0 })
    expect(await till.told(before.id)).toEqual(['transaction.authorized', `transaction.void-${status}`])
    expect(await till.history(before.id)).toContain(`payment-connector-response-transaction-void-${status}`)
  })

  test('lets the payment be captured, or voided later', async () => {
    const first = await till.pay({ amount: 510002 })
    const second = await till.pay({ amount: 510002 })
    await letGo(first.id)
    await letGo(second.id)

    const captured = await till.act(first.id, 'capture', {})
    const again = await letGo(second.id, REPORT)

    expect(captured.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 510002 })
    expect(again.json()).toMatchObject({ status: 'declined', code: 'issuer_decline' })
  })
})

describe('payments that cannot be voided', () => {
  test.each([
    ['declined', { amount: 200011 }, 'authorization_declined'],
    ['failed', { amount: 200002 }, 'authorization_failed'],
    ['still open', { amount: 600002 }, 'processing'],
    ['captured at once', { intent: 'capture' }, 'capture_succeeded'],
  ])('%s', async (_name, body, status) => {
    const { id } = await till.pay(body)

    const response = await letGo(id)

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'bad_request',
      details: [{ location: 'path', type: 'value_error.conflict', message: expect.stringContaining(status) }],
    })
    expect(response.json().message).toContain(`its status is ${status}`)
    expect((await till.get(id)).status).toBe(status)
  })

  test.each([
    ['wholly', {}],
    ['in part, and finally', { amount: 1 }],
  ])('captured %s', async (_name, body) => {
    const { id } = await till.pay()
    await till.act(id, 'capture', body)

    const response = await letGo(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe(
      'The transaction cannot be voided: its status is capture_succeeded, and nothing is left to release; refund it instead.',
    )
    expect(await till.books(id)).toMatchObject({ voided: 0 })
  })

  test('voided before', async () => {
    const { id } = await till.pay()
    await letGo(id)

    const response = await letGo(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('its status is authorization_voided')
    expect(await till.books(id)).toMatchObject({ voided: 1000 })
  })

  test('authorized with the amount zero', async () => {
    const { id } = await till.pay({ amount: 0 })

    const response = await letGo(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('an authorization of zero holds nothing')
    expect((await till.get(id)).status).toBe('authorization_succeeded')
  })

  test('missing, or of another account', async () => {
    const { id } = await till.pay()

    expect((await letGo(MISSING)).statusCode).toBe(404)
    expect((await letGo(id, { account: 'other' })).statusCode).toBe(404)
  })

  test('that no payment service has taken', async () => {
    const { id } = await till.pay({}, { account: 'other' })

    const response = await letGo(id, { account: 'other' })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('The transaction has not reached any payment service.')
  })
})

test('only one of ten concurrent voids is made', async () => {
  const { id } = await till.pay()

  const responses = await Promise.all(Array.from({ length: 10 }, () => letGo(id)))

  const statuses = responses.map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 425)).toEqual([])
  expect(await till.books(id)).toMatchObject({ voided: 1000 })
})

test('the same key again: the same answer, and nothing more', async () => {
  const { id } = await till.pay({ amount: 510002 })
  const options = { headers: { 'idempotency-key': 'void-once', ...REPORT.headers } }

  const first = await letGo(id, options)
  const second = await letGo(id, options)

  expect(second.body).toBe(first.body)
  expect(second.headers['idempotent-replayed']).toBe('true')
  expect((await till.told(id)).filter((name) => name === 'transaction.void-declined')).toHaveLength(1)
})
