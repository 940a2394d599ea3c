import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pointers } from '#testing/answers.ts'
import { changeBeforeOpening } from '#testing/change-before-opening.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { debited } from '#testing/test-connectors.ts'
import { openTill, order, orderPayout, type Till } from '#testing/till.ts'

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  const made = await service.send('POST /payment-services', {
    display_name: 'Bank',
    payment_service_definition_id: 'test-bank',
    fields: [{ key: 'account', value: 'shop' }],
    accepted_currencies: ['USD', 'GBP', 'EUR'],
    accepted_countries: ['US', 'GB', 'DE'],
  })
  expect(made.statusCode, made.body).toBe(201)
})
beforeEach(() => {
  debited.length = 0
  service.troubles.length = 0
})
afterAll(() => service.close())

const HOLDER = { first_name: 'Jane', last_name: 'Doe' }
const ACH = {
  method: 'bank',
  scheme: 'ach',
  account_holder: HOLDER,
  account_number: '1234567890',
  routing_number: '021000021',
  account_type: 'checking',
}
const BACS = {
  method: 'bank',
  scheme: 'bacs',
  account_holder: { company_name: 'Acme Ltd' },
  account_number: '31926819',
  routing_number: '60-16-13',
}
const SEPA = {
  method: 'bank',
  scheme: 'sepa',
  account_holder: HOLDER,
  account_number: 'de89 3704 0044 0532 0130 00',
}

const create = (body: object, options = {}) => service.send('POST /payment-methods', body, options)
const pay = (id: string, over: object = {}) =>
  order(service, { country: 'US', payment_method: { method: 'id', id }, ...over })

