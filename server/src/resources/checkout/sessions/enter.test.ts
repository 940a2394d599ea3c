import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'

const CLICK_TO_PAY = {
  method: 'click-to-pay',
  merchant_transaction_id: 'order-4711',
  src_correlation_id: 'correlation',
  src_dpa_id: 'shop',
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
  await service.send('POST /buyers', { external_identifier: 'ada' })
})
afterAll(() => service.close())

const newId = async (body = {}) => (await service.send('POST /checkout/sessions', body)).json().id
const ofAda = () => newId({ buyer: { external_identifier: 'ada' } })
const enter = (id: string, payment_method: unknown, rest: object = {}) =>
  service.send(`PUT /checkout/sessions/${id}/fields`, { payment_method, ...rest }, { token: null })
const shown = async (id: string) => (await service.send(`GET /checkout/sessions/${id}`)).json().payment_method
const store = async (card: object = {}, account = 'default') =>
  (await service.send('POST /payment-methods', { ...CARD, ...card }, { account })).json()

describe('a card', () => {
  test.each(['PUT', 'POST'])('is entered by %s without a token', async (method) => {
    const id = await newId()

    const response = await service.send(
      `${method} /checkout/sessions/${id}/fields`,
      { payment_method: CARD, postal_code: 'N1 9GU' },
      { token: null },
    )

    expect(response.statusCode, response.body).toBe(204)
    expect(response.body).toBe('')
    expect(await shown(id)).toEqual({
      type: 'payment-method',
      id: null,
      details: {
        bin: '41111111',
        card_country: expect.anything(),
        card_type: expect.anything(),
        card_issuer_name: expect.anything(),
      },
      label: '1111',
      method: 'card',
      scheme: 'visa',
      fingerprint: (await store()).fingerprint,
    })
    expect((await rowOf(id)).postal_code).toBe('N1 9GU')
  })

  test('is recognized by its fields if the method is left out', async () => {
    const id = await newId()

    const response = await enter(id, { number: CARD.number, expiration_date: '12/40' })

    expect(response.statusCode, response.body).toBe(204)
    expect(await rowOf(id)).toMatchObject({ method: 'card', security_code_token: null })
  })

  test('replaces the one before, which leaves the vault with its code', async () => {
    const id = await newId()
    await enter(id, CARD, { postal_code: 'N1 9GU' })
    const first = await rowOf(id)

    await enter(id, { method: 'card', number: '5555555555554444', expiration_date: '11/41' })

    const second = await rowOf(id)
    expect(await inVault(first.number_token, first.security_code_token)).toEqual([])
    expect(await inVault(second.number_token)).toEqual(['entered-number'])
    expect(second).toMatchObject({
      label: '4444',
      scheme: 'mastercard',
      expiration_date: '11/41',
      security_code_token: null,
      security_code_expires_at: null,
      // Fields that are left out stay.
      postal_code: 'N1 9GU',
    })
  })

  test('is paid with the scheme that the buyer chose, of a card with several', async () => {
    const id = await newId()
    const card = { number: '4035501000000008', expiration_date: '12/40' }

    await enter(id, { ...card, scheme: 'carte-bancaire' })

    expect(await rowOf(id)).toMatchObject({ scheme: 'carte-bancaire', additional_schemes: ['visa'] })
    await enter(id, { ...card, scheme: null })
    expect(await rowOf(id)).toMatchObject({ scheme: 'visa', additional_schemes: ['carte-bancaire'] })
    const refused = await enter(id, { ...card, scheme: 'mastercard' })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().details).toEqual([
      {
        location: 'body',
        pointer: '/payment_method/scheme',
        type: 'value_error.const',
        message: 'must be a scheme of the card: visa or carte-bancaire',
      },
    ])
    expect(await rowOf(id)).toMatchObject({ scheme: 'visa' })
  })

  test('is sealed in the vault, its code for less than 15 minutes', async () => {
    const id = await newId()

    await enter(id, CARD)

    const row = await rowOf(id)
    expect(await inVault(row.number_token, row.security_code_token)).toEqual([
      'entered-number',
      'security-code',
    ])
    const keptMs = Number(row.security_code_expires_at) - Date.now()
    expect(keptMs).toBeGreaterThan(13 * 60_000)
    expect(keptMs).toBeLessThan(15 * 60_000)
    const access = { merchantAccountId: 'default', purpose: 'test', onReveal: async () => {} }
    const reveal = (token: string | null) =>
      service.vault.reveal(service.context.db, { ...access, token: String(token) }, async (value) =>
        value.use((bytes) => bytes.toString()),
      )
    expect(await reveal(row.number_token)).toBe(CARD.number)
    expect(await reveal(row.security_code_token)).toBe('737')
  })

  test('of two entered at once, one stays, and the other leaves the vault', async () => {
    const id = await newId()
    const numbersBefore = await countItems()

    const responses = await Promise.all([enter(id, CARD), enter(id, CARD), enter(id, CARD)])

    expect(responses.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204])
    expect(await countItems()).toBe(numbersBefore + 2)
    const row = await rowOf(id)
    expect(await inVault(row.number_token, row.security_code_token)).toHaveLength(2)
  })

  test.each<[object, [string, string][]]>([
    [{ number: '4111111111111112' }, [['number', 'value_error.luhn']]],
    [{ number: '4111' }, [['number', 'value_error.str.regex']]],
    [{ number: 4111111111111111 }, [['number', 'type_error.string']]],
    [{ number: undefined }, [['number', 'value_error.missing']]],
    [{ expiration_date: '13/40' }, [['expiration_date', 'value_error.str.regex']]],
    [{ expiration_date: '1/40' }, [['expiration_date', 'value_error.any_str.min_length']]],
    [{ expiration_date: '01/20' }, [['expiration_date', 'value_error.expired']]],
    [{ security_code: '7373' }, [['security_code', 'value_error.str.regex']]],
    [{ security_code: '73' }, [['security_code', 'value_error.str.regex']]],
    [{ number: '378282246310005' }, [['security_code', 'value_error.str.regex']]],
    [{ id: MISSING }, [['id', 'value_error.extra']]],
    [{ card_type: 'credit' }, [['card_type', 'value_error.extra']]],
    [
      { number: '4111111111111112', expiration_date: '01/20', security_code: '7373' },
      [
        ['number', 'value_error.luhn'],
        ['expiration_date', 'value_error.expired'],
        ['security_code', 'value_error.str.regex'],
      ],
    ],
    [
      { number: undefined, expiration_date: undefined, security_code: undefined },
      [
        ['number', 'value_error.missing'],
        ['expiration_date', 'value_error.missing'],
      ],
    ],
  ])('that is invalid is refused: %j', async (change, details) => {
    const id = await newId()

    const response = await enter(id, { ...CARD, ...change })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual(details.map(([field, type]) => [`/payment_method/${field}`, type]))
    expect(await shown(id)).toBeNull()
  })

  test('that is refused leaves the one before', async () => {
    const id = await newId()
    await enter(id, CARD)

    await enter(id, { ...CARD, number: '4111111111111112' })

    const row = await rowOf(id)
    expect(await inVault(row.number_token, row.security_code_token)).toHaveLength(2)
  })

  test.each(['4242', '737'])('of American Express has a code of four digits, and not %s', async (code) => {
    const response = await enter(await newId(), {
      number: '378282246310005',
      expiration_date: '12/40',
      security_code: code,
    })

    expect(response.statusCode, response.body).toBe(code.length === 4 ? 204 : 400)
  })
})

