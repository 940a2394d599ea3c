import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, type Scope } from '../../platform/db.ts'
import { startTestService, type TestService } from '../../testing/harness.ts'
import { openTill, type Till } from '../../testing/till.ts'
import * as attempts from './attempts/store.ts'
import { resolveDue } from './reconcile.ts'
import { settle } from './settle.ts'

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
