import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { changeBeforeOpening } from '#testing/change-before-opening.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { Masked } from '#vault'

const CARD = { method: 'card', number: '4111111111111111', expiration_date: '12/30' }
const OTHER = { ...CARD, number: '5555555555554444' }
/** The issuer asks the cardholder of this card. */
const CHALLENGED = { ...CARD, number: '4111111111102011' }
/** Its service has no 3-D Secure, so the payment has begun when the card is opened. */
const PLAIN = 'plain-shop'
/** Its service has 3-D Secure, so the card is opened before the payment begins. */
const SECURE = 'default'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: PLAIN, display_name: PLAIN })
  const made = await service.send(
    'POST /payment-services',
    {
      display_name: 'Plain',
      payment_service_definition_id: 'mock-card',
      fields: [{ key: 'merchant_id', value: 'merchant-1' }],
      accepted_currencies: ['USD'],
      accepted_countries: ['US'],
    },
    { account: PLAIN },
  )
  expect(made.statusCode, made.body).toBe(201)
})
afterAll(() => service.close())
beforeEach(() => {
  service.troubles.length = 0
})

async function store(card: object, account = PLAIN): Promise<string> {
  const response = await service.send('POST /payment-methods', card, { account })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

const payWith = (id: string, account = PLAIN, key = 'pay') => {
  const payment_method = { method: 'id', id, redirect_url: 'https://shop.example.com/back' }
  return service.send(
    'POST /transactions',
    { amount: 1299, currency: 'USD', country: 'US', payment_method },
    { account, headers: { 'idempotency-key': `${key}-${id}` } },
  )
}

/** Like `DELETE /payment-methods/:id`. */
const deletion = (id: string) => [
  sql`delete from vault.items using payment_methods as method
      where method.id = ${id} and token = method.vault_token`,
  sql`update payment_methods set vault_token = null, deleted_at = now() where id = ${id}`,
]

describe('a stored card that is deleted during a payment', () => {
  test('fails the payment, without asking a provider', async () => {
    const id = await store(CARD)

    const response = await changeBeforeOpening(service, () => payWith(id), deletion(id))
    const again = await payWith(id)

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      status: 'authorization_failed',
      error_code: 'unavailable_payment_method',
    })
    expect(await till.books(response.json().id)).toBeNull()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.json()).toEqual(response.json())
  })

  test('is not found before the payment has begun', async () => {
    const id = await store(CHALLENGED, SECURE)

    const response = await changeBeforeOpening(service, () => payWith(id, SECURE), deletion(id))

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([
      { pointer: '/payment_method/id', type: 'value_error.not_found' },
    ])
    expect((await payWith(id, SECURE)).statusCode).toBe(400)
  })
})

test('a stored card that is replaced during a payment is charged with its new number', async () => {
  const [id, other] = [await store(CARD), await store(OTHER)]
  const place = { merchantAccountId: PLAIN }
  const field = { name: 'number', owner: id }
  const found = await service.vault.store(service.context.db, place, field, new Masked(OTHER.number))

  const response = await changeBeforeOpening(service, () => payWith(id), [
    sql`delete from vault.items using payment_methods as method
        where method.id = ${id} and token = method.vault_token`,
    sql`update payment_methods as method set vault_token = ${found}, fingerprint = other.fingerprint
        from payment_methods as other where method.id = ${id} and other.id = ${other}`,
  ])

  expect(response.json()).toMatchObject({ status: 'authorization_succeeded' })
})

describe('a payment method whose row names another card', () => {
  const pointAt = (id: string, victim: string) =>
    sql`
      update payment_methods as method set vault_token = other.vault_token
      from payment_methods as other where method.id = ${id} and other.id = ${victim}
    `.execute(service.context.db)

  test('is not charged, and the operator is told', async () => {
    const [id, victim] = [await store(CARD), await store(OTHER)]
    await pointAt(id, victim)

    const response = await payWith(id)

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ status: 'authorization_failed', error_code: 'internal_error' })
    expect(await till.books(response.json().id)).toBeNull()
    expect(service.troubles).toEqual([expect.stringContaining('not the value that the row was written for')])
  })

  test('is not charged if the fingerprint was copied, too, or the name of the sealed item was changed', async () => {
    const [id, victim] = [await store(CARD), await store(OTHER)]
    await pointAt(id, victim)
    await sql`
      update payment_methods as method set fingerprint = other.fingerprint
      from payment_methods as other where method.id = ${id} and other.id = ${victim}
    `.execute(service.context.db)

    const copied = await payWith(id)
    await sql`
      update vault.items set field = ${`number of ${id}`} from payment_methods as method
      where method.id = ${victim} and token = method.vault_token
    `.execute(service.context.db)
    const renamed = await payWith(id, PLAIN, 'again')

    expect(copied.json()).toMatchObject({ status: 'authorization_failed', error_code: 'internal_error' })
    expect(service.troubles).toHaveLength(1)
    expect(renamed.json().status).not.toBe('authorization_succeeded')
    expect(await till.books(copied.json().id)).toBeNull()
  })

  test('is charged if the card was stored with a payment', async () => {
    const paid = await service.send(
      'POST /transactions',
      { amount: 1299, currency: 'USD', country: 'US', payment_method: CARD, store: true },
      { account: PLAIN },
    )

    const response = await payWith(paid.json().payment_method.id)

    expect(response.json()).toMatchObject({ status: 'authorization_succeeded' })
    expect(service.troubles).toEqual([])
  })

  test('is not authenticated either', async () => {
    const [id, victim] = [await store(CARD, SECURE), await store(CHALLENGED, SECURE)]
    await pointAt(id, victim)

    const response = await payWith(id, SECURE)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/payment_method/id' }])
    expect(service.troubles).toHaveLength(1)
  })
})
