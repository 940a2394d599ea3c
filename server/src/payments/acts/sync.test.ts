import { afterAll, beforeAll, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { givingUp } from '#testing/giving-up.ts'
import { REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
let extended: { readonly id: string; readonly webhook_url: string }
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  extended = await till.addService({ extended: 'true' })
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const sync = (id: string, options = {}) => till.act(id, 'sync', undefined, options)
const pay = (body: object = {}) => till.pay({ payment_service_id: extended.id, ...body })
const losing = (on: string) => ({ 'mock-card': { fault: { on, kind: 'lose-answer' } } })

test('a sync is refused if the payment service does not support it', async () => {
  const { id } = await till.pay()

  const response = await sync(id)

  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({
    code: 'bad_request',
    message: 'Simulator does not support the operation: sync.',
  })
})

test('resolves an authorization whose answer was lost', async () => {
  const lost = await pay({ connection_options: losing('authorize') })

  const response = await sync(lost.id)

  expect(lost).toMatchObject({ status: 'processing', authorized_amount: 0 })
  expect(response.statusCode, response.body).toBe(200)
  expect(response.json()).toMatchObject({
    type: 'transaction',
    status: 'authorization_succeeded',
    authorized_amount: 1000,
    payment_service_transaction_id: expect.any(String),
  })
  expect(await till.get(lost.id)).toEqual(response.json())
  expect(await till.told(lost.id)).toEqual(['transaction.authorized'])
  expect(await till.history(lost.id)).toEqual([
    'payment-connector-response-transaction-authorization-succeeded',
    'transaction-updated-status',
    'transaction-sync-event',
  ])
  expect(await till.audited(lost.id)).toEqual(['created by Test key', 'updated by Test key'])
})

test('a sync that changes nothing leaves no audit entry', async () => {
  const { id } = await pay()

  await sync(id)

  expect(await till.audited(id)).toEqual(['created by Test key'])
})

test.each(['stall', 'unreachable'])(
  'an authorization that never arrived (%s) has failed for good',
  async (kind) => {
    const lost = { connection_options: { 'mock-card': { fault: { on: 'authorize', kind } } } }
    const { id } = await givingUp(service, () => pay(lost))

    const response = await sync(id)

    expect(response.json()).toMatchObject({
      status: 'authorization_failed',
      error_code: 'service_network_error',
      authorized_amount: 0,
    })
    expect(await till.books(id)).toBeNull()
  },
)

test.each([
  ['capture', {}, { status: 'capture_succeeded', captured_amount: 1000 }],
  ['void', undefined, { status: 'authorization_voided' }],
])('finds out about a %s whose answer was lost', async (operation, body, expected) => {
  const { id } = await pay({ connection_options: losing(operation) })
  const open = await till.act(id, operation, body)

  const response = await sync(id)

  expect(open.json().status).toMatch(/_pending$/)
  expect(response.json()).toMatchObject(expected)
})

test('resolves a refund whose answer was lost', async () => {
  const { id } = await pay({ intent: 'capture', connection_options: losing('refund') })
  const refund = await till.act(id, 'refunds', { amount: 400 })

  const response = await sync(id)

  expect(refund.json().status).toBe('processing')
  expect(response.json()).toMatchObject({ refunded_amount: 400 })
  expect((await service.send(`GET /refunds/${refund.json().id}`)).json().status).toBe('succeeded')
})

test('a payment that is pending at the processor stays as it is', async () => {
  const before = await pay({ amount: 600002 })

  const response = await sync(before.id)

  expect(response.json()).toEqual({ ...before, updated_at: response.json().updated_at })
  expect(await till.history(before.id)).toEqual(['transaction-sync-event'])
})

test('a decided payment stays as it is', async () => {
  const before = await pay({ amount: 200011 })

  const response = await sync(before.id)

  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual(before)
})

test('needs only the scope to read', async () => {
  const { id } = await pay()
  const reader = await signToken(service.admin, { scopes: ['transactions.read'] })
  const writer = await signToken(service.admin, { scopes: ['transactions.write'] })

  expect((await sync(id, { token: reader })).statusCode).toBe(200)
  expect((await sync(id, { token: writer })).statusCode).toBe(403)
})

test('needs a role that may change payments', async () => {
  const lost = await pay({ connection_options: losing('authorize') })
  const token = await signToken(await service.addKey({ roleIds: [REPORTING] }))

  const response = await sync(lost.id, { token })

  expect(response.statusCode).toBe(403)
  expect(response.json().details[0].message).toBe(
    'no role of this API key allows transactions.follow-ups.write',
  )
  expect(await till.get(lost.id)).toMatchObject({ status: 'processing' })
})

test('the same key again: the same answer', async () => {
  const { id } = await pay()
  const options = { headers: { 'idempotency-key': 'sync-once' } }

  const first = await sync(id, options)
  await till.act(id, 'capture', {})
  const second = await sync(id, options)

  expect(second.body).toBe(first.body)
})

test('refuses a missing transaction, one of another account, or one that reached no service', async () => {
  const { id } = await pay()
  const skipped = await till.pay({}, { account: 'other' })

  expect((await sync(MISSING)).statusCode).toBe(404)
  expect((await sync(id, { account: 'other' })).statusCode).toBe(404)
  expect((await sync(skipped.id, { account: 'other' })).json()).toMatchObject({
    status: 400,
    message: 'The transaction has not reached any payment service.',
  })
})
