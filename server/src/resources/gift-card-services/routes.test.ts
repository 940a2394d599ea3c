import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openFields } from '#processing/service-accounts/fields.ts'
import { MISSING } from '#testing/answers.ts'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { complaintsOf, giftCardWith } from '#testing/gift-cards.ts'
import { givingUp } from '#testing/giving-up.ts'
import { PROCESSING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill } from '#testing/till.ts'
import { giftCardServiceJobs } from './routes.ts'
import * as giftCardServices from './store.ts'

const SECRET = 'canary-secret-of-a-gift-card-provider'
const ACCOUNT = { key: 'account', value: 'shop' }
const REQUEST = {
  display_name: 'Gift cards',
  gift_card_service_definition_id: 'test-gift-card',
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
  service.send('POST /gift-card-services', { ...REQUEST, ...body }, { account })
const get = (id: string) => service.send(`GET /gift-card-services/${id}`, undefined, { account })
const update = (id: string, body: object) => service.send(`PUT /gift-card-services/${id}`, body, { account })
const remove = (id: string) => service.send(`DELETE /gift-card-services/${id}`, undefined, { account })
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
    expect(response.json()).toEqual({
      type: 'gift-card-service',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: account,
      gift_card_service_definition_id: 'test-gift-card',
      display_name: 'Gift cards',
      active: true,
      fields: [ACCOUNT],
      secret_fields: ['api_key'],
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await get(response.json().id)).json()).toEqual(response.json())
  })

  test('a secret is in the vault, and in no table in the clear', async () => {
    const before = await vaultItems()

    const made = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })

    expect(await vaultItems()).toBe(before + 1)
    const rows = await sql<{ row: string }>`
      select t::text as row from gift_card_services t union all select t::text from audit_logs t
    `.execute(service.context.db)
    expect(JSON.stringify(rows.rows)).not.toContain(SECRET)
    const stored = await giftCardServices.find(scope(), made.id)
    if (!stored) throw new Error('the service is gone')
    const opened = await openFields(scope(), service.vault, stored, giftCardServices.KIND)
    expect(opened).toEqual({ account: 'shop', api_key: SECRET })
  })

  test.each([
    ['no definition', { gift_card_service_definition_id: undefined }, '/gift_card_service_definition_id'],
    [
      'an unknown definition',
      { gift_card_service_definition_id: 'mock-card' },
      '/gift_card_service_definition_id',
    ],
    ['an empty name', { display_name: '' }, '/display_name'],
    ['a name of 201 characters', { display_name: 'x'.repeat(201) }, '/display_name'],
    ['a missing field', { fields: [] }, '/fields'],
    ['an unknown field', { fields: [ACCOUNT, { key: 'colour', value: 'red' }] }, '/fields/1/key'],
    ['a field twice', { fields: [ACCOUNT, ACCOUNT] }, '/fields/1/key'],
    ['a field of a wrong kind', { fields: [ACCOUNT, { key: 'live', value: 'yes' }] }, '/fields/1/value'],
    ['active as text', { active: 'true' }, '/active'],
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

    const { items } = (await service.send('GET /gift-card-services', undefined, { account })).json()

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
    expect((await giftCardServices.findActive(scope()))?.id).toBe(second.id)
  })

  test('a service whose definition was removed can only be deleted', async () => {
    const made = await make()
    await service.context.db
      .updateTable('gift_card_services')
      .set({ gift_card_service_definition_id: 'former-gift-card' })
      .where('id', '=', made.id)
      .execute()

    const changed = await update(made.id, { display_name: 'Renamed' })

    expect(changed.statusCode).toBe(400)
    expect(changed.json().message).toContain('former-gift-card is no longer there')
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
    const { items } = (await service.send('GET /gift-card-services', undefined, { account })).json()
    expect(items).toEqual([])
    await make()
    const named = await giftCardServices.findMany(service.context, [made.id, MISSING])
    expect([...named.values()].map(({ display_name }) => display_name)).toEqual(['Gift cards'])
  })
})

