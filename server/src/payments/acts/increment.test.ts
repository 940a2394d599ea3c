import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Connector, Pending } from '#connectors/contract/connector.ts'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let extended: { readonly id: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  extended = await till.addService({ extended: 'true' })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => service.close())

const add = (id: string, amount: unknown, options = {}) =>
  till.act(id, 'authorization/increment', { amount }, options)
const pay = (body: object = {}) => till.pay({ payment_service_id: extended.id, ...body })
const details = (response: { json: () => { details: { pointer: string; type: string }[] } }) =>
  response.json().details.map(({ pointer, type }) => [pointer, type])

test('an increment is refused if the payment service does not support it', async () => {
  const { id } = await till.pay()

  const response = await add(id, 100)

  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    code: 'bad_request',
    message: 'Simulator does not support the operation: increment.',
  })
  expect(await till.get(id)).toMatchObject({ amount: 1000, authorized_amount: 1000 })
})

describe('adding to an authorization', () => {
  test('raises what is authorized, and what can be captured', async () => {
    const { id } = await pay()

    const response = await add(id, 250)
    const captured = await till.act(id, 'capture', {})

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({
      type: 'transaction-authorization-increment',
      status: 'succeeded',
      code: null,
      raw_response_code: '00',
      raw_response_description: 'Approved',
      transaction: { id, status: 'authorization_succeeded', amount: 1250, authorized_amount: 1250 },
    })
    expect(captured.json()).toMatchObject({ captured_amount: 1250 })
    expect(await till.books(id)).toMatchObject({ authorized: 1250, captured: 1250 })
    expect(await till.told(id)).toContain('transaction.modified')
    expect(await till.history(id)).toContain(
      'payment-connector-response-transaction-authorization-increment-succeeded',
    )
    const log = (await service.send('GET /audit-logs?action=updated')).json().items
    expect(log[0]).toMatchObject({ resource: { type: 'transaction', id, name: 'USD 1250' } })
  })

  test('can be repeated', async () => {
    const { id } = await pay()

    await add(id, 1)
    await add(id, 1)
    const response = await add(id, 1)

    expect(response.json().transaction).toMatchObject({ amount: 1003, authorized_amount: 1003 })
  })

  test('is voided as a whole', async () => {
    const { id } = await pay()
    await add(id, 250)

    await till.act(id, 'void')

    expect(await till.books(id)).toMatchObject({ authorized: 1250, voided: 1250 })
  })

  test.each([
    [200011, 'insufficient_funds'],
    [300013, 'service_error'],
  ])('of %i is refused by the processor, and nothing changes', async (amount, code) => {
    const before = await pay()

    const response = await add(before.id, amount)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({
      type: 'transaction-authorization-increment',
      status: 'failed',
      code,
      raw_response_code: `${amount}`,
      raw_response_description: code,
    })
    expect(response.json().transaction).toEqual(before)
    expect(await till.history(before.id)).toContain(
      'payment-connector-response-transaction-authorization-increment-failed',
    )
  })

  test('the same key again: added once', async () => {
    const { id } = await pay()
    const options = { headers: { 'idempotency-key': 'add-once' } }

    const first = await add(id, 250, options)
    const second = await add(id, 250, options)
    const other = await add(id, 251, options)

    expect(second.body).toBe(first.body)
    expect(other.statusCode).toBe(422)
    expect(await till.get(id)).toMatchObject({ authorized_amount: 1250 })
  })

  test('while another increment is pending is refused: the provider is told the new total of each', async () => {
    const { id } = await pay()
    const connector = service.engine.providers.connectors.find('mock-card') as Connector
    const pending: Pending = { outcome: 'pending', reference: 'later', facts: {} as Pending['facts'] }
    const increment = vi.spyOn(connector, 'increment').mockResolvedValue(pending)
    vi.spyOn(connector, 'sync').mockResolvedValue(pending)

    const first = await add(id, 250)
    const second = await add(id, 250)
    const captured = await till.act(id, 'capture', { amount: 400 })

    expect([first.statusCode, second.statusCode]).toEqual([504, 425])
    expect(second.json().details[0].message).toContain('(increment)')
    expect(increment).toHaveBeenCalledTimes(1)
    expect(captured.statusCode, captured.body).toBe(200)
  })

  test('and capturing at the same instant: the books agree', async () => {
    const { id } = await pay()

    const [added, captured] = await Promise.all([add(id, 250), till.act(id, 'capture', {})])

    const { amount, authorized_amount, captured_amount } = await till.get(id)
    const books = await till.books(id)
    expect([200, 400, 425]).toContain(added.statusCode)
    expect([200, 400, 425]).toContain(captured.statusCode)
    expect({ authorized: authorized_amount, captured: captured_amount }).toEqual({
      authorized: books?.authorized,
      captured: books?.captured,
    })
    expect(amount).toBe(authorized_amount)
  })
})

describe('amounts', () => {
  test.each([
    ['nothing', 0, 'value_error.number.not_ge'],
    ['less than nothing', -1, 'value_error.number.not_ge'],
    ['more than any payment can be', 100_000_000, 'value_error.number.not_le'],
    ['so much that the whole is more than any payment can be', 99_999_000, 'value_error.number.not_le'],
    ['text', '100', 'type_error.integer'],
    ['null', null, 'type_error.integer'],
    ['no amount', undefined, 'value_error.missing'],
  ])('%s is refused', async (_name, amount, type) => {
    const before = await pay()

    const response = await add(before.id, amount)

    expect(response.statusCode, response.body).toBe(400)
    expect(details(response)).toEqual([['/amount', type]])
    expect(await till.get(before.id)).toEqual(before)
  })

  test('up to the highest amount is fine', async () => {
    const { id } = await pay()

    const response = await add(id, 99_998_999)

    expect(response.json().transaction).toMatchObject({ amount: 99_999_999, authorized_amount: 99_999_999 })
  })
})

describe('payments to which nothing can be added', () => {
  test.each([
    ['declined', { amount: 200011 }, 'authorization_declined'],
    ['failed', { amount: 200002 }, 'authorization_failed'],
    ['still open', { amount: 600002 }, 'processing'],
    ['captured', { intent: 'capture' }, 'capture_succeeded'],
  ])('%s', async (_name, body, status) => {
    const { id } = await pay(body)

    const response = await add(id, 100)

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain(`cannot be incremented: its status is ${status}`)
  })

  test('captured in part', async () => {
    const { id } = await pay()
    await till.act(id, 'capture', { amount: 100, final: false })

    expect((await add(id, 100)).statusCode).toBe(400)
  })

  test('voided', async () => {
    const { id } = await pay()
    await till.act(id, 'void')

    expect((await add(id, 100)).json().message).toContain('its status is authorization_voided')
  })

  test('missing, or of another account', async () => {
    const { id } = await pay()

    expect((await add(MISSING, 100)).statusCode).toBe(404)
    expect((await add(id, 100, { account: 'other' })).statusCode).toBe(404)
  })
})
