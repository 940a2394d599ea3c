import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

const REPORT = { headers: { prefer: 'resource=transaction-capture' } }

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const capture = (id: string, body: object = {}, options = {}) => till.act(id, 'capture', body, options)
const captures = async (id: string) => (await service.send(`GET /transactions/${id}/captures`)).json().items
const details = (response: { json: () => { details: { pointer: string; type: string }[] } }) =>
  response.json().details.map(({ pointer, type }) => [pointer, type])

async function take(id: string, body: object = {}) {
  const response = await capture(id, body)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

describe('capturing', () => {
  test('captures all that is authorized without an amount', async () => {
    const { id } = await till.pay({ amount: 1299 })

    const transaction = await take(id)

    expect(transaction).toMatchObject({
      type: 'transaction',
      status: 'capture_succeeded',
      intent: 'authorize',
      intent_outcome: 'succeeded',
      authorized_amount: 1299,
      captured_amount: 1299,
      captured_at: expect.any(String),
    })
    expect(await till.get(id)).toEqual(transaction)
    expect(await captures(id)).toMatchObject([{ amount: 1299, final: true, status: 'succeeded' }])
    expect(await till.books(id)).toEqual({ authorized: 1299, captured: 1299, refunded: 0, voided: 0 })
    expect(await till.told(id)).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ])
    expect(await till.history(id)).toEqual([
      'payment-connector-response-transaction-authorization-succeeded',
      'transaction-updated-status',
      'transaction-updated-status',
      'payment-connector-response-transaction-capture-succeeded',
      'transaction-updated-status',
    ])
  })

  test('a part, as final: the rest is released, and no other capture follows', async () => {
    const { id } = await till.pay()

    const transaction = await take(id, { amount: 400 })
    const second = await capture(id, { amount: 100 })

    expect(transaction).toMatchObject({ status: 'capture_succeeded', captured_amount: 400 })
    expect(second.statusCode).toBe(400)
    expect(second.json().message).toBe(
      'The transaction cannot be captured: its status is capture_succeeded, and the final capture is done.',
    )
    expect(await till.books(id)).toMatchObject({ captured: 400 })
  })

  test('several parts, of which the last is final', async () => {
    const { id } = await till.pay()

    const first = await take(id, { amount: 300, final: false, external_identifier: 'parcel 1' })
    const second = await take(id, { amount: 200, final: false })
    const last = await take(id, { amount: 400 })
    const after = await capture(id, { amount: 1 })

    expect(first).toMatchObject({ status: 'capture_succeeded', captured_amount: 300 })
    expect(second).toMatchObject({ status: 'capture_succeeded', captured_amount: 500 })
    expect(last).toMatchObject({ status: 'capture_succeeded', captured_amount: 900 })
    expect(after.statusCode).toBe(400)
    expect(await captures(id)).toMatchObject([
      { amount: 400, final: true, external_identifier: null },
      { amount: 200, final: false },
      { amount: 300, final: false, external_identifier: 'parcel 1' },
    ])
    expect(await till.books(id)).toMatchObject({ authorized: 1000, captured: 900 })
  })

  test('without an amount captures what earlier captures left', async () => {
    const { id } = await till.pay()
    await take(id, { amount: 300, final: false })

    const transaction = await take(id)

    expect(transaction.captured_amount).toBe(1000)
    expect((await captures(id))[0]).toMatchObject({ amount: 700, final: true })
  })

  test('captures what was approved of a partial authorization', async () => {
    const { id } = await till.pay({ amount: 600001, allow_partial_authorization: true })

    const transaction = await take(id)

    expect(transaction).toMatchObject({ amount: 600001, authorized_amount: 300000, captured_amount: 300000 })
  })

  test('keeps the details of the sale', async () => {
    const { id } = await till.pay()

    await take(id, { cart_items: [{ name: 'Bag', quantity: 1, unit_amount: 1000 }] })

    expect((await captures(id))[0].cart_items).toMatchObject([
      { name: 'Bag', quantity: 1, unit_amount: 1000 },
    ])
  })

  test('is on record in the audit log', async () => {
    const { id } = await till.pay()

    await take(id, { amount: 700 })

    const log = (await service.send('GET /audit-logs?action=captured')).json().items
    expect(log[0]).toMatchObject({ resource: { type: 'transaction', id, name: 'USD 700' } })
  })
})

