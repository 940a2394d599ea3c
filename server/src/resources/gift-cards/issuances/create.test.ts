import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complaintsOf, type GiftCardShop, openGiftCardShop } from '#testing/gift-cards.ts'
import { givingUp } from '#testing/giving-up.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { attemptsMade } from '#testing/test-gift-card-connector.ts'

const MINUTE_MS = 60_000

let service: TestService
let shop: GiftCardShop
beforeAll(async () => {
  service = await startTestService()
  shop = await openGiftCardShop(service)
})
afterAll(() => service.close())

const REQUEST = { theme: 'birthday', amount: 2500, currency: 'USD' }
const issue = (body: object = {}, options = {}) =>
  shop.send('POST /gift-cards/issuances', { ...REQUEST, ...body }, options)
const keyed = () => ({ headers: { 'idempotency-key': crypto.randomUUID() } })

async function operationsOf(externalIdentifier: string) {
  return service.context.db
    .selectFrom('gift_card_operations')
    .select(['id', 'state', 'reference', 'error_code'])
    .where('external_identifier', '=', externalIdentifier)
    .execute()
}

test('answers with the URL of the new card', async () => {
  const response = await issue({ external_identifier: 'order-1' })

  expect(response.statusCode, response.body).toBe(201)
  const { id } = response.json()
  expect(response.json()).toEqual({
    type: 'gift-card-issuance',
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    merchant_account_id: 'gifts',
    gift_card_service: {
      type: 'gift-card-service',
      id: shop.serviceId,
      gift_card_service_definition_id: 'test-gift-card',
      display_name: 'Test cards',
    },
    gift_card_service_payment_issuance_id: `i-${id}`,
    url: `https://cards.example.com/${id}`,
    amount: 2500,
    currency: 'USD',
    external_identifier: 'order-1',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
})

test('stores the URL of the card nowhere in the clear', async () => {
  await issue({}, keyed())

  const rows = await sql<{ row: string }>`
    select t::text as row from gift_card_operations t union all select t::text from idempotency_keys t
    union all select t::text from audit_logs t union all select t::text from events t
  `.execute(service.context.db)

  expect(rows.rows.length).toBeGreaterThan(2)
  expect(JSON.stringify(rows.rows)).not.toContain('cards.example.com')
})

test('is done once, and replayed by its idempotency key', async () => {
  const options = keyed()

  const first = await issue({ external_identifier: 'once' }, options)
  const again = await issue({ external_identifier: 'once' }, options)

  expect(again.body).toBe(first.body)
  expect(await operationsOf('once')).toHaveLength(1)
})

describe('refuses', () => {
  test.each([
    ['no theme', { theme: undefined }, '/theme', 'value_error.missing'],
    ['an empty theme', { theme: '' }, '/theme', 'value_error.any_str.min_length'],
    ['no amount', { amount: undefined }, '/amount', 'value_error.missing'],
    ['an amount of nine digits', { amount: 100_000_000 }, '/amount', 'value_error.number.not_le'],
    ['no currency', { currency: undefined }, '/currency', 'value_error.missing'],
    ['a currency that is none', { currency: 'XYZ' }, '/currency', 'type_error.enum'],
    [
      'a currency the service has not',
      { theme: 'refuse incorrect_currency' },
      '/currency',
      'value_error.conflict',
    ],
    [
      'an amount the service does not take',
      { theme: 'refuse invalid_amount' },
      '/amount',
      'value_error.conflict',
    ],
  ])('%s', async (_name, body, pointer, type) => {
    expect(complaintsOf(await issue(body))).toEqual([[pointer, type]])
  })

  test('a card that the service refuses', async () => {
    const response = await issue({ theme: 'refuse invalid_gift_card' })

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({
      message: 'The gift card service refuses: invalid_gift_card.',
      details: [{ message: 'The gift card service refuses: invalid_gift_card.' }],
    })
  })

  test('a browser token', async () => {
    const response = await issue({}, { token: await shop.embed({ amount: 2500, currency: 'USD' }) })

    expect(response.statusCode).toBe(403)
  })
})

describe('an answer that is lost', () => {
  test.each([
    ['before', false],
    ['after', true],
  ])('is available to a retry, %s a job resolved it', async (name, isResolved) => {
    const [body, options] = [{ theme: 'lose', external_identifier: `lost-${name}` }, keyed()]

    const first = await givingUp(service, () => issue(body, options))
    service.moveClock(2 * MINUTE_MS)
    if (isResolved) await service.resolveDue()
    const later = await issue(body, options)

    expect(first.statusCode).toBe(504)
    expect(later.statusCode, later.body).toBe(201)
    const [operation, ...others] = await operationsOf(`lost-${name}`)
    expect(others).toEqual([])
    expect(operation?.state).toBe('approved')
    expect(attemptsMade.get(operation?.id ?? '')?.times).toBe(1)
    expect(later.json().url).toBe(`https://cards.example.com/${operation?.id}`)
  })

  test('is a refusal when the service does not know the issuance', async () => {
    const [body, options] = [{ theme: 'stall', external_identifier: 'never' }, keyed()]
    await givingUp(service, () => issue(body, options))

    service.moveClock(2 * MINUTE_MS)
    const later = await issue(body, options)

    expect(later.statusCode).toBe(400)
    expect(await operationsOf('never')).toMatchObject([
      { state: 'refused', error_code: 'service_network_error' },
    ])
  })

  test('stays unknown while the service cannot be asked, and is inquired about ever more rarely', async () => {
    const third = await openGiftCardShop(service, 'third-gifts')
    const gone = { ...REQUEST, theme: 'lose', external_identifier: 'gone' }
    await givingUp(service, () => third.send('POST /gift-cards/issuances', gone))
    await service.context.db
      .updateTable('gift_card_services')
      .set({ gift_card_service_definition_id: 'former-gift-card' })
      .where('id', '=', third.serviceId)
      .execute()

    const states: unknown[] = []
    for (const minutes of [2, 6, 61]) {
      service.moveClock(minutes * MINUTE_MS)
      await service.resolveDue()
      states.push(...(await operationsOf('gone')).map(({ state }) => state))
    }

    expect(states).toEqual(['sent', 'sent', 'sent'])
    const row = await service.context.db
      .selectFrom('gift_card_operations')
      .innerJoin('attempts', 'attempts.id', 'gift_card_operations.id')
      .select(['attempts.checks', 'attempts.due_at'])
      .where('external_identifier', '=', 'gone')
      .executeTakeFirstOrThrow()
    expect(row.checks).toBe(3)
    const dayMs = 24 * 60 * MINUTE_MS
    expect(Math.abs(Number(row.due_at) - service.context.clock().getTime() - dayMs)).toBeLessThan(MINUTE_MS)
  })
})
