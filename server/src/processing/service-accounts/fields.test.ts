import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as paymentServices from '#resources/payment-services/store.ts'
import { changeBeforeOpening } from '#testing/change-before-opening.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openFields } from './fields.ts'
import { forgetSecretsJob } from './save.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const scope = () => ({ ...service.context, merchantAccountId: 'default' })

async function make(fields: { key: string; value: string }[] = [{ key: 'api_key', value: 'first-key' }]) {
  const response = await service.send('POST /payment-services', {
    display_name: 'Cards',
    payment_service_definition_id: 'test-card',
    fields: [{ key: 'merchant_id', value: 'shop' }, ...fields],
    accepted_currencies: ['EUR'],
    accepted_countries: ['NL'],
  })
  expect(response.statusCode, response.body).toBe(201)
  return load(response.json().id)
}

async function load(id: string): Promise<paymentServices.StoredService> {
  const found = await paymentServices.find(scope(), id)
  if (!found) throw new Error('no such service')
  return found
}

const open = (stored: paymentServices.StoredService) =>
  openFields(scope(), service.vault, stored, paymentServices.KIND)
const setKey = async (id: string, value: string) => {
  const fields = [{ key: 'api_key', value }]
  expect((await service.send(`PUT /payment-services/${id}`, { fields })).statusCode).toBe(200)
}

async function revealsOf(id: string): Promise<number> {
  const rows = await service.context.db
    .selectFrom('audit_logs')
    .select('id')
    .where('resource_id', '=', id)
    .where('action', '=', 'revealed')
    .execute()
  return rows.length
}

test('returns plain and secret fields together, with one audit entry', async () => {
  const stored = await make([
    { key: 'api_key', value: 'kêy' },
    { key: 'certificate', value: 'x'.repeat(10_000) },
    { key: 'zone', value: 'Europe/Amsterdam' },
  ])

  const [fields, again] = await Promise.all([open(stored), open(stored)])
  await open(await load(stored.id))

  expect(fields).toEqual({
    merchant_id: 'shop',
    api_key: 'kêy',
    certificate: 'x'.repeat(10_000),
    zone: 'Europe/Amsterdam',
  })
  expect(again).toEqual(fields)
  expect(await revealsOf(stored.id)).toBe(1)
})

test('opens nothing if nothing is secret', async () => {
  const stored = await make([])

  expect(await open(stored)).toEqual({ merchant_id: 'shop' })
  expect(await revealsOf(stored.id)).toBe(0)
})

test('a changed secret is used at once', async () => {
  const stored = await make()
  await open(stored)
  for (const value of ['second-key', 'third-key', 'fourth-key']) {
    await setKey(stored.id, value)

    expect(await open(await load(stored.id))).toMatchObject({ api_key: value })
  }
  expect(await revealsOf(stored.id)).toBe(4)
})

test('opens again after five minutes', async () => {
  const stored = await make()
  await open(stored)
  service.moveClock(4 * 60_000)
  await open(stored)
  expect(await revealsOf(stored.id)).toBe(1)

  service.moveClock(60_000)
  await open(stored)

  expect(await revealsOf(stored.id)).toBe(2)
})

test('a service that changed since it was read is opened with its current fields', async () => {
  const stored = await make()
  await setKey(stored.id, 'later-key')

  expect(await open(stored)).toMatchObject({ api_key: 'later-key' })
})

test('the secrets of a deleted service cannot be opened once they are removed', async () => {
  const stored = await make()
  await service.send(`DELETE /payment-services/${stored.id}`)
  service.moveClock(11 * 60_000)
  await forgetSecretsJob(paymentServices.KIND).run(service, new AbortController().signal)

  await expect(open(stored)).rejects.toThrow('The payment service was deleted meanwhile')
})

test('a service that is changed and deleted during a verification is no server error', async () => {
  const { id, payment_service_definition_id, secrets } = await make()
  const body = { payment_service_definition_id, payment_service_id: id, fields: [] }

  const response = await changeBeforeOpening(
    service,
    () => service.send('POST /payment-services/verify', body, { headers: { 'idempotency-key': 'verify' } }),
    [
      sql`delete from vault.items where token::text = any(${Object.values(secrets)})`,
      sql`update payment_services set deleted_at = now(), updated_at = now(), secrets = '{}' where id = ${id}`,
    ],
  )
  const again = await service.send('POST /payment-services/verify', body, {
    headers: { 'idempotency-key': 'verify' },
  })

  expect(response.statusCode, response.body).toBe(400)
  expect(response.json().message).toBe('The payment service was deleted meanwhile. Use another one.')
  expect(again.json().details).toMatchObject([{ pointer: '/payment_service_id' }])
})

test('a payment goes on to the next service when the first one is deleted with its secrets', async () => {
  const account = 'two-services'
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
  const common = {
    display_name: 'Cards',
    payment_service_definition_id: 'mock-card',
    accepted_currencies: ['EUR'],
    accepted_countries: ['NL'],
  }
  const merchant = { key: 'merchant_id', value: 'shop' }
  const add = (body: object) => service.send('POST /payment-services', { ...common, ...body }, { account })
  const fields = [merchant, { key: 'webhook_secret', value: 'first-secret' }]
  const first = (await add({ fields, position: 1 })).json()
  const second = (await add({ fields: [merchant], position: 2 })).json()
  const stored = await paymentServices.find({ ...scope(), merchantAccountId: account }, first.id)
  const payment_method = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }
  const payment = { amount: 1299, currency: 'EUR', country: 'NL', payment_method }

  const response = await changeBeforeOpening(
    service,
    () => service.send('POST /transactions', payment, { account }),
    [
      sql`delete from vault.items where token::text = any(${Object.values(stored?.secrets ?? {})})`,
      sql`update payment_services set deleted_at = now(), updated_at = now(), secrets = '{}'
          where id = ${first.id}`,
    ],
  )

  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toMatchObject({
    status: 'authorization_succeeded',
    payment_service: { id: second.id },
  })
})

test('the secrets of another merchant account cannot be opened', async () => {
  const stored = await make()
  await open(stored)
  const foreign = { ...scope(), merchantAccountId: 'another' }

  await expect(openFields(foreign, service.vault, stored, paymentServices.KIND)).rejects.toThrow(
    'deleted meanwhile',
  )
})
