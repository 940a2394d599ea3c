import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFields } from '#processing/service-accounts/fields.ts'
import { forgetSecretsJob } from '#processing/service-accounts/save.ts'
import { MISSING } from '#testing/answers.ts'
import { complaintsOf } from '#testing/gift-cards.ts'
import { PROCESSING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import * as antiFraudServices from './store.ts'

const SECRET = 'canary-secret-of-an-anti-fraud-provider'
const ACCOUNT = { key: 'account', value: 'shop' }
const REQUEST = {
  display_name: 'Fraud checks',
  anti_fraud_service_definition_id: 'test-anti-fraud',
  fields: [ACCOUNT],
}

let service: TestService
let account = ''
let count = 0
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())
beforeEach(async () => {
  count += 1
  account = `shop-${count}`
  await service.send('POST /merchant-accounts', { id: account, display_name: account })
})

const create = (body: object = {}) =>
  service.send('POST /anti-fraud-services', { ...REQUEST, ...body }, { account })
const get = (id: string) => service.send(`GET /anti-fraud-services/${id}`, undefined, { account })
const update = (id: string, body: object) => service.send(`PUT /anti-fraud-services/${id}`, body, { account })
const remove = (id: string) => service.send(`DELETE /anti-fraud-services/${id}`, undefined, { account })
const scope = () => ({ ...service.context, merchantAccountId: account })

async function make(body: object = {}) {
  const response = await create(body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

async function vaultItems(): Promise<number> {
  const found = await sql<{ count: string }>`select count(*) from vault.items`.execute(service.context.db)
  return Number(found.rows[0]?.count)
}

describe('creating a service', () => {
  test('answers with everything except secrets', async () => {
    const response = await create({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })

    expect(response.statusCode, response.body).toBe(201)
    const { id } = response.json()
    const key = service.secrets.mac('anti-fraud-service-notifications', id).toString('base64url')
    expect(response.json()).toEqual({
      type: 'anti-fraud-service',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: account,
      anti_fraud_service_definition_id: 'test-anti-fraud',
      display_name: 'Fraud checks',
      active: true,
      reviews_enabled: false,
      webhook_url: `http://127.0.0.1:3000/anti-fraud-services/${id}/notifications/${key}`,
      fields: [ACCOUNT],
      secret_fields: ['api_key'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await get(id)).json()).toEqual(response.json())
  })

  test('a secret is in the vault, and in no table in the clear', async () => {
    const before = await vaultItems()

    const made = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })

    expect(await vaultItems()).toBe(before + 1)
    const rows = await sql<{ row: string }>`
      select t::text as row from anti_fraud_services t union all select t::text from audit_logs t
    `.execute(service.context.db)
    expect(JSON.stringify(rows.rows)).not.toContain(SECRET)
    const stored = await antiFraudServices.find(scope(), made.id)
    if (!stored) throw new Error('the service is gone')
    const opened = await openFields(scope(), service.vault, stored, antiFraudServices.KIND)
    expect(opened).toEqual({ account: 'shop', api_key: SECRET })
  })

  test.each([
    ['no definition', { anti_fraud_service_definition_id: undefined }, '/anti_fraud_service_definition_id'],
    [
      'an unknown definition',
      { anti_fraud_service_definition_id: 'mock-card' },
      '/anti_fraud_service_definition_id',
    ],
    ['an empty name', { display_name: '' }, '/display_name'],
    ['a name of 201 characters', { display_name: 'x'.repeat(201) }, '/display_name'],
    ['a missing field', { fields: [] }, '/fields'],
    ['an unknown field', { fields: [ACCOUNT, { key: 'colour', value: 'red' }] }, '/fields/1/key'],
    ['a field twice', { fields: [ACCOUNT, ACCOUNT] }, '/fields/1/key'],
    ['a field of a wrong kind', { fields: [ACCOUNT, { key: 'live', value: 'yes' }] }, '/fields/1/value'],
    ['active as text', { active: 'true' }, '/active'],
    ['reviews as a number', { reviews_enabled: 1 }, '/reviews_enabled'],
  ])('refuses %s', async (_name, body, pointer) => {
    expect(complaintsOf(await create(body))).toEqual([[pointer, expect.any(String)]])
  })

  test('a second active one is refused with the id of the first', async () => {
    const first = await make()

    const second = await create()

    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({
      code: 'duplicate_record',
      resource_id: first.id,
      details: [{ pointer: '/active', type: 'value_error.duplicate' }],
    })
  })

  test('lets only one of ten at once become active', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => create()))

    const statuses = responses.map(({ statusCode }) => statusCode).sort()
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('allows any number of inactive services', async () => {
    await make()
    await make({ active: false })
    await make({ active: false })

    const { items } = (await service.send('GET /anti-fraud-services', undefined, { account })).json()

    expect(items.map(({ active }: { active: boolean }) => active)).toEqual([false, false, true])
  })
})