describe('a stored card', () => {
  const storeOfAda = () => store({ buyer_external_identifier: 'ada' })

  test('is entered by its id, with its code', async () => {
    const id = await ofAda()
    const stored = await storeOfAda()

    const response = await enter(id, { method: 'id', id: stored.id, security_code: '737' })

    expect(response.statusCode, response.body).toBe(204)
    expect(await shown(id)).toMatchObject({
      id: stored.id,
      label: '1111',
      scheme: 'visa',
      fingerprint: stored.fingerprint,
      details: { bin: '41111111' },
    })
    const row = await rowOf(id)
    expect(row).toMatchObject({ method: 'id', payment_method_id: stored.id, number_token: null })
    expect(await inVault(row.security_code_token)).toEqual(['security-code'])
  })

  test('is recognized by its id if the method is left out, and replaces a card', async () => {
    const id = await ofAda()
    await enter(id, CARD)
    const before = await rowOf(id)
    const stored = await storeOfAda()

    await enter(id, { id: stored.id })

    expect(await inVault(before.number_token, before.security_code_token)).toEqual([])
    expect(await rowOf(id)).toMatchObject({ payment_method_id: stored.id, label: null, bin: null })
  })

  test('that was deleted afterwards cannot pay', async () => {
    const id = await ofAda()
    const stored = await storeOfAda()
    await enter(id, { id: stored.id })

    await service.send(`DELETE /payment-methods/${stored.id}`)

    expect(await shown(id)).toBeNull()
  })

  test('that does not exist or is of another merchant account is refused', async () => {
    const foreign = await store({}, 'other')

    for (const id of [MISSING, foreign.id]) {
      const response = await enter(await ofAda(), { method: 'id', id })
      expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.not_found']])
    }
  })

  test.each([
    ['one of another buyer', { buyer: { external_identifier: 'bob' } }],
    ['one of a buyer without an external identifier', { buyer: { display_name: 'Ada' } }],
    ['one without a buyer', {}],
  ])('is not found in a session that is not its owner’s: %s', async (_which, session) => {
    const stored = await storeOfAda()
    const id = await newId(session)

    const response = await enter(id, { method: 'id', id: stored.id })

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.not_found']])
    expect(await shown(id)).toBeNull()
  })

  test('without a buyer is found only in sessions that name none', async () => {
    const unowned = await store()
    const ofBuyerWithoutReference = await store({
      buyer_id: (await service.send('POST /buyers', {})).json().id,
    })
    const nameless = [await newId(), await newId({ buyer: { display_name: 'Ada' } })]

    for (const id of nameless) {
      expect((await enter(id, { method: 'id', id: unowned.id })).statusCode).toBe(204)
      expect(await shown(id)).toMatchObject({ id: unowned.id, label: '1111' })
    }
    for (const [id, stored] of [
      [await ofAda(), unowned],
      ...[await ofAda(), ...nameless].map((session) => [session, ofBuyerWithoutReference] as const),
    ] as const) {
      const response = await enter(id, { method: 'id', id: stored.id })
      expect(pointers(response)).toEqual([['/payment_method/id', 'value_error.not_found']])
    }
  })

  test.each<[object, string, string]>([
    [{ id: 'none' }, 'id', 'type_error.uuid'],
    [{ method: 'id' }, 'id', 'value_error.missing'],
    [{ method: 'id', id: MISSING, number: '4111111111111111' }, 'number', 'value_error.extra'],
  ])('is refused as %j', async (method, field, type) => {
    const response = await enter(await newId(), method)

    expect(pointers(response)).toEqual([[`/payment_method/${field}`, type]])
  })

  test('has a security code of its scheme’s length', async () => {
    const stored = await storeOfAda()

    const response = await enter(await ofAda(), { id: stored.id, security_code: '7373' })

    expect(pointers(response)).toEqual([['/payment_method/security_code', 'value_error.str.regex']])
  })
})

