import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { giftCardDisagreements } from '#testing/gift-card-books.ts'
import { complaintsOf, giftCardWith } from '#testing/gift-cards.ts'
import { givingUp } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
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
const update = (id: string, body: object) => service.send(`PUT /gift-card-services/${id}`, body, { account })
const remove = (id: string) => service.send(`DELETE /gift-card-services/${id}`, undefined, { account })

async function make(body: object = {}) {
  const response = await create(body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

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
