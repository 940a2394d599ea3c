import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { paymentServiceJobs } from './jobs.ts'
import * as paymentServices from './store.ts'

const SECRET = 'a-secret-of-ours'
const LONG_MS = 11 * 60_000
const DAY_MS = 24 * 3_600_000

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterAll(() => service.close())

const remove = (id: string) => service.send(`DELETE /payment-services/${id}`)
async function forget(): Promise<void> {
  for (const { run } of paymentServiceJobs) await run(service, new AbortController().signal)
}

/** Which secrets a service has, and how many of them the vault still holds. */
async function secretsOf(id: string): Promise<{ row: number; vault: number }> {
  const secrets = (await paymentServices.findMany(service.context, [id])).get(id)?.secrets ?? {}
  return { row: Object.keys(secrets).length, vault: await held(Object.values(secrets)) }
}

async function held(tokens: readonly string[]): Promise<number> {
  const found = await sql<{ count: string }>`
    select count(*) from vault.items where token = any(${tokens}::uuid[])
  `.execute(service.context.db)
  return Number(found.rows[0]?.count)
}

test('the secrets of a deleted service stay for a payment that had just chosen it, and then leave', async () => {
  const { id } = await till.addService({ webhook_secret: SECRET })
  const tokens = Object.values((await paymentServices.find(scope(), id))?.secrets ?? {})
  await remove(id)

  await forget()
  const soon = await secretsOf(id)
  service.moveClock(LONG_MS)
  await forget()

  expect(soon).toEqual({ row: 1, vault: 1 })
  expect(await secretsOf(id)).toEqual({ row: 0, vault: 0 })
  expect(await held(tokens)).toBe(0)
})

test('they stay as long as an operation is open there', async () => {
  const later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
  const paid = await till.pay({ payment_service_id: later.id, intent: 'capture' })
  await remove(later.id)
  service.moveClock(LONG_MS)

  await forget()
  const open = await secretsOf(later.id)
  const { payment_service_transaction_id } = paid
  await till.notify(later, { event: 'capture.succeeded', payment_service_transaction_id }, SECRET)
  await forget()

  expect(paid.status).toBe('processing')
  expect(open).toEqual({ row: 1, vault: 1 })
  expect(await secretsOf(later.id)).toEqual({ row: 0, vault: 0 })
  expect((await till.get(paid.id)).status).toBe('capture_succeeded')
})

test('they stay as long as money is held there, so that it can be released', async () => {
  const { id } = await till.addService({ webhook_secret: SECRET })
  const { id: payment } = await till.pay({ payment_service_id: id })
  await remove(id)
  service.moveClock(LONG_MS)

  await forget()
  const holding = await secretsOf(id)
  const voided = await till.act(payment, 'void')
  await forget()

  expect(holding).toEqual({ row: 1, vault: 1 })
  expect(voided.statusCode, voided.body).toBe(200)
  expect(await till.books(payment)).toMatchObject({ voided: 1000 })
  expect(await secretsOf(id)).toEqual({ row: 0, vault: 0 })
})

test('no hold lasts longer than a month, and then they leave', async () => {
  const { id } = await till.addService({ webhook_secret: SECRET })
  await till.pay({ payment_service_id: id })
  await remove(id)

  service.moveClock(30 * DAY_MS)
  await forget()
  const holding = await secretsOf(id)
  service.moveClock(2 * DAY_MS)
  await forget()
  const left = await secretsOf(id)
  service.moveClock(-32 * DAY_MS)

  expect(holding).toEqual({ row: 1, vault: 1 })
  expect(left).toEqual({ row: 0, vault: 0 })
})

test('the secrets of an existing service stay', async () => {
  const { id } = await till.addService({ webhook_secret: SECRET })
  service.moveClock(LONG_MS)

  await forget()

  expect(await secretsOf(id)).toEqual({ row: 1, vault: 1 })
})

function scope() {
  return { ...service.context, merchantAccountId: 'default' }
}