describe('Click to Pay', () => {
  test('is stored unchanged', async () => {
    const id = await newId()

    const response = await enter(id, CLICK_TO_PAY)

    expect(response.statusCode, response.body).toBe(204)
    expect(await rowOf(id)).toMatchObject({ method: 'click-to-pay', click_to_pay: CLICK_TO_PAY })
    expect(await shown(id)).toEqual({
      type: 'payment-method',
      id: null,
      details: null,
      label: null,
      method: 'card',
      scheme: null,
      fingerprint: null,
    })
  })

  test('is recognized by its fields, and lacks required ones', async () => {
    const response = await enter(await newId(), { src_dpa_id: 'shop', src_cx_flow_id: null })

    expect(pointers(response)).toEqual([
      ['/payment_method/merchant_transaction_id', 'value_error.missing'],
      ['/payment_method/src_correlation_id', 'value_error.missing'],
    ])
  })
})

test.each<[unknown, string, string]>([
  [{ payment_method: { ...CARD, method: 'paypal' } }, '/payment_method/method', 'type_error.enum'],
  [{ payment_method: { ...CARD, method: 'toString' } }, '/payment_method/method', 'type_error.enum'],
  [{ payment_method: { ...CARD, method: null } }, '/payment_method/method', 'type_error.string'],
  [{ payment_method: null }, '/payment_method', 'type_error.object'],
  [{ payment_method: 'card' }, '/payment_method', 'type_error.object'],
  [{ payment_method: [CARD] }, '/payment_method', 'type_error.object'],
  [{}, '/payment_method', 'value_error.missing'],
  [{ payment_method: CARD, postal_code: '' }, '/postal_code', 'value_error.any_str.min_length'],
  [{ payment_method: CARD, postal_code: 'x'.repeat(51) }, '/postal_code', 'value_error.any_str.max_length'],
])('refuses %j', async (body, pointer, type) => {
  const response = await service.send(`PUT /checkout/sessions/${await newId()}/fields`, body, { token: null })

  expect(response.statusCode).toBe(400)
  expect(pointers(response)).toEqual([[pointer, type]])
})