describe('while an operation is open at a service', () => {
  const LONG_MS = 11 * 60_000
  const forget = async () => {
    for (const { run } of giftCardServiceJobs) await run(service, new AbortController().signal)
  }

  async function withOpenIssuance() {
    const made = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })
    const order = { theme: 'lose', amount: 5, currency: 'USD' }
    const issue = () => service.send('POST /gift-cards/issuances', order, { account })
    expect((await givingUp(service, issue)).statusCode).toBe(504)
    const resolve = async () => {
      service.moveClock(LONG_MS)
      await service.resolveDue()
    }
    return { id: made.id, resolve }
  }

  test('its fields cannot be changed, and all else can', async () => {
    const { id, resolve } = await withOpenIssuance()
    const change = { fields: [{ key: 'account', value: 'another-shop' }] }

    const early = await update(id, change)
    const same = await update(id, { active: false, fields: [ACCOUNT] })
    await resolve()
    const inTime = await update(id, change)

    expect(complaintsOf(early)).toEqual([['/fields/0/value', 'value_error.conflict']])
    expect(early.json().details[0].message).toBe(
      '1 operation is still open at this gift card service; change it later, or create another one',
    )
    expect(same.statusCode, same.body).toBe(200)
    expect(inTime.statusCode, inTime.body).toBe(200)
  })

  test('its secrets stay when it is deleted, until the outcome is known', async () => {
    const { id, resolve } = await withOpenIssuance()
    const tokens = await tokensOf(id)
    await remove(id)
    service.moveClock(LONG_MS)

    await forget()
    const open = await held(tokens)
    await resolve()
    await forget()

    expect([tokens.length, open, await held(tokens)]).toEqual([1, 1, 0])
    expect(await tokensOf(id)).toEqual([])
    const operation = await service.context.db
      .selectFrom('gift_card_operations')
      .select('state')
      .where('gift_card_service_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(operation.state).toBe('approved')
  })

  test('its secrets stay as long as a payment with its gift card may fail', async () => {
    const till = openTill(service)
    await till.addService({}, { account })
    const { id } = await make({
      gift_card_service_definition_id: 'mock-gift-card',
      fields: [{ key: 'api_key', value: SECRET }],
    })
    const tokens = await tokensOf(id)
    const gift_cards = [{ ...giftCardWith(500), amount: 300 }]
    const paid = await till.pay({ gift_cards }, { account })
    await remove(id)
    service.moveClock(LONG_MS)

    await forget()
    const holding = await held(tokens)
    await till.act(paid.id, 'void', undefined, { account })
    await forget()

    expect(paid.status).toBe('authorization_succeeded')
    expect([tokens.length, holding, await held(tokens)]).toEqual([1, 1, 0])
    expect(await giftCardDisagreements(service.database.pool)).toEqual([])
  })

  test('the secrets of a service without open operations are removed soon after it is deleted', async () => {
    const { id } = await make({ fields: [ACCOUNT, { key: 'api_key', value: SECRET }] })
    const tokens = await tokensOf(id)
    await remove(id)

    await forget()
    const soon = await held(tokens)
    service.moveClock(LONG_MS)
    await forget()

    expect([soon, await held(tokens)]).toEqual([1, 0])
  })
})

async function tokensOf(id: string): Promise<string[]> {
  const row = (await giftCardServices.findMany(service.context, [id])).get(id)
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
    const response = await service.send(`${route} /gift-card-services/${made.id}`, undefined, options)
    expect(response.statusCode).toBe(404)
  }
  const changed = await service.send(`PUT /gift-card-services/${made.id}`, { active: false }, options)
  expect(changed.statusCode).toBe(404)
})

test('the role for payments cannot create services', async () => {
  const token = await signToken(await service.addKey({ roleIds: [PROCESSING] }))

  const response = await service.send('POST /gift-card-services', REQUEST, { token })

  expect(response.statusCode).toBe(403)
})

test('changes are in the audit log', async () => {
  const made = await make()
  await update(made.id, { display_name: 'Renamed' })
  await remove(made.id)

  const { items } = (
    await service.send('GET /audit-logs?resource_type=gift-card-service', undefined, { account })
  ).json()

  const own = items.filter(({ resource }: { resource: { id: string } }) => resource.id === made.id)
  expect(own.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'updated', 'created'])
})
