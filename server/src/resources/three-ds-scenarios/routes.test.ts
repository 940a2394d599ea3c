import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { disagreements } from '#testing/books.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { SCENARIOS_MAX } from './routes.ts'

const BACK = 'https://shop.example.com/back'
const says = (transaction_status: string) => ({ authentication: { transaction_status } })
const challenge = (result: string) => ({ ...says('C'), result: { transaction_status: result } })
const NO_CONDITIONS = {
  first_name: null,
  last_name: null,
  email_address: null,
  amount: null,
  external_identifier: null,
  card_number: null,
}

let service: TestService
let till: Till
beforeAll(async () => {
  service = await startTestService()
  till = openTill(service)
})
afterEach(async () => {
  const { items } = (await service.send('GET /three-ds-scenarios?limit=100')).json()
  for (const { id } of items) await service.send(`DELETE /three-ds-scenarios/${id}`)
})
afterAll(async () => {
  expect(await disagreements(service.database.pool)).toEqual([])
  await service.close()
})

const create = (conditions: object, outcome: object) =>
  service.send('POST /three-ds-scenarios', { conditions, outcome })

const add = async (conditions: object, outcome: object) => {
  const made = await create(conditions, outcome)
  expect(made.statusCode, made.body).toBe(201)
  return made.json()
}

const pay = (body: object = {}, method: object = {}) =>
  till.pay({ payment_method: { ...CARD, redirect_url: BACK, ...method }, ...body })

const guest = (billing_details: object, more: object = {}) => ({ buyer: { billing_details, ...more } })