describe('amounts', () => {
  test.each([
    ['more than is authorized', { amount: 1001 }, '/amount', 'value_error.number.not_le'],
    ['nothing', { amount: 0 }, '/amount', 'value_error.number.not_ge'],
    ['a negative amount', { amount: -1 }, '/amount', 'value_error.number.not_ge'],
    ['more than any payment can be', { amount: 100_000_000 }, '/amount', 'value_error.number.not_le'],
    ['text', { amount: '100' }, '/amount', 'type_error.integer'],
    ['a fraction', { amount: 1.5 }, '/amount', 'type_error.integer'],
    ['a flag as text', { final: 'true' }, '/final', 'type_error.bool'],
    [
      'a reference that is too long',
      { external_identifier: 'x'.repeat(301) },
      '/external_identifier',
      'value_error.any_str.max_length',
    ],
    ['a field that there is not', { finally: true }, '/finally', 'value_error.extra'],
  ])('%s is refused', async (_name, body, pointer, type) => {
    const { id } = await till.pay()

    const response = await capture(id, body)

    expect(response.statusCode, response.body).toBe(400)
    expect(details(response)).toEqual([[pointer, type]])
    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', captured_amount: 0 })
    expect(await captures(id)).toEqual([])
    expect(await till.books(id)).toMatchObject({ captured: 0 })
  })

  test('null is the same as no amount', async () => {
    const { id } = await till.pay()

    expect((await take(id, { amount: null, cart_items: null, airline: null })).captured_amount).toBe(1000)
  })

  test('more than earlier captures left is refused', async () => {
    const { id } = await till.pay()
    await take(id, { amount: 800, final: false })

    const response = await capture(id, { amount: 201 })

    expect(details(response)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(response.json().details[0].message).toContain('200 is left')
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 800 })
  })

  test('when all is captured, nothing is left to capture', async () => {
    const { id } = await till.pay()
    await take(id, { amount: 1000, final: false })

    const response = await capture(id)

    expect(details(response)).toEqual([['/amount', 'value_error.number.not_ge']])
  })

  test('of an authorization of zero, zero can be captured and nothing else', async () => {
    const { id } = await till.pay({ amount: 0 })

    const more = await capture(id, { amount: 1 })
    const transaction = await take(id, { amount: 0 })

    expect(details(more)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(transaction).toMatchObject({ status: 'capture_succeeded', captured_amount: 0 })
  })
})