describe('changing a service', () => {
  test('keeps fields that are left out or null', async () => {
    const made = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })

    const changed = await update(made.id, { display_name: 'Renamed', active: null, fields: null })

    expect(changed.json()).toEqual({
      ...made,
      display_name: 'Renamed',
      updated_at: expect.any(String),
    })
  })

  test('reviews can be turned on and off', async () => {
    const made = await make({ reviews_enabled: true })

    const kept = await update(made.id, { display_name: 'Renamed', reviews_enabled: null })
    const off = await update(made.id, { reviews_enabled: false })

    expect([made, kept.json(), off.json()].map((shown) => shown.reviews_enabled)).toEqual([true, true, false])
  })

  test('a secret that is replaced or cleared leaves the vault', async () => {
    const made = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })
    const before = await vaultItems()

    await update(made.id, { fields: [{ key: 'api_key', value: 'another' }] })
    const replaced = await vaultItems()
    await update(made.id, { fields: [{ key: 'api_key', value: '' }] })

    expect(replaced).toBe(before)
    expect(await vaultItems()).toBe(before - 1)
  })

  test('a required field cannot be cleared', async () => {
    const made = await make()

    expect(complaintsOf(await update(made.id, { fields: [{ key: 'account', value: '' }] }))).toEqual([
      ['/fields/0/value', 'value_error.any_str.min_length'],
    ])
  })

  test('activates one once the other is inactive', async () => {
    const [first, second] = [await make(), await make({ active: false })]

    const early = await update(second.id, { active: true })
    await update(first.id, { active: false })
    const late = await update(second.id, { active: true })

    expect(early.statusCode).toBe(409)
    expect(early.json().resource_id).toBe(first.id)
    expect(late.statusCode, late.body).toBe(200)
    expect((await antiFraudServices.KIND.findActive(scope()))?.id).toBe(second.id)
  })

  test('a service whose definition was removed can only be deleted', async () => {
    const made = await make()
    await service.context.db
      .updateTable('anti_fraud_services')
      .set({ anti_fraud_service_definition_id: 'former-anti-fraud' })
      .where('id', '=', made.id)
      .execute()

    const changed = await update(made.id, { display_name: 'Renamed' })

    expect(changed.statusCode).toBe(400)
    expect(changed.json().message).toContain('former-anti-fraud is no longer there')
    expect((await remove(made.id)).statusCode).toBe(204)
  })
})

describe('deleting a service', () => {
  test('makes room for another', async () => {
    const made = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })

    const removed = await remove(made.id)

    expect(removed.statusCode).toBe(204)
    expect((await get(made.id)).statusCode).toBe(404)
    expect((await remove(made.id)).statusCode).toBe(404)
    const { items } = (await service.send('GET /anti-fraud-services', undefined, { account })).json()
    expect(items).toEqual([])
    await make()
    const named = await antiFraudServices.findMany(service.context, [made.id, MISSING])
    expect([...named.values()].map(({ display_name }) => display_name)).toEqual(['Fraud checks'])
  })

  test('its secrets leave the vault once no payment can use it any more', async () => {
    const { id } = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })
    const tokens = await tokensOf(id)
    await remove(id)

    await forget()
    const soon = await held(tokens)
    service.moveClock(11 * 60_000)
    await forget()

    expect([soon, await held(tokens)]).toEqual([1, 0])
    expect(await tokensOf(id)).toEqual([])
  })
})

async function forget(): Promise<void> {
  await forgetSecretsJob(antiFraudServices.KIND).run(service, new AbortController().signal)
}

async function tokensOf(id: string): Promise<string[]> {
  const row = (await antiFraudServices.findMany(service.context, [id])).get(id)
  return Object.values(row?.secrets ?? {})
}

/** How many of these the vault still holds. */
async function held(tokens: readonly string[]): Promise<number> {
  const found = await sql<{ count: string }>`
    select count(*) from vault.items where token = any(${tokens}::uuid[])
  `.execute(service.context.db)
  return Number(found.rows[0]?.count)
}

test('another account’s service is not found', async () => {
  const made = await make()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  const options = { account: 'other' }

  for (const route of ['GET', 'DELETE']) {
    const response = await service.send(`${route} /anti-fraud-services/${made.id}`, undefined, options)
    expect(response.statusCode).toBe(404)
  }
  const changed = await service.send(`PUT /anti-fraud-services/${made.id}`, { active: false }, options)
  expect(changed.statusCode).toBe(404)
})

test('the role for payments cannot create services', async () => {
  const token = await signToken(await service.addKey({ roleIds: [PROCESSING] }))

  const response = await service.send('POST /anti-fraud-services', REQUEST, { token })

  expect(response.statusCode).toBe(403)
})

test('changes are in the audit log', async () => {
  const made = await make()
  await update(made.id, { display_name: 'Renamed' })
  await remove(made.id)

  const { items } = (
    await service.send('GET /audit-logs?resource_type=anti-fraud-service', undefined, { account })
  ).json()

  const own = items.filter(({ resource }: { resource: { id: string } }) => resource.id === made.id)
  expect(own.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'updated', 'created'])
})
