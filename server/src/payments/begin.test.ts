import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addUpUses } from '#resources/payment-methods/uses/store.ts'
import { type SendOptions, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD, order } from '#testing/till.ts'

const MINUTE_MS = 60_000

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'without-services', display_name: 'New' })
})
afterAll(() => service.close())

const pay = (body?: object, options?: SendOptions) => order(service, body, options)
const addBuyer = async () => (await service.send('POST /buyers', { display_name: 'Ada' })).json().id
const store = async (card: object = {}) =>
  (await service.send('POST /payment-methods', { ...CARD, ...card })).json().id
const method = async (id: string) => (await service.send(`GET /payment-methods/${id}`)).json()
const rows = async (query: string, values: unknown[] = []) =>
  (await service.database.pool.query(query, values)).rows

/** What the vault holds, by field. */
async function vaulted(): Promise<Record<string, number>> {
  const counts = await rows(
    "select regexp_replace(field, '^entered-| of .*$', '', 'g') as field, count(*)::integer as count from vault.items group by 1",
  )
  return Object.fromEntries(counts.map(({ field, count }) => [field, count]))
}
/** Cards of payments that are not decided yet. */
const held = async () => (await rows('select transaction_id from transaction_cards')).length
const storedCount = async () => (await rows('select id from payment_methods where deleted_at is null')).length

describe('a card that is to be stored', () => {
  test('is stored once the payment is approved, without its code', async () => {
    const buyer = await addBuyer()
    const before = await vaulted()

    const transaction = (
      await pay({
        store: true,
        buyer_id: buyer,
        payment_method: { ...CARD, external_identifier: 'kept-1', card_type: 'debit' },
      })
    ).json()

    const { id } = transaction.payment_method
    expect(transaction).toMatchObject({
      status: 'authorization_succeeded',
      payment_method: { external_identifier: 'kept-1', details: { card_type: 'debit' } },
    })
    expect(await method(id)).toMatchObject({
      status: 'succeeded',
      label: '1111',
      scheme: 'visa',
      expiration_date: '12/40',
      details: { bin: '41111111', card_type: 'debit' },
      external_identifier: 'kept-1',
      buyer: { id: buyer },
      fingerprint: transaction.payment_method.fingerprint,
      scheme_transaction_id: transaction.scheme_transaction_id,
      usage_count: 1,
      cit_usage_count: 1,
    })
    const listed = (await service.send(`GET /buyers/payment-methods?buyer_id=${buyer}`)).json()
    expect(listed.items).toMatchObject([{ id }])
    expect(await vaulted()).toEqual({ ...before, number: (before['number'] ?? 0) + 1 })
    expect(await held()).toBe(0)
    const trail = await rows('select action, actor_name from audit_logs where resource_id = $1', [id])
    expect(trail).toEqual([{ action: 'created', actor_name: 'Test key' }])
  })

  test('can pay from then on', async () => {
    const { id } = (await pay({ store: true })).json().payment_method

    const again = await pay({ payment_method: { method: 'id', id }, payment_source: 'card_on_file' })

    expect(again.json()).toMatchObject({ status: 'authorization_succeeded', payment_method: { id } })
  })

  test.each([
    ['declined', { amount: 200011 }, 'default'],
    ['failed', { amount: 400001 }, 'default'],
    ['tried by no service', {}, 'without-services'],
  ])('is gone when the payment is %s', async (_what, body, account) => {
    const before = [await vaulted(), await storedCount()]

    const transaction = (await pay({ store: true, ...body }, { account })).json()

    expect(transaction.status).toMatch(/^authorization_(declined|failed)$/)
    expect(transaction.payment_method.id).toBeNull()
    expect([await vaulted(), await storedCount()]).toEqual(before)
    expect(await held()).toBe(0)
  })

  test('waits in the vault for an answer that was lost, and its code does not', async () => {
    const before = await vaulted()
    const fault = { on: 'authorize', kind: 'lose-answer' }

    const { id, status, payment_method } = (
      await pay({ store: true, connection_options: { 'mock-card': { fault } } })
    ).json()

    expect([status, payment_method.id]).toEqual(['processing', null])
    expect(await vaulted()).toEqual({ ...before, number: (before['number'] ?? 0) + 1 })
    expect(await held()).toBe(1)
    service.moveClock(2 * MINUTE_MS)
    await service.resolveDue()
    service.moveClock(-2 * MINUTE_MS)
    const transaction = (await service.send(`GET /transactions/${id}`)).json()
    expect(transaction).toMatchObject({
      status: 'authorization_succeeded',
      payment_method: { id: expect.any(String) },
    })
    expect(await held()).toBe(0)
    expect(await method(transaction.payment_method.id)).toMatchObject({ label: '1111' })
  })

  test('whose reference is taken is refused before any payment', async () => {
    const twin = await store({ external_identifier: 'taken' })
    const before = await rows('select count(*) from simulator.entries')

    const response = await pay({ store: true, payment_method: { ...CARD, external_identifier: 'taken' } })

    expect(response.statusCode).toBe(409)
    expect(response.json()).toMatchObject({
      code: 'duplicate_record',
      resource_id: twin,
      details: [{ pointer: '/payment_method/external_identifier', type: 'value_error.duplicate' }],
    })
    expect(await rows('select count(*) from simulator.entries')).toEqual(before)
  })

  test('of several at once with one reference, all are paid and one gets it', async () => {
    const body = { store: true, payment_method: { ...CARD, external_identifier: 'raced' } }

    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(body)))

    const made = answers.filter(({ statusCode }) => statusCode === 201)
    expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(6 - made.length)
    const methods = await Promise.all(made.map((answer) => method(answer.json().payment_method.id)))
    const references = methods.map(({ external_identifier }) => external_identifier)
    expect(references.filter((reference) => reference === 'raced')).toHaveLength(1)
    expect(await held()).toBe(0)
  })

  test('is not stored unless the request says so', async () => {
    const before = [await vaulted(), await storedCount()]

    const transaction = (await pay({ payment_method: { ...CARD, external_identifier: 'unkept' } })).json()

    expect(transaction.payment_method.id).toBeNull()
    expect([await vaulted(), await storedCount()]).toEqual(before)
  })
})