describe('over-capture', () => {
  const account = 'tips'
  beforeAll(async () => {
    await service.send('POST /merchant-accounts', { id: account, display_name: 'Tips' })
    await till.addService({}, { account })
  })
  const allow = (over_capture_amount: number | null, over_capture_percentage: number | null) =>
    service.send(`PUT /merchant-accounts/${account}`, { over_capture_amount, over_capture_percentage })

  test.each([
    ['an amount', 250, null, 1250],
    ['a percentage', null, 15, 1150],
    ['both: the smaller ceiling, here the amount', 100, 15, 1100],
    ['both: the smaller ceiling, here the percentage', 250, 15, 1150],
    ['neither', null, null, 1000],
  ])('is allowed by %s', async (_name, amount, percentage, most) => {
    await allow(amount, percentage)
    const { id } = await till.pay({}, { account })

    const over = await capture(id, { amount: most + 1 }, { account })
    const just = await capture(id, { amount: most }, { account })

    expect(details(over)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(just.statusCode, just.body).toBe(200)
    expect(just.json()).toMatchObject({ authorized_amount: 1000, captured_amount: most })
    expect(await till.books(id)).toMatchObject({ captured: most })
  })

  test('with the highest percentage still ends at the highest amount', async () => {
    await allow(null, 99_999_999)
    const { id } = await till.pay({ amount: 99_999_999 }, { account })

    const captured = await capture(id, { amount: 99_999_999 }, { account })

    await allow(null, null)
    expect(captured.statusCode, captured.body).toBe(200)
    expect(await till.books(id)).toMatchObject({ captured: 99_999_999 })
  })

  test('is not used by a capture without an amount', async () => {
    await allow(250, null)
    const { id } = await till.pay({}, { account })

    expect((await capture(id, {}, { account })).json().captured_amount).toBe(1000)
  })

  test('follows the account’s current setting', async () => {
    await allow(250, null)
    const { id } = await till.pay({}, { account })
    await capture(id, { amount: 500, final: false }, { account })
    await allow(null, null)

    const over = await capture(id, { amount: 501 }, { account })
    const just = await capture(id, { amount: 500 }, { account })

    expect(details(over)).toEqual([['/amount', 'value_error.number.not_le']])
    expect(just.json().captured_amount).toBe(1000)
  })
})

describe('payments that cannot be captured', () => {
  test.each([
    ['declined', { amount: 200011 }, 'authorization_declined'],
    ['failed', { amount: 200002 }, 'authorization_failed'],
    ['still open', { amount: 600002 }, 'processing'],
    ['captured at once', { intent: 'capture' }, 'capture_succeeded'],
  ])('%s', async (_name, body, status) => {
    const { id } = await till.pay(body)

    const response = await capture(id)

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      code: 'bad_request',
      details: [{ location: 'path', type: 'value_error.conflict', message: expect.stringContaining(status) }],
    })
    expect(response.json().message).toContain(`its status is ${status}`)
    expect((await till.get(id)).status).toBe(status)
  })

  test('voided', async () => {
    const { id } = await till.pay()
    await till.act(id, 'void')

    const response = await capture(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('its status is authorization_voided')
    expect(await till.books(id)).toMatchObject({ captured: 0, voided: 1000 })
  })

  test('a missing one, and one of another account', async () => {
    const { id } = await till.pay()

    expect((await capture(MISSING)).statusCode).toBe(404)
    expect((await capture(id, {}, { account: 'other' })).statusCode).toBe(404)
    expect((await capture('not-an-id')).statusCode).toBe(400)
  })

  test('one whose payment service was deleted', async () => {
    const gone = await till.addService({})
    const { id } = await till.pay({ payment_service_id: gone.id })
    await service.send(`DELETE /payment-services/${gone.id}`)

    const response = await capture(id)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toBe('The payment service of the transaction was deleted.')
  })

  test('a body is required, and may be empty', async () => {
    const { id } = await till.pay()

    expect((await till.act(id, 'capture')).statusCode).toBe(400)
    expect((await capture(id, {})).statusCode).toBe(200)
  })
})

describe('a payment with the intent capture', () => {
  test('has a capture of its own, and its events', async () => {
    const transaction = await till.pay({ intent: 'capture', amount: 1299 })

    expect(transaction).toMatchObject({
      status: 'capture_succeeded',
      authorized_amount: 1299,
      captured_amount: 1299,
      captured_at: transaction.authorized_at,
    })
    expect(await captures(transaction.id)).toMatchObject([
      {
        amount: 1299,
        final: true,
        status: 'succeeded',
        xid: transaction.payment_service_transaction_id,
        raw_response_code: '00',
        captured_at: expect.any(String),
      },
    ])
    expect(await till.told(transaction.id)).toEqual(['capture.succeeded', 'transaction.captured'])
    expect(await till.books(transaction.id)).toMatchObject({ authorized: 1299, captured: 1299 })
  })

  test.each([
    ['fails', 500001, 'authorization_failed', 'service_network_error'],
    ['is declined', 500002, 'authorization_declined', 'refused_transaction'],
  ])('that %s holds nothing', async (_name, amount, status, code) => {
    const transaction = await till.pay({ intent: 'capture', amount })

    expect(transaction).toMatchObject({ status, error_code: code, authorized_amount: 0, captured_amount: 0 })
    expect(await captures(transaction.id)).toEqual([])
    expect(await till.books(transaction.id)).toBeNull()
  })

  test('and async_capture is captured after the answer', async () => {
    const transaction = await till.pay({ intent: 'capture', async_capture: true })
    const open = await captures(transaction.id)
    await service.resolveDue()

    expect(transaction).toMatchObject({
      status: 'capture_pending',
      authorized_amount: 1000,
      captured_amount: 0,
    })
    expect(open).toMatchObject([{ status: 'pending', amount: 1000, final: true, captured_at: null }])
    expect(await till.get(transaction.id)).toMatchObject({
      status: 'capture_succeeded',
      captured_amount: 1000,
    })
    expect((await captures(transaction.id))[0]).toMatchObject({ id: open[0].id, status: 'succeeded' })
    expect(await till.books(transaction.id)).toMatchObject({ authorized: 1000, captured: 1000 })
  })

  test('whose capture fails after the answer has failed, and its hold is released', async () => {
    const { id } = await till.pay({ intent: 'capture', async_capture: true, amount: 500001 })
    await service.resolveDue()
    await service.resolveDue()

    expect(await till.get(id)).toMatchObject({
      status: 'authorization_failed',
      intent_outcome: 'failed',
      error_code: 'service_network_error',
      captured_amount: 0,
    })
    expect((await captures(id))[0]).toMatchObject({ status: 'failed', error_code: 'service_network_error' })
    expect(await till.books(id)).toEqual({ authorized: 500001, captured: 0, refunded: 0, voided: 500001 })
    expect(await till.told(id)).toEqual([
      'transaction.capture-pending',
      'capture.failed',
      'transaction.capture-failed',
      'transaction.failed',
    ])
  })
})

