import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { order } from '#testing/till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const AUTHORIZED = 'authorization_succeeded'

const pay = (body?: object) => order(service, body)

/** What subscribers are told, oldest first. */
function toldOf(id: string) {
  return service.context.db
    .selectFrom('events')
    .select(['name', 'target', 'merchant_account_id'])
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
}

test.each([
  ['authorized', {}],
  ['captured', { intent: 'capture' }],
  ['declined', { amount: 200011 }],
  ['failed', { amount: 400001 }],
])('subscribers are told of a payment that is %s', async (name, body) => {
  const transaction = (await pay({ ...body, external_identifier: 'told', metadata: { order: '7' } })).json()

  const told = await toldOf(transaction.id)

  expect(told.map((event) => event.name)).toEqual([`transaction.${name}`])
  expect(told[0]).toMatchObject({ merchant_account_id: 'default' })
  expect(told[0]?.target).toEqual({
    type: 'transaction',
    id: transaction.id,
    external_identifier: 'told',
    payment_service_transaction_id: transaction.payment_service_transaction_id,
    status: transaction.status,
    has_gift_card_redemptions: false,
    pending_review: false,
    amount: transaction.amount,
    authorized_amount: transaction.authorized_amount,
    captured_amount: transaction.captured_amount,
    refunded_amount: 0,
    currency: 'USD',
    metadata: { order: '7' },
    created_at: transaction.created_at,
    updated_at: transaction.updated_at,
    payment_method: { id: null, method: 'card', label: '1111', scheme: 'visa' },
    payment_link_id: null,
    error_code: transaction.error_code,
    iso_response_code: transaction.iso_response_code,
    payment_source: 'ecommerce',
    merchant_initiated: false,
    is_subsequent_payment: false,
    buyer: null,
  })
})

test('subscribers are told of a direct capture as a capture, too', async () => {
  const { id } = (await pay({ intent: 'capture' })).json()
  const [capture] = (await service.send(`GET /transactions/${id}/captures`)).json().items

  const told = await toldOf(capture.id)

  expect(told).toMatchObject([{ name: 'capture.succeeded', target: { type: 'capture', amount: 1299 } }])
})

test.each([
  ['a capture', 'capture', 1299, ['capture_pending', 'capture_succeeded']],
  ['a capture that is refused', 'capture', 500002, ['capture_pending', 'authorization_succeeded']],
  ['a void', 'void', 1299, ['authorization_void_pending', 'authorization_voided']],
  ['a void that is refused', 'void', 510002, ['authorization_void_pending', AUTHORIZED]],
])('the history shows each status on the way of %s', async (_what, operation, amount, statuses) => {
  const { id } = (await pay({ amount })).json()

  await service.send(`POST /transactions/${id}/${operation}`, {})

  const { items } = (await service.send(`GET /transactions/${id}/events`)).json()
  const changes = items.filter(({ name }: { name: string }) => name === 'transaction-updated-status')
  expect(changes.map(({ context }: { context: object }) => context).toReversed()).toEqual(
    [AUTHORIZED, ...statuses].map((status, index, all) => ({ from: all[index - 1] ?? 'processing', status })),
  )
})

test('the audit log names the caller of a payment', async () => {
  const { id } = (await pay()).json()

  const { items } = (await service.send('GET /audit-logs?resource_type=transaction')).json()

  const entry = items.find((item: { resource: { id: string } }) => item.resource.id === id)
  expect(entry).toMatchObject({
    action: 'created',
    resource: { type: 'transaction', id, name: 'USD 1299' },
    user: { name: 'Test key' },
  })
})