describe('a stored card counts its uses', () => {
  test('also declined ones, and the buyer’s own separately', async () => {
    const id = await store()
    const use = (body: object) => pay({ payment_method: { method: 'id', id }, ...body })
    expect(await method(id)).toMatchObject({ usage_count: 0, last_used_at: null })

    await use({})
    await use({ amount: 200011 })
    await use({ payment_source: 'card_on_file', merchant_initiated: true, is_subsequent_payment: true })

    const counted = {
      usage_count: 3,
      cit_usage_count: 2,
      last_used_at: expect.any(String),
      cit_last_used_at: expect.any(String),
    }
    expect(await method(id)).toMatchObject(counted)
    await addUpUses(service.context)
    expect(await method(id)).toMatchObject(counted)
  })

  test('but not refused requests', async () => {
    const id = await store()

    await pay({ amount: 0, intent: 'capture', payment_method: { method: 'id', id } })
    await pay({ buyer_id: await addBuyer(), shipping_details_id: id, payment_method: { method: 'id', id } })

    expect(await method(id)).toMatchObject({ usage_count: 0 })
  })
})

async function newSession(payment_method: object = CARD): Promise<string> {
  const { id } = (await service.send('POST /checkout/sessions')).json()
  const body = { payment_method }
  const response = await service.send(`PUT /checkout/sessions/${id}/fields`, body, { token: null })
  expect(response.statusCode, response.body).toBe(204)
  return id
}

describe('the card of a checkout session', () => {
  const paySession = (id: string, body: object = {}, more: object = {}) =>
    pay({ payment_method: { method: 'checkout-session', id, ...more }, ...body })
  const tokensOf = async (id: string) =>
    (
      await rows(
        'select number_token, security_code_token, transaction_id from checkout_sessions where id = $1',
        [id],
      )
    )[0]

  test('leaves the vault when it has paid', async () => {
    const before = await vaulted()
    const session = await newSession()

    const { id } = (await paySession(session)).json()

    expect(await vaulted()).toEqual(before)
    expect(await tokensOf(session)).toEqual({
      number_token: null,
      security_code_token: null,
      transaction_id: id,
    })
    expect((await service.send(`GET /checkout/sessions/${session}`)).json().payment_method).toBeNull()
  })

  test('stays after a decline, and its code does not', async () => {
    const session = await newSession()

    await paySession(session, { amount: 200011 })

    expect(await tokensOf(session)).toEqual({
      number_token: expect.any(String),
      security_code_token: null,
      transaction_id: null,
    })
  })

  test('is kept with its code when the request was refused', async () => {
    const session = await newSession()

    const response = await paySession(session, { buyer_external_identifier: 'nobody' })

    expect(response.statusCode).toBe(400)
    expect(await tokensOf(session)).toEqual({
      number_token: expect.any(String),
      security_code_token: expect.any(String),
      transaction_id: null,
    })
  })

  test('becomes a stored card if the merchant wants it', async () => {
    const buyer = await addBuyer()
    const session = await newSession()

    const transaction = (
      await paySession(session, { store: true, buyer_id: buyer }, { external_identifier: 'from-session' })
    ).json()

    expect(await method(transaction.payment_method.id)).toMatchObject({
      label: '1111',
      external_identifier: 'from-session',
      buyer: { id: buyer },
    })
    expect(await tokensOf(session)).toMatchObject({ number_token: null, security_code_token: null })
  })

  test('cannot pay again while a first payment is open', async () => {
    const session = await newSession()
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const first = await paySession(session, { connection_options: { 'mock-card': { fault } } })
    expect(first.json().status).toBe('processing')

    const second = await paySession(session)

    expect(second.statusCode).toBe(400)
    expect(second.json().details).toMatchObject([
      { pointer: '/payment_method/id', type: 'value_error.conflict' },
    ])
  })
})