describe('a payment service that can do less', () => {
  const capabilities = () => {
    const connector = service.providers.connectors.find('mock-card')
    if (!connector) throw new Error('there is no mock-card')
    return connector.manifest.capabilities
  }
  const LESS = { directCapture: false, multipleCaptures: false, overCapture: false }
  let before: object
  beforeAll(() => {
    before = { ...capabilities() }
    Object.assign(capabilities(), LESS)
  })
  afterAll(() => Object.assign(capabilities(), before))

  test('authorizes and captures in two steps, of which the caller sees one', async () => {
    const transaction = await till.pay({ intent: 'capture' })

    const entries = await service.providers.fetch(
      `https://processor.simulator.invalid/books?transaction_id=${transaction.id}`,
    )
    expect(transaction).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect(await (await readWhole(entries)).json()).toMatchObject({
      entries: [{ operation: 'authorize' }, { operation: 'capture' }],
    })
    expect(await captures(transaction.id)).toMatchObject([{ status: 'succeeded', amount: 1000, final: true }])
    expect(await till.told(transaction.id)).toEqual([
      'transaction.capture-pending',
      'capture.succeeded',
      'transaction.captured',
    ])
  })

  test('is not sent several captures, nor more than is held, if its fields do not allow it', async () => {
    const operationNeeds = { multipleCaptures: () => false, overCapture: () => false }
    Object.assign(capabilities(), { multipleCaptures: true, overCapture: true, operationNeeds })
    const { id } = await till.pay({})

    const part = await till.act(id, 'capture', { amount: 500, final: false })

    Object.assign(capabilities(), { ...LESS, operationNeeds: undefined })
    expect(part.statusCode).toBe(400)
    expect(part.json().details).toMatchObject([{ pointer: '/final' }])
    expect(await till.get(id)).toMatchObject({ status: 'authorization_succeeded', captured_amount: 0 })
  })

  test('is not sent a capture that it does not support, and one that it no longer supports has failed', async () => {
    const connector = service.providers.connectors.find('mock-card')
    if (!connector) throw new Error('there is no mock-card')
    const { capture: able } = connector
    const begun = await till.pay({ intent: 'capture', async_capture: true })
    Object.assign(connector, { capture: undefined })

    const skipped = await till.pay({ intent: 'capture' })
    await service.resolveDue()

    Object.assign(connector, { capture: able })
    const failed = { status: 'authorization_failed', captured_amount: 0 }
    expect(skipped).toMatchObject({ ...failed, error_code: 'all_attempts_skipped' })
    expect(await till.get(begun.id)).toMatchObject({ ...failed, error_code: 'invalid_operation' })
    expect(await till.books(begun.id)).toMatchObject({ captured: 0, voided: 1000 })
  })

  test('is not sent an outside authentication that it cannot pass on', async () => {
    Object.assign(capabilities(), { threeDSecurePassThrough: false })
    const three_d_secure_data = {
      cavv: 'AAABBJkZUQAAAABjRWWZEEFgFz8=',
      eci: '05',
      version: '2.2.0',
      directory_response: 'Y',
      authentication_response: 'Y',
      directory_transaction_id: '8f3e5b7c-1d2a-4e6f-9a0b-3c4d5e6f7a8b',
    }

    const skipped = await till.pay({ three_d_secure_data })

    Object.assign(capabilities(), { threeDSecurePassThrough: true })
    expect(skipped).toMatchObject({ status: 'authorization_failed', error_code: 'all_attempts_skipped' })
    expect((await till.pay({ three_d_secure_data })).status).toBe('authorization_succeeded')
  })

  test('a payment whose second step fails has failed, and its hold is released', async () => {
    const transaction = await till.pay({ intent: 'capture', amount: 500002 })
    await service.resolveDue()

    expect(transaction).toMatchObject({
      status: 'authorization_failed',
      error_code: 'refused_transaction',
      authorized_amount: 500002,
      captured_amount: 0,
    })
    expect(await till.get(transaction.id)).toMatchObject({ status: 'authorization_failed' })
    expect(await till.books(transaction.id)).toMatchObject({ captured: 0, voided: 500002 })
  })

  test('takes no capture that is not final', async () => {
    const { id } = await till.pay()

    const response = await capture(id, { amount: 400, final: false })

    expect(details(response)).toEqual([['/final', 'value_error.conflict']])
    expect((await take(id, { amount: 400 })).captured_amount).toBe(400)
  })

  test('takes no more than is authorized, whatever the account allows', async () => {
    await service.send('PUT /merchant-accounts/default', { over_capture_amount: 500 })
    const { id } = await till.pay()

    const response = await capture(id, { amount: 1001 })
    await service.send('PUT /merchant-accounts/default', { over_capture_amount: null })

    expect(details(response)).toEqual([['/amount', 'value_error.number.not_le']])
  })
})