async function stored(body: object = ACH) {
  const response = await create(body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

/** How much is stored: payment methods, and what the vault holds. */
async function amountStored(): Promise<unknown> {
  const found = await sql`
    select (select count(*) from payment_methods) as methods, (select count(*) from vault.items) as items
  `.execute(service.context.db)
  return found.rows
}

describe('a bank account', () => {
  test.each([
    ['ACH', ACH, 'ACH ******7890', 'USD'],
    ['Bacs', BACS, 'BACS ******6819', 'GBP'],
    ['SEPA', SEPA, 'SEPA ******3000', 'EUR'],
  ])('is stored for %s, and shows only its end', async (_name, body, label, currency) => {
    const response = await create(body)

    expect(response.statusCode, response.body).toBe(201)
    const method = response.json()
    expect(method).toMatchObject({
      method: 'bank',
      mode: 'bank',
      status: 'succeeded',
      label,
      currency,
      country: null,
      scheme: null,
      details: null,
      expiration_date: null,
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      approval_url: null,
    })
    expect((await service.send(`GET /payment-methods/${method.id}`)).json()).toEqual(method)
    const { items } = (await service.send('GET /payment-methods')).json()
    expect(items).toContainEqual(method)
    expect(await till.audited(method.id)).toEqual(['created by Test key'])
  })

  test.each([
    ['ACH', ACH, 'ACH'],
    ['Bacs', BACS, 'BACS'],
    ['SEPA', SEPA, 'SEPA'],
    ['SEPA with a BIC', { ...SEPA, routing_number: 'COBADEFFXXX' }, 'SEPA'],
  ])('is recognised by its fields if its scheme is not named: %s', async (_name, body, name) => {
    const { scheme: _scheme, ...bare } = body

    expect((await stored(bare)).label).toContain(name)
  })

  test('has the fingerprint of its numbers, whatever the spelling, the holder and the type', async () => {
    const [first, same, other, sepa, again] = [
      await stored(),
      await stored({ ...ACH, account_holder: {}, account_type: 'savings' }),
      await stored({ ...ACH, routing_number: '011401533' }),
      await stored(SEPA),
      await stored({ ...SEPA, account_number: 'DE89370400440532013000', routing_number: 'COBADEFF' }),
    ]

    expect(same.fingerprint).toBe(first.fingerprint)
    expect(other.fingerprint).not.toBe(first.fingerprint)
    expect(again.fingerprint).toBe(sepa.fingerprint)
  })

  test('is stored once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'bank-once' }

    const [first, second] = [await create(ACH, { headers }), await create(ACH, { headers })]

    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(second.json()).toEqual(first.json())
  })

  test('belongs to its buyer, who finds it where its currency is wanted', async () => {
    await service.send('POST /buyers', { external_identifier: 'jane' })
    const { id } = await stored({
      ...ACH,
      buyer_external_identifier: 'jane',
      external_identifier: 'janes-bank',
    })
    const list = async (currency: string) => {
      const path = `GET /buyers/payment-methods?buyer_external_identifier=jane&currency=${currency}`
      return (await service.send(path)).json().items.map((item: { id: string }) => item.id)
    }

    expect(await list('USD')).toEqual([id])
    expect(await list('EUR')).toEqual([])
    const twin = await create({ ...SEPA, external_identifier: 'janes-bank' })
    expect([twin.statusCode, twin.json().resource_id]).toEqual([409, id])
  })

  test('is deleted with what the vault holds', async () => {
    const before = await sql`select token from vault.items`.execute(service.context.db)
    const { id } = await stored()

    const deleted = await service.send(`DELETE /payment-methods/${id}`)

    expect(deleted.statusCode).toBe(204)
    const after = await sql`select token from vault.items`.execute(service.context.db)
    expect(after.rows).toEqual(before.rows)
    expect((await service.send(`GET /payment-methods/${id}`)).statusCode).toBe(404)
    expect(pointers(await pay(id))).toEqual([['/payment_method/id', 'value_error.not_found']])
    expect(await till.told(id)).toEqual(['payment-method.deleted'])
  })

  test.each([
    ['expiration_date', '11/33'],
    ['scheme_transaction_id', 'abc'],
    ['scheme_transaction_id_scheme', 'visa'],
    ['transaction_link_id', 'abc'],
  ])('has no %s to update', async (name, value) => {
    const { id } = await stored()

    const response = await service.send(`PUT /payment-methods/${id}`, { [name]: value })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([[`/${name}`, 'value_error.conflict']])
  })

  test('of another merchant account is not found', async () => {
    const { id } = await stored()

    const response = await order(service, { payment_method: { method: 'id', id } }, { account: 'other' })

    expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.not_found']])
  })

  test('gets no payouts and no network token', async () => {
    const { id } = await stored()

    const payout = await orderPayout(service, { payment_method: { method: 'id', id } })
    const token = await service.send(`POST /payment-methods/${id}/network-tokens`, {
      merchant_initiated: false,
      is_subsequent_payment: false,
    })

    expect(pointers(payout)).toEqual([['/payment_method/id', 'value_error.conflict']])
    expect(token.statusCode).toBe(400)
  })
})

describe('refuses, and stores nothing:', () => {
  const [account, routing] = ['/account_number', '/routing_number']
  test.each([
    ['a routing number with a wrong check digit', ACH, { routing_number: '021000022' }, routing, 'checksum'],
    ['a routing number of 8 digits', ACH, { routing_number: '02100002' }, routing, 'str.regex'],
    ['a routing number of zeros', ACH, { routing_number: '000000000' }, routing, 'str.regex'],
    ['an ACH account number of 3 digits', ACH, { account_number: '123' }, account, 'str.regex'],
    ['an ACH account number of 18 digits', ACH, { account_number: '1'.repeat(18) }, account, 'str.regex'],
    ['an ACH account number with letters', ACH, { account_number: '12345x' }, account, 'str.regex'],
    ['an ACH account of no type', ACH, { account_type: undefined }, '/account_type', 'missing'],
    ['a token in place of an account number', ACH, { is_tokenized: true }, '/is_tokenized', 'const'],
    ['an account without a holder', ACH, { account_holder: undefined }, '/account_holder', 'missing'],
    [
      'a holder with an unknown field',
      ACH,
      { account_holder: { name: 'J' } },
      '/account_holder/name',
      'extra',
    ],
    ['an account without a number', SEPA, { account_number: undefined }, account, 'missing'],
    [
      'an IBAN with wrong check digits',
      SEPA,
      { account_number: 'DE88370400440532013000' },
      account,
      'checksum',
    ],
    ['an IBAN that is too short', SEPA, { account_number: 'DE8937040044053201300' }, account, 'str.regex'],
    [
      'an IBAN from outside SEPA',
      SEPA,
      { account_number: 'BR1800360305000010009795493C1' },
      account,
      'str.regex',
    ],
    ['an IBAN that is none', SEPA, { account_number: '1234567890' }, account, 'str.regex'],
    ['a BIC that is none', SEPA, { routing_number: '021000021' }, routing, 'str.regex'],
    ['a type of a SEPA account', SEPA, { account_type: 'checking' }, '/account_type', 'extra'],
    ['a sort code of 5 digits', BACS, { routing_number: '60161' }, routing, 'str.regex'],
    ['a sort code with letters', BACS, { routing_number: '60-16-1a' }, routing, 'str.regex'],
    ['a Bacs account without a sort code', BACS, { routing_number: undefined }, routing, 'missing'],
    ['a Bacs account number of 7 digits', BACS, { account_number: '3192681' }, account, 'str.regex'],
    ['a type of a Bacs account', BACS, { account_type: 'savings' }, '/account_type', 'extra'],
    ['a tokenized Bacs account', BACS, { is_tokenized: false }, '/is_tokenized', 'extra'],
    ['a number of a card', ACH, { number: '4111111111111111' }, '/number', 'extra'],
    [
      'an account whose scheme cannot be told',
      SEPA,
      { scheme: undefined, account_number: '1' },
      '/scheme',
      'missing',
    ],
    [
      'a buyer that does not exist',
      ACH,
      { buyer_external_identifier: 'unknown' },
      '/buyer_external_identifier',
      'not_found',
    ],
  ])('%s', async (...[, base, over, pointer, type]) => {
    const before = await amountStored()

    const response = await create({ ...base, ...over })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual([[pointer, `value_error.${type}`]])
    expect(await amountStored()).toEqual(before)
  })

  test.each(['eft', 'ACH', '', 7, null, 'constructor'])('the scheme %j', async (scheme) => {
    const response = await create({ ...ACH, scheme })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/scheme', 'type_error.enum']])
  })
})

describe('a payment with a stored bank account', () => {
  test('presents the account to a service that takes it, with an audit entry', async () => {
    const { id, label, fingerprint } = await stored()

    const response = await pay(id)

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({
      status: 'authorization_succeeded',
      instrument_type: 'bank',
      method: 'bank',
      payment_method: { id, method: 'bank', mode: 'bank', label, fingerprint, scheme: null },
    })
    const { scheme, account_holder, account_number, routing_number, account_type } = ACH
    expect(debited).toEqual([
      { kind: 'bank', method: 'bank', scheme, account_holder, account_number, routing_number, account_type },
    ])
    const opened = await sql<{ resource_name: string }>`
      select resource_name from audit_logs where resource_id = ${id} and action = 'revealed'
    `.execute(service.context.db)
    expect(opened.rows).toEqual([{ resource_name: 'payment' }])
    const shown = (await service.send(`GET /payment-methods/${id}`)).json()
    expect(shown).toMatchObject({ usage_count: 1, cit_usage_count: 1 })
  })

  test.each([
    ['GBP', 'GB', BACS, { account_number: '31926819', routing_number: '601613' }],
    ['EUR', 'DE', SEPA, { account_number: 'DE89370400440532013000', routing_number: null }],
  ])('in %s presents the numbers as banks write them', async (currency, country, body, numbers) => {
    const { id } = await stored(body)

    const response = await pay(id, { currency, country })

    expect(response.json()).toMatchObject({ status: 'authorization_succeeded' })
    expect(debited).toMatchObject([numbers])
  })

  test('is refused in a currency that its scheme does not move, or with a security code', async () => {
    const { id } = await stored()

    expect(pointers(await pay(id, { currency: 'EUR' }))).toEqual([['/currency', 'value_error.conflict']])
    const coded = await pay(id, { payment_method: { method: 'id', id, security_code: '123' } })
    expect(pointers(coded)).toEqual([['/payment_method/security_code', 'value_error.conflict']])
    expect(debited).toEqual([])
  })

  test('names no service where none takes its scheme', async () => {
    const { id } = (await create(SEPA, { account: 'other' })).json()

    const response = await order(
      service,
      { currency: 'EUR', country: 'DE', payment_method: { method: 'id', id } },
      { account: 'other' },
    )
    const told = await service.send(`GET /transactions/${response.json().id}/events`, undefined, {
      account: 'other',
    })

    expect(response.json()).toMatchObject({ error_code: 'all_attempts_skipped' })
    const message = 'this merchant account has no active payment service for sepa or bank'
    expect(JSON.stringify(told.json())).toContain(message)
  })

  test('fails where only cards are taken', async () => {
    const { id } = (await create(ACH, { account: 'other' })).json()
    const made = await till.addService({}, { account: 'other' })
    expect(made.method).toBe('card')

    const response = await order(service, { payment_method: { method: 'id', id } }, { account: 'other' })

    expect(response.json()).toMatchObject({
      status: 'authorization_failed',
      error_code: 'all_attempts_skipped',
    })
  })

  test('fails if the account is deleted meanwhile', async () => {
    const { id } = await stored()

    const response = await changeBeforeOpening(service, () => pay(id), [
      sql`delete from vault.items using payment_methods as method
          where method.id = ${id} and token = method.vault_token`,
      sql`update payment_methods set vault_token = null, deleted_at = now() where id = ${id}`,
    ])

    expect(response.json()).toMatchObject({
      status: 'authorization_failed',
      error_code: 'unavailable_payment_method',
    })
    expect(debited).toEqual([])
  })

  test('is not made if the row names another account, and the operator is told', async () => {
    const [mine, victim] = [await stored(), await stored({ ...ACH, account_number: '9876543210' })]
    await sql`
      update payment_methods as method set vault_token = other.vault_token
      from payment_methods as other where method.id = ${mine.id} and other.id = ${victim.id}
    `.execute(service.context.db)

    const response = await pay(mine.id)

    expect(response.json()).toMatchObject({ status: 'authorization_failed', error_code: 'internal_error' })
    expect(debited).toEqual([])
    expect(service.troubles).toEqual([expect.stringContaining('not the value that the row was written for')])
  })
})

test.each([
  ['a bank account without its vault token', 'vault_token = null'],
  ['a bank account without a scheme', 'bank_scheme = null'],
  ['a bank account with the scheme of a card', "scheme = 'visa'"],
])('the database refuses %s', async (_what, change) => {
  const { id } = await stored()

  const changed = sql`update payment_methods set ${sql.raw(change)} where id = ${id}`.execute(
    service.context.db,
  )

  await expect(changed).rejects.toThrow(/check constraint/)
})
