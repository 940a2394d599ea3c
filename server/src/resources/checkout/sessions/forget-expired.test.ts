import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MISSING } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { keepRows } from '#testing/keep-rows.ts'
import { CARD } from '#testing/till.ts'
import { forgetExpired } from './forget-expired.ts'
import * as sessions from './store.ts'

const MINUTE = 60_000
const DAY = 86_400_000

let service: TestService
let rewind: () => Promise<void>
beforeAll(async () => {
  service = await startTestService()
  rewind = await keepRows(service)
})
afterEach(() => rewind())
afterAll(() => service.close())

const forget = () => forgetExpired(service.context, service.vault, 7)
const filled = async () => {
  const { id } = (await service.send('POST /checkout/sessions', { amount: 1299 })).json()
  const body = { payment_method: CARD, postal_code: 'N1 9GU' }
  const response = await service.send(`PUT /checkout/sessions/${id}/fields`, body, { token: null })
  expect(response.statusCode).toBe(204)
  return id
}

test('a security code leaves the vault within 15 minutes, and the number stays', async () => {
  const id = await filled()

  await forget()
  expect(await vaultFields()).toEqual(['entered-number', 'security-code'])
  // The job's last turn within the 15 minutes.
  service.moveClock(14 * MINUTE + 30_000)
  await forget()

  expect(await vaultFields()).toEqual(['entered-number'])
  expect(await rowOf(id)).toMatchObject({
    method: 'card',
    label: '1111',
    number_token: expect.any(String),
    security_code_token: null,
    security_code_expires_at: null,
  })
})

test('a security code that is about to be removed is not used any more', async () => {
  const id = await filled()
  const scope = { ...service.context, merchantAccountId: 'default' }
  service.moveClock(12 * MINUTE)
  expect((await sessions.findForPayment(scope, id))?.security_code_token).not.toBeNull()

  service.moveClock(MINUTE)
  await forget()

  expect(await sessions.findForPayment(scope, id)).toMatchObject({
    number_token: expect.any(String),
    security_code_token: null,
  })
  expect(await vaultFields()).toEqual(['entered-number', 'security-code'])
})

test('a card leaves the vault as soon as its session has expired', async () => {
  const id = await filled()

  service.moveClock(60 * MINUTE)
  await forget()

  expect(await vaultFields()).toEqual([])
  expect(await rowOf(id)).toMatchObject({
    amount: 1299,
    method: null,
    number_token: null,
    label: null,
    fingerprint: null,
    bin: null,
    postal_code: null,
  })
})

describe('while a payment is under way', () => {
  beforeEach(async () => {
    const id = await filled()
    await service.context.db
      .updateTable('checkout_sessions')
      .set({ transaction_id: MISSING })
      .where('id', '=', id)
      .execute()
  })

  test('an expired session keeps its number, but not its code', async () => {
    service.moveClock(2 * 60 * MINUTE)
    await forget()

    expect(await vaultFields()).toEqual(['entered-number'])
  })

  test('it keeps the number for a day at most', async () => {
    service.moveClock(DAY + 61 * MINUTE)
    await forget()

    expect(await vaultFields()).toEqual([])
  })
})

test('the row is deleted a week after the session expired', async () => {
  const id = await filled()

  service.moveClock(7 * DAY + 59 * MINUTE)
  await forget()
  expect(await rowOf(id)).toBeDefined()
  service.moveClock(2 * MINUTE)
  await forget()

  expect(await rowOf(id)).toBeUndefined()
  expect(await vaultFields()).toEqual([])
})

test('does more than one batch, in several processes at once', async () => {
  const first = await filled()
  // Copies with their own vault items would take long to make. The codes of these are not in the vault.
  await service.database.pool.query(
    `insert into checkout_sessions
       (id, merchant_account_id, expires_at, method, number_token, security_code_token, security_code_expires_at,
        created_at, updated_at)
     select gen_random_uuid(), merchant_account_id, expires_at, method, gen_random_uuid(), gen_random_uuid(),
       security_code_expires_at, created_at, updated_at
     from checkout_sessions, generate_series(1, 250) where id = $1`,
    [first],
  )

  service.moveClock(61 * MINUTE)
  await Promise.all([forget(), forget(), forget()])
  await forget()

  const { rows } = await service.database.pool.query(
    `select count(*)::integer as count from checkout_sessions
     where method is null and number_token is null and security_code_token is null`,
  )
  expect(rows[0].count).toBe(251)
  expect(await vaultFields()).toEqual([])
})

async function rowOf(id: string) {
  return service.context.db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
}

async function vaultFields(): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    "select field from vault.items where field in ('entered-number', 'security-code') order by field",
  )
  return rows.map(({ field }) => field)
}