describe('a capture that the processor refuses', () => {
  test.each([
    [500001, 'failed', 'service_network_error'],
    [500002, 'declined', 'refused_transaction'],
  ])('%i is %s, and the payment is as before', async (amount, status, code) => {
    const { id } = await till.pay({ amount })

    const response = await capture(id)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      type: 'transaction',
      status: 'authorization_succeeded',
      intent_outcome: 'succeeded',
      error_code: null,
      captured_amount: 0,
      captured_at: null,
    })
    expect(await captures(id)).toMatchObject([{ status, error_code: code, raw_response_code: `${amount}` }])
    expect(await till.books(id)).toMatchObject({ authorized: amount, captured: 0 })
    expect(await till.told(id)).toContain(`capture.${status}`)
    expect(await till.told(id)).toContain('transaction.capture-failed')
    expect(await till.history(id)).toContain(`payment-connector-response-transaction-capture-${status}`)
  })

  test('lets the payment be captured again, or voided', async () => {
    const first = await till.pay({ amount: 500001 })
    const second = await till.pay({ amount: 500001 })
    await capture(first.id)
    await capture(second.id)

    const again = await capture(first.id, { amount: 500000 })
    const voided = await till.act(second.id, 'void')

    expect(again.json()).toMatchObject({ status: 'capture_succeeded', captured_amount: 500000 })
    expect(voided.json()).toMatchObject({ status: 'authorization_voided' })
  })

  test('after others does not change what they captured', async () => {
    const { id } = await till.pay({ amount: 900000 })
    await take(id, { amount: 100, final: false })

    const transaction = await take(id, { amount: 500002 })
    const last = await take(id, { amount: 200 })

    expect(transaction).toMatchObject({ status: 'capture_succeeded', captured_amount: 100 })
    expect(last).toMatchObject({ captured_amount: 300 })
    expect(await till.books(id)).toMatchObject({ captured: 300 })
  })
})

