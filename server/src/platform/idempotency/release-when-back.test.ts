import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { PreparingClient } from '../database/open-database.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

test('a request that failed without the database can be retried as soon as it is back', async () => {
  const send = () => service.send('POST /buyers', {}, { headers: { 'idempotency-key': 'again' } })
  await sql`create function fill() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$`.execute(service.context.db)
  await sql`create trigger full_disk before insert on buyers execute function fill()`.execute(
    service.context.db,
  )

  const refused = await send()
  await sql`drop trigger full_disk on buyers`.execute(service.context.db)

  expect(refused.statusCode).toBe(503)
  await expect.poll(async () => (await send()).statusCode).toBe(201)
})

test('a key whose claim was cut can be used again at once', async () => {
  const send = () => service.send('POST /buyers', {}, { headers: { 'idempotency-key': 'cut' } })
  cutAfter(/^insert into "idempotency_keys"/)

  const refused = await send()

  expect(refused.statusCode).toBe(503)
  await expect.poll(async () => (await send()).statusCode).toBe(201)
})

test('so can a key that was taken over from a process that died, if that was cut', async () => {
  const send = () => service.send('POST /buyers', {}, { headers: { 'idempotency-key': 'cut twice' } })
  cutAfter(/^insert into "idempotency_keys"/)
  await send()
  cutAfter(/^update "idempotency_keys" set "fence"/)

  // The first key is released after a moment. Then this request takes it over.
  await expect.poll(async () => (await send()).statusCode).toBe(503)

  await expect.poll(async () => (await send()).statusCode).toBe(201)
})

/** The database does what the next such statement says, and its answer is lost on the way. */
function cutAfter(statement: RegExp): void {
  const query = PreparingClient.prototype.query
  const spy = vi.spyOn(PreparingClient.prototype, 'query').mockImplementation(async function (
    this: PreparingClient,
    ...args: unknown[]
  ) {
    const answer = await query.apply(this, args)
    if (!statement.test(String(args[0]))) return answer
    spy.mockRestore()
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
  })
}
