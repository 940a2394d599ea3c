import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Status } from '#resources/transactions/wire/transaction.ts'
import { startTestService, type TestService } from '../harness.ts'
import { openTill, type Till } from '../till.ts'
import { byHand, refusedMove } from './guard.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
// A test that does not look at what was refused fails here, as any other would.
afterEach(async () => expect(await noted()).toBeUndefined())
afterAll(() => service.close())

const noted = () => refusedMove(async (text) => (await service.database.pool.query(text)).rows)
const put = (id: string, status: Status) =>
  byHand(service.context.db, sql`update transactions set status = ${status} where id = ${id}`)
const write = (statement: ReturnType<typeof sql>) => statement.execute(service.context.db)

test('a voided payment cannot become captured, and the error says so', async () => {
  const { id } = await till.pay()
  await till.act(id, 'void', {})

  const writing = write(sql`update transactions set status = 'capture_succeeded' where id = ${id}`)

  await expect(writing).rejects.toThrow(
    `the model has no such move of a payment: authorization_voided → capture_succeeded (${id})`,
  )
  expect((await till.get(id)).status).toBe('authorization_voided')
  expect(await noted()).toBe('payment: authorization_voided → capture_succeeded')
})

test('what a request swallows is noted all the same', async () => {
  const { id } = await till.pay()
  await put(id, 'authorization_declined')
  const { rows } = await sql<{ id: string }>`select id from attempts where transaction_id = ${id}`.execute(
    service.context.db,
  )

  await write(sql`update attempts set state = 'sent', due_at = now() where id = ${rows[0]?.id}`).catch(
    () => {},
  )

  expect(await noted()).toBe('attempt: approved → sent')
})

test('a merchant may correct what nobody else may change', async () => {
  const { id } = await till.pay()
  await till.act(id, 'void', {})

  const { statusCode } = await service.send(`PUT /transactions/${id}`, { status: 'authorization_failed' })

  expect(statusCode).toBe(200)
  const writing = write(sql`update transactions set status = 'authorization_declined' where id = ${id}`)
  await expect(writing).rejects.toThrow('authorization_failed → authorization_declined')
  expect(await noted()).toBe('payment: authorization_failed → authorization_declined')
})

describe('a key', () => {
  const make = async (columns: object) => {
    const row = {
      owner: 'x',
      method: 'POST',
      path: '/x',
      key: crypto.randomUUID(),
      request_mac: '\\x00',
      fence: 1,
      leased_until: new Date(),
      created_at: new Date(),
      begun: 'something',
      ...columns,
    }
    await write(
      sql`insert into idempotency_keys select * from jsonb_populate_record(null::idempotency_keys, ${JSON.stringify(row)})`,
    )
    return row.key
  }
  const ANSWERED = { status: 201, response: '\\x01' }
  const HELD = { leased_until: new Date(Date.now() + 60_000) }

  test.each([
    ['forgets what was begun', {}, sql`begun = null`, 'key: begun → claimed'],
    ['is answered twice', ANSWERED, sql`response = '\\x02'`, 'key: answered → what the table does not have'],
    ['is taken over too soon', HELD, sql`fence = 2`, 'lease of a key: what the table does not have → held'],
    [
      'is answered by who has lost it',
      {},
      sql`fence = 2, status = 201, response = '\\x01'`,
      'lease of a key: what the table does not have → over',
    ],
    [
      'is leased anew when it is answered',
      ANSWERED,
      sql`leased_until = now() + interval '1 h'`,
      'lease of a key: over → over',
    ],
  ])('that %s is refused', async (_what, columns, change, move) => {
    const key = await make(columns)

    const writing = write(sql`update idempotency_keys set ${change} where key = ${key}`)

    await expect(writing).rejects.toThrow('the model has no such move')
    expect(await noted()).toBe(move)
  })

  test('with begun work is not deleted like one without', async () => {
    const key = await make({})

    const writing = write(sql`delete from idempotency_keys where key = ${key}`)

    await expect(writing).rejects.toThrow('the model has no such move')
    expect(await noted()).toBe('key: what the table does not have → nothing')
  })
})

test('the time of an attempt comes no sooner but by an answer', async () => {
  const { id } = await till.pay()
  await byHand(
    service.context.db,
    sql`update attempts set state = 'sent', due_at = now() + interval '1 h' where transaction_id = ${id}`,
  )

  const writing = write(sql`update attempts set due_at = now() where transaction_id = ${id}`)

  await expect(writing).rejects.toThrow('held → held for less')
  expect(await noted()).toBe('lease of an attempt: held → what the table does not have')
  await byHand(
    service.context.db,
    sql`update attempts set state = 'approved', due_at = null where transaction_id = ${id}`,
  )
})