describe('the report on a capture', () => {
  const buyer = {
    display_name: 'Ada',
    billing_details: { first_name: 'Ada', last_name: 'Lovelace', address: { country: 'US' } },
    shipping_details: { first_name: 'Ada', address: { country: 'US', city: 'Reno' } },
  }

  test('shows its outcome, and the payment as it is now', async () => {
    const { id } = await till.pay({ buyer })

    const response = await capture(id, { amount: 300, external_identifier: 'parcel 1' }, REPORT)

    const [row] = await captures(id)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({
      type: 'transaction-capture',
      status: 'succeeded',
      code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      capture_id: row.id,
      payment_service_capture_id: row.xid,
      external_identifier: 'parcel 1',
      billing_details: expect.objectContaining({ first_name: 'Ada', last_name: 'Lovelace' }),
      shipping_details: expect.objectContaining({ type: 'shipping-details', first_name: 'Ada' }),
      transaction: await till.get(id),
    })
  })

  test.each([
    [500001, 'failed', 'service_network_error'],
    [500002, 'declined', 'refused_transaction'],
  ])('of %i tells why not', async (amount, status, code) => {
    const { id } = await till.pay({ amount })

    const response = await capture(id, {}, REPORT)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      type: 'transaction-capture',
      status,
      code,
      raw_response_code: `${amount}`,
      raw_response_description: code,
      capture_id: (await captures(id))[0].id,
      billing_details: null,
      shipping_details: null,
      transaction: { id, status: 'authorization_succeeded' },
    })
  })

  test.each([
    ['transaction', 'resource=transaction', 'transaction'],
    ['something unknown', 'resource=transaction-void', 'transaction'],
    ['capital letters in the value', 'resource=Transaction-Capture', 'transaction'],
    ['another preference', 'return=minimal', 'transaction'],
    ['capital letters in the name', 'RESOURCE=transaction-capture', 'transaction-capture'],
    ['it among others', 'respond-async, resource=transaction-capture; wait=10', 'transaction-capture'],
  ])('goes by what is preferred: %s', async (_name, prefer, type) => {
    const { id } = await till.pay()

    expect((await capture(id, {}, { headers: { prefer } })).json().type).toBe(type)
  })
})

describe('at the same instant', () => {
  test('only one of ten full captures is made', async () => {
    const { id } = await till.pay()

    const responses = await Promise.all(Array.from({ length: 10 }, () => capture(id)))

    const statuses = responses.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 425)).toEqual([])
    expect(await captures(id)).toHaveLength(1)
    expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', captured_amount: 1000 })
    expect(await till.books(id)).toMatchObject({ captured: 1000 })
  })

  test('a capture and a void: one of them wins, in twenty rounds', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id } = await till.pay()

      const [captured, voided] = await Promise.all(
        round % 2 === 0
          ? [capture(id), till.act(id, 'void')]
          : [till.act(id, 'void'), capture(id)].toReversed(),
      )

      const winners = [captured, voided].filter((response) => response?.statusCode === 200)
      const loser = [captured, voided].find((response) => response?.statusCode !== 200)
      const { status, captured_amount } = await till.get(id)
      const books = await till.books(id)
      expect(winners).toHaveLength(1)
      expect([400, 425]).toContain(loser?.statusCode)
      expect(status).toBe(captured?.statusCode === 200 ? 'capture_succeeded' : 'authorization_voided')
      expect(captured_amount).toBe(books?.captured)
      expect(books?.voided).toBe(status === 'authorization_voided' ? 1000 : 0)
    }
  })

  test('fifty times the same key: one capture, and one answer for all', async () => {
    const { id } = await till.pay()
    const headers = { 'idempotency-key': 'capture-once' }

    const responses = await Promise.all(Array.from({ length: 50 }, () => capture(id, {}, { headers })))
    const later = await capture(id, {}, { headers })

    expect(responses.filter(({ statusCode }) => statusCode !== 200 && statusCode !== 409)).toEqual([])
    const bodies = new Set([...responses.filter(({ statusCode }) => statusCode === 200), later].map(bodyOf))
    expect([...bodies]).toEqual([later.body])
    expect(later.headers['idempotent-replayed']).toBe('true')
    expect(await captures(id)).toHaveLength(1)
    expect(await till.books(id)).toMatchObject({ captured: 1000 })
  })
})

function bodyOf({ body }: { readonly body: string }): string {
  return body
}