describe('the session of a browser token', () => {
  const linked = async (body: object = {}) => {
    const { id } = (await service.send('POST /checkout/sessions', body)).json()
    const token = await signToken(service.admin, { scopes: ['embed'], checkout_session_id: id })
    return { id, pay: (body: object = {}) => pay(body, { token }) }
  }
  const claimedBy = async (id: string) =>
    (await rows('select transaction_id from checkout_sessions where id = $1', [id]))[0]?.transaction_id
  const REFUSED = [{ pointer: '/checkout_session_id', type: 'value_error.conflict' }]

  test('is paid once, also when no card was entered in it', async () => {
    const session = await linked({ amount: 1299 })

    const first = await session.pay()
    const second = await session.pay()

    expect(first.json()).toMatchObject({
      status: 'authorization_succeeded',
      checkout_session_id: session.id,
    })
    expect(second.statusCode, second.body).toBe(400)
    expect(second.json().details).toMatchObject(REFUSED)
    expect(await claimedBy(session.id)).toBe(first.json().id)
  })

  test('gets only one of five concurrent payments', async () => {
    const session = await linked()

    const answers = await Promise.all(Array.from({ length: 5 }, () => session.pay()))

    const statuses = answers.map(({ statusCode }) => statusCode).toSorted()
    expect(statuses).toEqual([201, 400, 400, 400, 400])
  })

  test('may be paid again after a decline', async () => {
    const session = await linked()
    const declined = await session.pay({ amount: 200011 })
    expect(declined.json().status).toBe('authorization_declined')
    expect(await claimedBy(session.id)).toBeNull()

    const again = await session.pay()

    expect(again.json().status).toBe('authorization_succeeded')
  })

  test('cannot be paid again while a first payment is open', async () => {
    const session = await linked()
    const fault = { on: 'authorize', kind: 'lose-answer' }
    const first = await session.pay({ connection_options: { 'mock-card': { fault } } })
    expect(first.json().status).toBe('processing')

    const second = await session.pay()

    expect(second.json().details).toMatchObject(REFUSED)
  })

  test('loses its entered card when another card has paid', async () => {
    const before = await vaulted()
    const session = await linked()
    const fields = { payment_method: { ...CARD, number: '5555555555554444' } }
    await service.send(`PUT /checkout/sessions/${session.id}/fields`, fields, { token: null })

    const paid = await session.pay()
    const again = await session.pay({ payment_method: { method: 'checkout-session', id: session.id } })

    expect(paid.json()).toMatchObject({
      status: 'authorization_succeeded',
      payment_method: { label: '1111' },
    })
    expect(await vaulted()).toEqual(before)
    expect(again.json().details).toMatchObject([
      { pointer: '/payment_method/id', type: 'value_error.conflict' },
    ])
  })
})

test('number and code are never stored in the clear, however a payment ends', async () => {
  const [number, code] = ['378282246310005', '9173']
  const card = { method: 'card', number, expiration_date: '12/40', security_code: code }
  const fault = (kind: string) => ({
    connection_options: { 'mock-card': { fault: { on: 'authorize', kind } } },
  })
  const bodies: object[] = [
    {},
    { intent: 'capture' },
    { store: true },
    { amount: 200011, store: true },
    { amount: 400001 },
    { ...fault('lose-answer'), store: true },
    fault('garbage'),
    fault('unreachable'),
    {
      connection_options: { 'mock-card': { merchant_advice_code: { account_number: number, result: '1' } } },
    },
    { currency: 'USX' },
    { payment_method: { ...card, [number]: code } },
    { payment_method: { method: 'checkout-session', id: await newSession(card) } },
    { payment_method: { method: 'checkout-session', id: await newSession(card) }, amount: 200011 },
  ]

  const answers = await Promise.all(
    bodies.map((body) =>
      pay({ payment_method: card, ...body }, { headers: { 'idempotency-key': crypto.randomUUID() } }),
    ),
  )

  for (const { body } of answers) {
    expect(body).not.toContain(number)
    expect(body).not.toMatch(/(^|[^0-9a-f-])9173([^0-9a-f-]|$)/)
  }
  const tables = await rows(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(30)
  for (const { name } of tables) {
    const pattern = `${number}|(^|[^0-9a-f-])${code}([^0-9a-f-]|$)`
    expect(await rows(`select t::text from ${name} as t where t::text ~ $1`, [pattern]), name).toEqual([])
  }
})
