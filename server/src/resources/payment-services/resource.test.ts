import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readWhole } from '#processing/provider.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { paymentServiceJobs } from './resource.ts'
import * as paymentServices from './store.ts'

const SECRET = 'a-secret-of-ours'
/** After that, payments are no longer disputed. */
const DISPUTED_MS = 181 * 24 * 3_600_000
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
  const captured = await secretsOf(later.id)
  expect((await till.get(paid.id)).status).toBe('capture_succeeded')
  service.moveClock(DISPUTED_MS)
  await forget()
  service.moveClock(-DISPUTED_MS)

  expect(paid.status).toBe('processing')
  expect(open).toEqual({ row: 1, vault: 1 })
  // They verify notifications about disputes.
  expect(captured).toEqual({ row: 1, vault: 1 })
  expect(await secretsOf(later.id)).toEqual({ row: 0, vault: 0 })
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

describe('they stay as long as the service has tokens of stored cards', () => {
  /** A service that stores cards, with the token of one. */
  async function storeThere() {
    const made = await service.send('POST /payment-services', {
      display_name: 'Stores cards',
      payment_service_definition_id: 'mock-card',
      fields: [
        { key: 'merchant_id', value: 'shop' },
        { key: 'webhook_secret', value: SECRET },
      ],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
      payment_method_tokenization_enabled: true,
    })
    const { id } = made.json()
    const card = { method: 'card', number: '4111111111111111', expiration_date: '12/40' }
    const method = (await service.send('POST /payment-methods', card)).json().id
    const token = await service.send(`POST /payment-methods/${method}/payment-service-tokens`, {
      payment_service_id: id,
      redirect_url: 'https://shop.example.com/stored',
    })
    expect(token.json()).toMatchObject({ status: 'succeeded' })
    return { id, method, token: token.json().id }
  }
  const doneWith = async (token: string) => {
    const url = `https://processor.simulator.invalid/books?transaction_id=${token}`
    const { entries } = (await (await readWhole(await service.providers.fetch(url))).json()) as {
      entries: { operation: string }[]
    }
    return entries.map(({ operation }) => operation).toSorted((a, b) => a.localeCompare(b))
  }

  test('and the provider deletes them with their cards', async () => {
    const { id, method, token } = await storeThere()
    await remove(id)
    service.moveClock(LONG_MS)

    await forget()
    const kept = await secretsOf(id)
    await service.send(`DELETE /payment-methods/${method}`)
    await service.resolveDue()
    await forget()

    expect(kept).toEqual({ row: 1, vault: 1 })
    expect(await doneWith(token)).toEqual(['forgetToken', 'tokenize'])
    expect(await secretsOf(id)).toEqual({ row: 0, vault: 0 })
  })

  test.each([
    ['refuses', { status: 401, body: { error: 'unauthorized' } }],
    ['does not answer', null],
  ])('but not for ever: a provider that %s is asked for a month', async (_what, reply) => {
    const { id, method, token } = await storeThere()
    await remove(id)
    await service.send(`DELETE /payment-methods/${method}`)
    const fetch = service.providers.fetch
    let days = 0
    vi.spyOn(service.providers, 'fetch').mockImplementation(async (url, init) => {
      if (!url.includes('forgotten-tokens') && !url.includes('/attempts/')) return fetch(url, init)
      if (!reply) throw new TypeError('fetch failed')
      return Response.json(reply.body, { status: reply.status })
    })
    const wait = async (count: number) => {
      for (let day = 0; day < count; day += 1) {
        service.moveClock(DAY_MS)
        days += 1
        await service.resolveDue()
        await forget()
      }
    }

    await wait(29)
    const kept = await secretsOf(id)
    await wait(6)
    const left = await secretsOf(id)
    service.moveClock(-days * DAY_MS)
    vi.restoreAllMocks()

    expect(kept).toEqual({ row: 1, vault: 1 })
    expect(left).toEqual({ row: 0, vault: 0 })
    expect(await doneWith(token)).toEqual(['tokenize'])
    const { rows } = await sql<{ name: string }>`
      select resource_name as name from audit_logs where resource_id = ${token} and action = 'updated'
    `.execute(service.context.db)
    expect(rows).toEqual([{ name: 'not deleted at the provider' }])
  })
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
