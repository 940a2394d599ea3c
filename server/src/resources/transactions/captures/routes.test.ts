import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const list = (id: string, options = {}) =>
  service.send(`GET /transactions/${id}/captures`, undefined, options)
const get = (id: string, captureId: string, options = {}) =>
  service.send(`GET /transactions/${id}/captures/${captureId}`, undefined, options)

describe('the captures of a transaction', () => {
  test('are listed, newest first', async () => {
    const { id } = await till.pay({ external_identifier: 'order-1' })
    await till.act(id, 'capture', { amount: 300, final: false })
    await till.act(id, 'capture', {
      amount: 500,
      external_identifier: 'parcel 2',
      cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 500 }],
    })

    const response = await list(id)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ limit: 100, next_cursor: null, previous_cursor: null })
    expect(response.json().items).toHaveLength(2)
    expect(response.json().items[0]).toEqual({
      type: 'capture',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: 'default',
      transaction_id: id,
      transaction_external_identifier: 'order-1',
      xid: expect.any(String),
      external_identifier: 'parcel 2',
      currency: 'USD',
      amount: 500,
      status: 'succeeded',
      final: true,
      error_code: null,
      iso_response_code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      cart_items: [expect.objectContaining({ name: 'Bag', quantity: 1, unit_amount: 500 })],
      created_at: expect.any(String),
      updated_at: expect.any(String),
      captured_at: expect.any(String),
    })
    expect(response.json().items[1]).toMatchObject({ amount: 300, final: false, cart_items: null })
  })

  test('are an empty list at first', async () => {
    const { id } = await till.pay()

    expect((await list(id)).json().items).toEqual([])
  })

  test('that were refused say why', async () => {
    const { id } = await till.pay({ amount: 500002 })
    await till.act(id, 'capture', {})

    expect((await list(id)).json().items).toMatchObject([
      { status: 'declined', error_code: 'refused_transaction', captured_at: null },
    ])
  })

  test('are not shown for a missing transaction, or one of another account', async () => {
    const { id } = await till.pay()

    expect((await list(MISSING)).statusCode).toBe(404)
    expect((await list(id, { account: 'other' })).statusCode).toBe(404)
    expect((await list('x')).statusCode).toBe(400)
  })
})

describe('one capture', () => {
  test('is shown as in the list', async () => {
    const { id } = await till.pay({ intent: 'capture' })
    const [capture] = (await list(id)).json().items

    const response = await get(id, capture.id)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual(capture)
  })

  test('is not shown below another transaction, nor to another account', async () => {
    const first = await till.pay({ intent: 'capture' })
    const second = await till.pay({ intent: 'capture' })
    const [capture] = (await list(first.id)).json().items

    expect((await get(second.id, capture.id)).statusCode).toBe(404)
    expect((await get(first.id, capture.id, { account: 'other' })).statusCode).toBe(404)
    expect((await get(first.id, MISSING)).statusCode).toBe(404)
    expect((await get(MISSING, capture.id)).statusCode).toBe(404)
  })
})
