import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, type Scope } from '../../../platform/db.ts'
import { startTestService, type TestService } from '../../../testing/harness.ts'
import { openTill, type Till } from '../../../testing/till.ts'
import { resolveDue } from './reconcile.ts'
import { settle } from './settle.ts'
import * as attempts from './store.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

test('an approval that comes after the payment has failed is kept in sight, and its hold let go of once', async () => {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  const fault = { on: 'authorize', kind: 'lose-answer' }
  const { id } = await till.pay({ connection_options: { 'mock-card': { fault } } })
  const [attempt] = await attempts.openOf(scope, id)
  if (!attempt) throw new Error('nothing is open')
  const say = (answer: Parameters<typeof settle>[3]) =>
    inTransaction(scope, (tx) => settle(tx, service.engine, attempt, answer))
  await say({ outcome: 'not_found' })
  const entries = await sql<{ reference: string }>`
    select reference from simulator.entries where attempt_id = ${attempt.id}
  `.execute(service.context.db)
  const approval = { outcome: 'approved', reference: entries.rows[0]?.reference ?? '', facts: {} } as const

  for (let times = 0; times < 3; times += 1) await say(approval)
  const queued = await attempts.openOf(scope, id)
  await resolveDue(service.context, service.engine)
  await say(approval)

  expect(queued.map(({ operation }) => operation)).toEqual(['void'])
  expect(await attempts.openOf(scope, id)).toEqual([])
  expect(await till.get(id)).toMatchObject({ status: 'authorization_failed', authorized_amount: 0 })
  expect(await till.history(id)).toContain('transaction-sync-failed-event')
  expect((await till.books(id))?.voided).toBe(1000)
})

test('what a service declined before the next was asked is still known by its reference', async () => {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  await till.addService({})
  const { id } = await till.pay({ amount: 200012 })

  const { rows } = await sql<{ payment_service_id: string; reference: string; error_code: string }>`
    select payment_service_id, reference, error_code from transaction_attempts
    where transaction_id = ${id} order by created_at
  `.execute(service.context.db)

  expect(rows.length).toBeGreaterThan(1)
  const [declined] = rows
  expect(declined).toMatchObject({ reference: expect.any(String), error_code: expect.any(String) })
  const named = { paymentServiceId: declined?.payment_service_id ?? '', reference: declined?.reference ?? '' }
  expect(await attempts.findByReference(scope, { ...named, operation: 'authorize' })).toBeDefined()
})

test('an approval that comes after another service has the payment is let go of, and the payment stays as it is', async () => {
  const scope: Scope = { ...service.context, merchantAccountId: 'default' }
  const { id } = await till.pay()
  const first = await till.addService({})
  const second = await till.pay({ payment_service_id: first.id })
  const before = await till.get(id)
  const entries = await sql<{ reference: string }>`
    select reference from simulator.entries where transaction_id = ${second.id}
  `.execute(service.context.db)
  const late = entries.rows[0]
  // What the other service approved after all, as if it had been asked for this payment first.
  const attempt = await inTransaction(scope, async (tx) => {
    const asked = {
      transaction_id: id,
      operation: 'authorize',
      payment_service_id: first.id,
      amount: 1000,
    } as const
    const sent = await attempts.insert(tx, { ...asked, state: 'sent', dueAt: tx.clock() })
    return attempts.change(tx, sent, { state: 'failed', due_at: null })
  })
  const say = () =>
    inTransaction(scope, (tx) =>
      settle(tx, service.engine, attempt, {
        outcome: 'approved',
        reference: late?.reference ?? '',
        facts: {},
      }),
    )

  await say()
  await say()
  const captured = await till.act(id, 'capture', { amount: 1000 })
  await resolveDue(service.context, service.engine)
  await say()

  expect(captured.json()).toMatchObject({
    status: 'capture_succeeded',
    payment_service_transaction_id: before.payment_service_transaction_id,
    voided_at: null,
  })
  expect(await attempts.openOf(scope, id)).toEqual([])
  expect(await till.get(id)).toMatchObject({ status: 'capture_succeeded', voided_at: null })
  const voids = await sql<{ reference: string; count: string }>`
    select authorization_reference as reference, count(*) from simulator.entries where operation = 'void' group by 1
  `.execute(service.context.db)
  expect(voids.rows).toContainEqual({ reference: late?.reference, count: '1' })
})
