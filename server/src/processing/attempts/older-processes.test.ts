import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain/ids.ts'
import type { Scope } from '#platform/db.ts'
import { type GiftCardShop, openGiftCardShop } from '#testing/gift-card-shop.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { attemptsMade } from '#testing/test-gift-card-connector.ts'
import * as attempts from './store.ts'

/* Statements as the version before the table `attempts` sends them. They go with the view and the triggers for it. */

let service: TestService
let shop: GiftCardShop
let scope: Scope
beforeAll(async () => {
  service = await startTestService()
  shop = await openGiftCardShop(service)
  scope = shop.scope
})
afterAll(() => service.close())

const query = async (text: string, values: readonly unknown[] = []) =>
  (await service.database.pool.query(text, [...values])).rows
const nextId = () => newId(service.context.clock().getTime())

test('an older process records, takes and concludes attempts of payments', async () => {
  const [id, transactionId, serviceId] = [nextId(), nextId(), nextId()]
  await query(
    `insert into transaction_attempts (id, merchant_account_id, transaction_id, operation, payment_service_id, amount, state,
       due_at, created_at, updated_at)
     values ($1, $2, $3, 'authorize', $4, 700, 'sent', now() - interval '1 minute', now(), now())`,
    [id, scope.merchantAccountId, transactionId, serviceId],
  )
  const recorded = await attempts.find(scope, id)
  const taken = await query(
    `with due as materialized (
       select id from transaction_attempts where payment_service_id = $1 and due_at <= now()
       order by due_at limit 8 for update skip locked
     )
     update transaction_attempts set due_at = now() + interval '1 minute', checks = checks + 1
     from due where transaction_attempts.id = due.id returning transaction_attempts.operation`,
    [serviceId],
  )
  await query(`update transaction_attempts set state = 'approved', due_at = null where id = $1`, [id])

  expect(recorded).toMatchObject({ kind: 'authorize', service_id: serviceId, transaction_id: transactionId })
  expect(taken).toEqual([{ operation: 'authorize' }])
  expect(await attempts.find(scope, id)).toMatchObject({ state: 'approved', due_at: null, checks: 1 })
})

/** An issuance that an older process has asked for. */
async function issueByOlder(): Promise<string> {
  const id = nextId()
  await query(
    `insert into gift_card_operations (id, merchant_account_id, gift_card_service_id, kind, state, amount, currency, due_at,
       created_at, updated_at)
     values ($1, $2, $3, 'issue', 'sent', 5, 'USD', now() - interval '1 second', now(), now())`,
    [id, scope.merchantAccountId, shop.serviceId],
  )
  return id
}
const operationOf = async (id: string) =>
  (await query('select state, due_at, reference from gift_card_operations where id = $1', [id]))[0]

test('a gift card operation that an older process left behind is resolved', async () => {
  const id = await issueByOlder()
  const answer = { outcome: 'approved', reference: `i-${id}`, url: 'https://cards.example.com' } as const
  attemptsMade.set(id, { answer, times: 1 })

  await service.resolveDue()

  expect(await attempts.find(scope, id)).toMatchObject({ kind: 'issue', state: 'approved', due_at: null })
  expect(await operationOf(id)).toEqual({ state: 'approved', due_at: null, reference: `i-${id}` })
})

test('a gift card operation that an older process has concluded is not asked about any more', async () => {
  const id = await issueByOlder()

  await query(
    `update gift_card_operations set state = 'refused', due_at = null, error_code = 'invalid_amount' where id = $1`,
    [id],
  )
  await service.resolveDue()

  expect(await attempts.find(scope, id)).toMatchObject({ state: 'declined', due_at: null })
  expect(await operationOf(id)).toMatchObject({ state: 'refused', reference: null })
})

test('an older process does not take inquiries of this version, and its own are resolved', async () => {
  await service.send('PUT /merchant-accounts/default', { account_updater_enabled: true })
  const card = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }
  const [ours, theirs] = [
    (await service.send('POST /payment-methods', card)).json().id,
    (await service.send('POST /payment-methods', { ...card, number: '5555555555554444' })).json().id,
  ]
  await service.send('POST /account-updater/jobs', { payment_method_ids: [ours] })
  const [job] = await query('select id from account_updater_jobs')
  const id = nextId()
  await query(
    `insert into account_updater_inquiries (id, job_id, merchant_account_id, payment_method_id, status, tries, due_at,
       created_at, updated_at)
     values ($1, $2, 'default', $3, 'pending', 0, now(), now(), now())`,
    [id, job.id, theirs],
  )

  const taken = await query(
    `select payment_method_id from account_updater_inquiries where status = 'pending' and due_at <= now()`,
  )
  await service.resolveDue()

  expect(taken).toEqual([{ payment_method_id: theirs }])
  expect(await query(`select status from account_updater_inquiries`)).toEqual([
    { status: 'unchanged' },
    { status: 'unchanged' },
  ])
  expect(await query(`select from attempts where kind = 'update-card' and due_at is not null`)).toEqual([])
})