test('accepts nothing while a payment is under way', async () => {
  const id = await newId()
  await enter(id, CARD)
  await service.context.db
    .updateTable('checkout_sessions')
    .set({ transaction_id: MISSING })
    .where('id', '=', id)
    .execute()
  const before = await rowOf(id)

  const response = await enter(id, { ...CARD, number: '5555555555554444' })

  expect(response.statusCode).toBe(425)
  expect(response.json()).toMatchObject({
    code: 'too_early',
    details: [{ message: 'A payment is under way' }],
  })
  expect(await rowOf(id)).toEqual(before)
})

test('no table holds a number or a code in the clear', async () => {
  const number = '4929120000017778'
  const code = '917'
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const body = { payment_method: { ...CARD, number, security_code: code } }
  for (const method of ['POST', 'PUT']) {
    const id = await newId()
    const response = await service.send(`${method} /checkout/sessions/${id}/fields`, body, {
      token: null,
      headers,
    })
    expect(response.statusCode).toBe(204)
  }
  await enter(await newId(), { ...body.payment_method, expiration_date: '01/20' })

  const columns = await sql<{ table: string; column: string }>`
    select format('%I.%I', table_schema, table_name) as table, column_name as column
    from information_schema.columns
    where table_schema in ('public', 'vault') and data_type in ('text', 'jsonb', 'bytea', 'ARRAY')
  `.execute(service.context.db)
  expect(columns.rows.length).toBeGreaterThan(50)
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const pattern = `${number}|${hex(number)}|\\m${code}\\M|${hex(`"${code}"`)}`
  for (const { table, column } of columns.rows) {
    const found = await sql
      .raw<{ value: string }>(
        `select "${column}"::text as value from ${table} where "${column}"::text ~ '${pattern}'`,
      )
      .execute(service.context.db)
    expect(found.rows, `${table}.${column}`).toEqual([])
  }
})

async function rowOf(id: string) {
  return service.context.db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** The fields in the vault under these tokens. */
async function inVault(...tokens: (string | null)[]): Promise<string[]> {
  const { rows } = await service.database.pool.query(
    'select field from vault.items where token = any($1::uuid[]) order by field',
    [tokens],
  )
  return rows.map(({ field }) => field)
}

async function countItems(): Promise<number> {
  const { rows } = await service.database.pool.query('select count(*)::integer as count from vault.items')
  return rows[0].count
}