const decide = (payment: { payment_method: { approval_url: string } }, decision: string) =>
  service.app.inject({
    method: 'POST',
    url: new URL(payment.payment_method.approval_url).pathname,
    payload: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

describe('a scenario', () => {
  test('is created, listed, changed and deleted, and the audit log tells', async () => {
    const made = await add({ amount: 1299 }, challenge('N'))
    const listed = (await service.send('GET /three-ds-scenarios')).json()
    const changed = await service.send(`PUT /three-ds-scenarios/${made.id}`, { outcome: says('Y') })
    const removed = await service.send(`DELETE /three-ds-scenarios/${made.id}`)
    const gone = await service.send(`DELETE /three-ds-scenarios/${made.id}`)

    expect(made).toEqual({
      type: 'three-d-secure-scenario',
      id: expect.any(String),
      merchant_account_id: 'default',
      conditions: { ...NO_CONDITIONS, amount: 1299 },
      outcome: { version: null, ...challenge('N') },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(listed.items).toEqual([made])
    expect(changed.json()).toEqual({
      ...made,
      outcome: { version: null, ...says('Y'), result: null },
      updated_at: expect.any(String),
    })
    expect(changed.json().updated_at > made.updated_at).toBe(true)
    expect([removed.statusCode, gone.statusCode]).toEqual([204, 404])
    expect(await till.audited(made.id)).toEqual([
      'created by Test key',
      'updated by Test key',
      'deleted by Test key',
    ])
  })

  test('keeps of a card number only a fingerprint and the digits that may be shown', async () => {
    const made = await add({ card_number: CARD.number }, says('N'))

    const stored = await sql<{ row: string }>`
      select three_ds_scenarios::text as row from three_ds_scenarios where id = ${made.id}
    `.execute(service.context.db)

    expect(made.conditions).toEqual({ ...NO_CONDITIONS, card_number: '41111111****1111' })
    expect(stored.rows[0]?.row).not.toContain(CARD.number)
  })

  test('keeps its card number when it is sent back as it was shown', async () => {
    const { id, conditions } = await add({ card_number: CARD.number, amount: 1 }, says('N'))

    const changed = await service.send(`PUT /three-ds-scenarios/${id}`, {
      conditions: { ...conditions, amount: 1000 },
    })
    const paid = await pay()

    expect(changed.json().conditions).toEqual({ ...conditions, amount: 1000 })
    expect(paid).toMatchObject({ status: 'authorization_failed', three_d_secure: { status: 'declined' } })
  })

  test('takes any text as a condition, which no payment meets, and shows nothing of a number that is none', async () => {
    const conditions = { email_address: 'not-an-address', card_number: '4111 1111 1111 1111' }

    const made = await add(conditions, says('N'))
    const kept = await service.send(`PUT /three-ds-scenarios/${made.id}`, { conditions: made.conditions })

    expect(made.conditions).toEqual({
      ...NO_CONDITIONS,
      email_address: 'not-an-address',
      card_number: '****',
    })
    expect(kept.json().conditions).toEqual(made.conditions)
    for (const card_number of ['4111', '4111111111111112', '41111111****1111']) {
      expect((await add({ card_number }, says('N'))).conditions.card_number).toMatch(
        /^(\d{8})?\*{4}(\d{4})?$/,
      )
    }
    expect(await pay()).toMatchObject({ status: 'authorization_succeeded' })
  })

  test('takes no masked number that is not its own', async () => {
    const { id } = await add({ card_number: CARD.number }, says('N'))

    const answer = await service.send(`PUT /three-ds-scenarios/${id}`, {
      conditions: { card_number: '52000000****1203' },
    })

    expect(answer.statusCode).toBe(400)
    expect(answer.json().details).toMatchObject([
      { pointer: '/conditions/card_number', type: 'value_error.conflict' },
    ])
  })

  test('stays as it is where an update says null or nothing, and loses conditions that are left out', async () => {
    const made = await add({ first_name: 'Ada', amount: 7 }, says('A'))
    const update = (body: object) => service.send(`PUT /three-ds-scenarios/${made.id}`, body)

    const same = (await update({ conditions: null, outcome: null })).json()
    const fewer = (await update({ conditions: { amount: 7 } })).json()

    expect({ ...same, updated_at: made.updated_at }).toEqual(made)
    expect(fewer.conditions).toEqual({ ...NO_CONDITIONS, amount: 7 })
    expect(fewer.outcome).toEqual(made.outcome)
  })

  test(`is refused when there are ${SCENARIOS_MAX}`, async () => {
    await service.send('POST /merchant-accounts', { id: 'full', display_name: 'Full' })
    await sql`
      insert into three_ds_scenarios
        (id, merchant_account_id, amount, authentication_status, created_at, updated_at)
      select gen_random_uuid(), 'full', n, 'Y', now(), now() from generate_series(1, ${SCENARIOS_MAX}::int) as n
    `.execute(service.context.db)

    const answer = await service.send(
      'POST /three-ds-scenarios',
      { conditions: {}, outcome: says('Y') },
      { account: 'full' },
    )

    expect(answer.statusCode).toBe(400)
    expect(answer.json().message).toContain('delete one first')
  })
})

describe('a request is refused', () => {
  test.each([
    [
      'a negative amount',
      { amount: -1 },
      says('Y'),
      { pointer: '/conditions/amount', type: 'value_error.number.not_ge' },
    ],
    [
      'a larger amount than payments have',
      { amount: 100_000_000 },
      says('Y'),
      { pointer: '/conditions/amount', type: 'value_error.number.not_le' },
    ],
    [
      'an amount that is no whole number',
      { amount: 1.5 },
      says('Y'),
      { pointer: '/conditions/amount', type: 'type_error.integer' },
    ],
    [
      'an empty name',
      { first_name: '' },
      says('Y'),
      { pointer: '/conditions/first_name', type: 'value_error.any_str.min_length' },
    ],
    [
      'a name that no buyer can have',
      { last_name: 'x'.repeat(256) },
      says('Y'),
      { pointer: '/conditions/last_name', type: 'value_error.any_str.max_length' },
    ],
    [
      'an unknown condition',
      { currency: 'USD' },
      says('Y'),
      { pointer: '/conditions/currency', type: 'value_error.extra' },
    ],
    [
      'a version that is none',
      {},
      { ...says('Y'), version: '3.0' },
      { pointer: '/outcome/version', type: 'value_error.str.regex' },
    ],
    [
      'an unknown answer',
      {},
      says('X'),
      { pointer: '/outcome/authentication/transaction_status', type: 'type_error.enum' },
    ],
    ['no answer', {}, {}, { pointer: '/outcome/authentication', type: 'value_error.missing' }],
    [
      'a challenge without a result',
      {},
      says('C'),
      { pointer: '/outcome/result', type: 'value_error.missing' },
    ],
    [
      'a challenge with the result null',
      {},
      { ...says('C'), result: null },
      { pointer: '/outcome/result', type: 'value_error.missing' },
    ],
    [
      'a result that no challenge has',
      {},
      challenge('A'),
      { pointer: '/outcome/result/transaction_status', type: 'type_error.enum' },
    ],
    [
      'a result without a challenge',
      {},
      { ...challenge('Y'), ...says('Y') },
      { pointer: '/outcome/result', type: 'value_error.conflict' },
    ],
  ])('for %s', async (_what, conditions, outcome, { pointer, type }) => {
    const { id } = await add({ amount: 1 }, says('Y'))

    const created = await create(conditions, outcome)
    const updated = await service.send(`PUT /three-ds-scenarios/${id}`, { conditions, outcome })

    expect(created.statusCode, created.body).toBe(400)
    expect(created.json().details).toEqual([{ location: 'body', pointer, type, message: expect.any(String) }])
    expect(updated.statusCode, updated.body).toBe(400)
    expect(updated.json().details).toMatchObject([{ pointer }])
    expect((await service.send('GET /three-ds-scenarios')).json().items).toHaveLength(1)
  })
})

describe('the issuer answers', () => {
  const summary = {
    version: '2.2.0',
    status: 'complete',
    method: 'frictionless',
    response_data: null,
    error_data: null,
    amount: 1000,
  }
  const proof = (answer: string, eci: string) => ({
    version: '2.2.0',
    authentication_response: answer,
    directory_response: answer,
    directory_transaction_id: expect.any(String),
    transaction_reason: null,
    cavv: expect.any(String),
    eci,
    cardholder_info: null,
  })

  test.each([
    ['Y', { ...summary, response_data: proof('Y', '05') }],
    ['A', { ...summary, response_data: proof('A', '06') }],
    ['U', summary],
    [
      'timeout',
      {
        ...summary,
        version: null,
        status: 'error',
        method: null,
        error_data: { code: '402', description: 'Transaction timed out', detail: null, component: 'D' },
      },
    ],
  ])('%s, and the card is charged', async (answer, expected) => {
    await add({}, says(answer))

    const paid = await pay()

    expect(paid.status).toBe('authorization_succeeded')
    expect(paid.three_d_secure).toEqual(expected)
    expect(await till.books(paid.id)).toMatchObject({ authorized: 1000 })
  })

  test.each(['N', 'R'])('%s, and the card is not charged', async (answer) => {
    await add({}, says(answer))

    const paid = await pay()

    expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'failed_buyer_approval' })
    expect(paid.three_d_secure).toEqual({ ...summary, status: 'declined' })
    expect(await till.books(paid.id)).toBeNull()
  })

  test('with the version that the scenario names, also when it does not answer', async () => {
    await add({}, { version: '2.1.0', ...says('Y') })
    const proven = await pay()
    await add({}, { version: '2.1.0', ...says('timeout') })
    const failed = await pay()

    expect(proven.three_d_secure).toMatchObject({ version: '2.1.0', response_data: { version: '2.1.0' } })
    expect(failed.three_d_secure).toMatchObject({ version: '2.1.0', status: 'error', response_data: null })
  })

  const CHARGED = { status: 'authorization_succeeded', error_code: null }
  const REFUSED = { status: 'authorization_failed', error_code: 'failed_buyer_approval' }
  const DECLINED = { status: 'declined', response_data: null, error_data: null }

  test.each([
    [
      'Y',
      'approve',
      CHARGED,
      { status: 'complete', response_data: { version: '2.1.0', eci: '05' }, error_data: null },
    ],
    ['N', 'approve', REFUSED, DECLINED],
    [
      'timeout',
      'approve',
      { ...REFUSED, error_code: 'incomplete_buyer_approval' },
      { status: 'error', response_data: null, error_data: { code: '402' } },
    ],
    ['Y', 'refuse', REFUSED, DECLINED],
  ])('C, then %s when the buyer would %s', async (result, decision, ended, three_d_secure) => {
    await add({}, { version: '2.1.0', ...challenge(result) })
    const waiting = await pay()

    await decide(waiting, decision)

    expect(waiting).toMatchObject({
      status: 'buyer_approval_pending',
      three_d_secure: {
        version: '2.1.0',
        status: null,
        method: 'challenge',
        response_data: null,
        error_data: null,
      },
    })
    expect(await till.get(waiting.id)).toMatchObject({
      ...ended,
      three_d_secure: { version: '2.1.0', method: 'challenge', ...three_d_secure },
    })
    const books = await till.books(waiting.id)
    expect(books?.authorized ?? 0).toBe(ended === CHARGED ? 1000 : 0)
  })

  test('as the scenario said when the payment began, also if the scenario is gone', async () => {
    const { id } = await add({}, challenge('N'))
    const waiting = await pay()

    await service.send(`DELETE /three-ds-scenarios/${id}`)
    await decide(waiting, 'approve')

    expect((await till.get(waiting.id)).error_code).toBe('failed_buyer_approval')
  })

  test('nothing to a payment without a redirect URL: it is refused, because the card takes part', async () => {
    await add({}, says('Y'))

    const paid = await pay({}, { redirect_url: undefined })

    expect(paid).toMatchObject({ status: 'authorization_failed', error_code: 'missing_redirect_url' })
    expect(await till.books(paid.id)).toBeNull()
  })
})

describe('a condition is met', () => {
  const ADA = { first_name: 'Ada', last_name: 'Byron', email_address: 'ada@example.com' }

  test.each([
    ['first_name', { first_name: 'Ada' }, guest(ADA), guest({ ...ADA, first_name: 'ada' })],
    ['last_name', { last_name: 'Byron' }, guest(ADA), guest({ ...ADA, last_name: null })],
    [
      'email_address',
      { email_address: 'ada@example.com' },
      guest(ADA),
      guest({ ...ADA, email_address: 'eve@example.com' }),
    ],
    ['amount', { amount: 1299 }, { amount: 1299 }, { amount: 1300 }],
    ['amount of zero', { amount: 0 }, { amount: 0 }, { amount: 1 }],
    ['amount to authenticate', { amount: 900 }, { three_d_secure: { amount: 900 } }, { amount: 901 }],
    [
      'external_identifier',
      { external_identifier: 'buyer-1' },
      guest({}, { external_identifier: 'buyer-1' }),
      guest({}, { external_identifier: 'buyer-2' }),
    ],
    [
      'card_number',
      { card_number: CARD.number },
      {},
      { payment_method: { ...CARD, number: '5555555555554444', redirect_url: BACK } },
    ],
  ])('by %s, and by no other payment', async (_what, conditions, fits, differs) => {
    await add(conditions, says('N'))

    const met = await pay(fits)
    const unmet = await pay(differs)

    expect(met.three_d_secure).toMatchObject({ status: 'declined' })
    expect(unmet.three_d_secure).toMatchObject({ status: 'error', error_data: { code: '305' } })
  })

  test('by a stored card and its owner', async () => {
    const buyer = await service.send('POST /buyers', {
      external_identifier: 'owner-1',
      billing_details: { first_name: 'Owner' },
    })
    const stored = await service.send('POST /payment-methods', {
      method: 'card',
      number: CARD.number,
      expiration_date: '12/40',
      buyer_id: buyer.json().id,
    })
    await add({ card_number: CARD.number, external_identifier: 'owner-1', first_name: 'Owner' }, says('R'))

    const paid = await till.pay({
      payment_method: { method: 'id', id: stored.json().id, redirect_url: BACK },
    })

    expect(paid.three_d_secure).toMatchObject({ status: 'declined' })
  })

  test('only in the same merchant account', async () => {
    await service.send('POST /merchant-accounts', { id: 'elsewhere', display_name: 'Elsewhere' })
    await service.send(
      'POST /three-ds-scenarios',
      { conditions: {}, outcome: says('N') },
      { account: 'elsewhere' },
    )

    const paid = await pay()

    expect(paid.status).toBe('authorization_succeeded')
  })
})

describe('of several scenarios', () => {
  test('the one with the most conditions applies, though another is newer', async () => {
    await add({ amount: 1000, card_number: CARD.number }, says('N'))
    await add({ amount: 1000 }, says('Y'))
    await add({}, says('Y'))

    expect((await pay()).three_d_secure).toMatchObject({ status: 'declined' })
  })

  test('one with more conditions does not apply if one of them is not met', async () => {
    await add({ amount: 1000, first_name: 'Ada' }, says('N'))
    await add({ amount: 1000 }, says('Y'))

    expect((await pay()).three_d_secure).toMatchObject({ status: 'complete' })
  })

  test('with as many conditions, the newest applies; a change makes none newer', async () => {
    const older = await add({ amount: 1000 }, says('N'))
    await add({ card_number: CARD.number }, says('Y'))
    await service.send(`PUT /three-ds-scenarios/${older.id}`, { outcome: says('R') })

    expect((await pay()).three_d_secure).toMatchObject({ status: 'complete' })
  })

  test('none applies to a test card, which answers as before', async () => {
    await add({ amount: 1 }, says('N'))

    const paid = await pay({}, { number: '4111111111103019' })

    expect(paid.three_d_secure).toMatchObject({ response_data: { directory_response: 'A' } })
  })

  test('one that applies goes before a test card', async () => {
    await add({ card_number: '4111111111101203' }, says('N'))

    const paid = await pay({}, { number: '4111111111101203' })

    expect(paid.three_d_secure).toMatchObject({ status: 'declined' })
  })
})

test('production refuses all four operations, and says why', async () => {
  const production = await startTestService({ environment: 'production' })
  const id = '01900000-0000-7000-8000-0000000000ff'
  const body = { conditions: {}, outcome: says('Y') }

  const answers = [
    await production.send('GET /three-ds-scenarios'),
    await production.send('POST /three-ds-scenarios', body),
    await production.send(`PUT /three-ds-scenarios/${id}`, body),
    await production.send(`DELETE /three-ds-scenarios/${id}`),
  ]

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400])
  for (const answer of answers) expect(answer.json().message).toContain('sandbox only')
  await production.close()
})
