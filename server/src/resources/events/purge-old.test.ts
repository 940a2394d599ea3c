import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { purgeOldEvents } from './purge-old.ts'

const RUNNING = new AbortController().signal

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const purge = (stopping = RUNNING) => purgeOldEvents(service.context, { retentionDays: 90, stopping })
const subscribe = async (): Promise<string> =>
  (await service.send('POST /webhook-subscriptions', { url: 'https://shop.example/hook' })).json().id
/** An event of this many days ago. Moving the clock that far would outlast the token. */
const tellOfBuyer = async (daysAgo = 91): Promise<string> => {
  const { id } = (await service.send('POST /buyers', {})).json()
  const { rows } = await sql<{ id: string }>`
    update events set created_at = created_at - ${daysAgo}::int * interval '1 day'
    where target_id = ${id} returning id`.execute(service.context.db)
  return rows[0]?.id ?? ''
}
const isKept = async (id: string) => (await service.send(`GET /events/${id}`)).statusCode === 200
const countIn = async (table: string) => {
  const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(
    service.context.db,
  )
  return Number(rows[0]?.count)
}

const countOld = async () => {
  const { rows } = await sql<{ count: string }>`
    select count(*) from events where created_at < now() - interval '90 days'`.execute(service.context.db)
  return Number(rows[0]?.count)
}

/** Sets the status of its delivery, with an attempt. */
async function deliver(id: string, status: 'delivered' | 'parked'): Promise<void> {
  const { db } = service.context
  await sql`
    insert into webhook_attempts (subscription_id, delivery_id, number, outcome, duration_ms, created_at)
    select subscription_id, id, 1, 'refused', 5, created_at from webhook_deliveries where id = ${id}`.execute(
    db,
  )
  await sql`
    update webhook_deliveries set status = ${status}, next_attempt_at = null,
      delivered_at = case when ${status === 'delivered'} then created_at end,
      parked_because = case when ${status === 'parked'} then 'schedule_ended' end
    where id = ${id}`.execute(db)
}

test('events are deleted after their retention time', async () => {
  const [old, young] = [await tellOfBuyer(91), await tellOfBuyer(89)]

  await purge()

  expect([await isKept(old), await isKept(young)]).toEqual([false, true])
})

test('events that a subscription waits for or could replay are kept until it is deleted', async () => {
  const before = await tellOfBuyer()
  const subscription = await subscribe()
  const [waiting, parked, delivered] = [await tellOfBuyer(), await tellOfBuyer(), await tellOfBuyer()]
  await deliver(parked, 'parked')
  await deliver(delivered, 'delivered')
  const kept = async () => Promise.all([before, waiting, parked, delivered].map(isKept))

  await purge()

  expect(await kept()).toEqual([false, true, true, false])
  expect([await countIn('webhook_deliveries'), await countIn('webhook_attempts')]).toEqual([2, 1])

  await service.send(`DELETE /webhook-subscriptions/${subscription}`)
  await purge()

  expect(await kept()).toEqual([false, false, false, false])
  expect([await countIn('webhook_deliveries'), await countIn('webhook_attempts')]).toEqual([0, 0])
})

test('thousands are deleted in batches, past those that are kept, also by two processes at once', async () => {
  await subscribe()
  const kept = await tellOfBuyer()
  await sql`
    insert into events (id, merchant_account_id, name, target_type, target_id, target, created_at)
    select gen_random_uuid(), 'default', 'buyer.created', 'buyer', gen_random_uuid(), '{}',
      ${service.context.clock()}::timestamptz - interval '91 days' + number * interval '1 ms'
    from generate_series(1, 2500) as number`.execute(service.context.db)

  await Promise.all([purge(), purge()])
  await purge()

  expect(await isKept(kept)).toBe(true)
  expect(await countOld()).toBe(1)
})

test('a process that stops begins no new batch', async () => {
  const old = await tellOfBuyer()

  await purge(AbortSignal.abort())

  expect(await isKept(old)).toBe(true)
})
