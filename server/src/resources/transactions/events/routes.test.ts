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

const list = (id: string, query = '', options = {}) =>
  service.send(`GET /transactions/${id}/events${query}`, undefined, options)
const idsOf = (response: { json: () => { items: { id: string }[] } }) =>
  response.json().items.map(({ id }) => id)

describe('the history of a transaction', () => {
  test('holds what the payment service answered', async () => {
    const transaction = await till.pay()

    const response = await list(transaction.id)

    expect(response.statusCode).toBe(200)
    expect(response.json()).toMatchObject({ limit: 100, next_cursor: null, previous_cursor: null })
    expect(response.json().items[1]).toEqual({
      type: 'transaction-event',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'payment-connector-response-transaction-authorization-succeeded',
      created_at: expect.any(String),
      context: {
        attempt_id: expect.any(String),
        operation: 'authorize',
        amount: 1000,
        payment_service_id: transaction.payment_service.id,
        payment_service_display_name: 'Simulator',
        payment_service_definition_id: 'mock-card',
        payment_service_transaction_id: transaction.payment_service_transaction_id,
        status: 'approved',
        code: null,
        instrument_type: 'pan',
        payment_method_scheme: 'visa',
        retry_rule: null,
        raw_response_code: '00',
        raw_response_description: 'Approved',
        auth_response_code: '00',
        avs_response_code: null,
        cvv_response_code: 'match',
      },
    })
  })

  test('holds each change of status, newest first', async () => {
    const { id } = await till.pay()
    await till.act(id, 'capture', {})

    const changes = (await list(id))
      .json()
      .items.filter(({ name }: { name: string }) => name === 'transaction-updated-status')

    expect(changes.map(({ context }: { context: object }) => context)).toEqual([
      { from: 'capture_pending', status: 'capture_succeeded' },
      { from: 'authorization_succeeded', status: 'capture_pending' },
      { from: 'processing', status: 'authorization_succeeded' },
    ])
  })

  test('says why a payment was declined', async () => {
    const { id } = await till.pay({ amount: 200011 })

    expect((await list(id)).json().items.at(-1)).toMatchObject({
      name: 'payment-connector-response-transaction-declined',
      context: { status: 'declined', code: 'insufficient_funds', raw_response_code: '200011' },
    })
  })

  test.each([
    [1000, 'succeeded', null],
    [520_002, 'declined', 'issuer_decline'],
    [520_003, 'failed', 'service_error'],
  ])('says how a refund of %i went: %s', async (amount, ended, code) => {
    const { id } = await till.pay({ amount, intent: 'capture' })
    const refund = (await till.act(id, 'refunds', {})).json()

    const [newest] = (await list(id)).json().items

    expect(newest).toMatchObject({
      name: `payment-connector-response-transaction-refund-${ended}`,
      context: { refund_id: refund.id, amount, code, payment_service_id: expect.any(String) },
    })
    expect(refund.creator).toEqual({
      id: service.admin.id,
      name: expect.any(String),
      email_address: '',
    })
  })

  test('comes page by page, there and back', async () => {
    const { id } = await till.pay()
    await till.act(id, 'capture', { amount: 400, final: false })
    await till.act(id, 'capture', {})
    const all = idsOf(await list(id))

    const first = await list(id, '?limit=2')
    const second = await list(id, `?limit=2&cursor=${first.json().next_cursor}`)
    const back = await list(id, `?limit=2&cursor=${second.json().previous_cursor}`)

    expect(all.length).toBeGreaterThan(4)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(all.slice(0, 4))
    expect(idsOf(back)).toEqual(idsOf(first))
  })

  test.each([
    ['?limit=0', '/limit'],
    ['?limit=101', '/limit'],
    ['?cursor=x', '/cursor'],
    ['?name=x', '/name'],
  ])('%s is refused', async (query, pointer) => {
    const { id } = await till.pay()

    const response = await list(id, query)

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ location: 'query', pointer }])
  })

  test('has cursors of its own', async () => {
    const first = await till.pay()
    const second = await till.pay()
    const { next_cursor } = (await list(first.id, '?limit=1')).json()

    expect((await list(second.id, `?limit=1&cursor=${next_cursor}`)).statusCode).toBe(400)
  })

  test('is not shown for a missing transaction, or one of another account', async () => {
    const { id } = await till.pay()

    expect((await list(MISSING)).statusCode).toBe(404)
    expect((await list(id, '', { account: 'other' })).statusCode).toBe(404)
    expect((await list('x')).statusCode).toBe(400)
  })

  test('holds no card number and no security code', async () => {
    const { id } = await till.pay({ store: true })
    await till.act(id, 'capture', {})

    const { body } = await list(id)

    expect(body).not.toContain('4111111111111111')
    expect(body).not.toContain('"737"')
  })
})
