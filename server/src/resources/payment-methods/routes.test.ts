import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { MISSING, pointers } from '#testing/answers.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import { CARD } from '#testing/till.ts'
import * as uses from './uses/store.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other', display_name: 'Other' })
})
afterAll(() => service.close())

const create = (body: object = {}, options = {}) =>
  service.send('POST /payment-methods', { ...CARD, ...body }, options)
const list = async (query: string) => (await service.send(`GET /payment-methods?${query}`)).json().items
const addBuyer = async (body: object = {}, account = 'default') =>
  (await service.send('POST /buyers', { display_name: 'Ada', ...body }, { account })).json()

describe('storing a card', () => {
  test.each([
    'data:application/json;base64,e30=',
    'myapp:paid',
    'com.example.app://return',
    'urn:isbn:0451450523',
  ])('takes %s as the address to return to', async (redirect_url) => {
    const response = await create({ redirect_url })

    expect(response.statusCode, response.body).toBe(201)
  })

  test('answers with the visible part of the card only', async () => {
    const buyer = await addBuyer()

    const response = await create({
      external_identifier: 'card-1',
      buyer_id: buyer.id,
      redirect_url: 'https://shop.example.com/back',
    })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toEqual({
      type: 'payment-method',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      merchant_account_id: 'default',
      method: 'card',
      mode: 'card',
      status: 'succeeded',
      label: '1111',
      scheme: 'visa',
      additional_schemes: null,
      expiration_date: '12/40',
      details: { bin: '41111111', card_type: expect.anything(), card_issuer_name: expect.anything() },
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      buyer,
      external_identifier: 'card-1',
      approval_url: null,
      approval_target: null,
      country: null,
      currency: null,
      has_replacement: false,
      last_replaced_at: null,
      usage_count: 0,
      last_used_at: null,
      cit_usage_count: 0,
      cit_last_used_at: null,
      scheme_transaction_id: null,
      scheme_transaction_id_scheme: null,
      transaction_link_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect(response.body).not.toContain(CARD.number)
    expect((await service.send(`GET /payment-methods/${response.json().id}`)).json()).toEqual(response.json())
  })

  test('for a buyer named by the caller’s own reference', async () => {
    await addBuyer({ external_identifier: 'buyer-7' })

    const response = await create({ buyer_external_identifier: 'buyer-7' })

    expect(response.json().buyer.external_identifier).toBe('buyer-7')
  })

  test('accepts the caller’s card type', async () => {
    expect((await create({ card_type: 'prepaid' })).json().details.card_type).toBe('prepaid')
  })

  test.each([
    ['12 digits', { number: '411111111111' }, '/number', 'value_error.str.regex'],
    ['20 digits', { number: '41111111111111111111' }, '/number', 'value_error.str.regex'],
    ['letters', { number: '4111-1111-1111-1111' }, '/number', 'value_error.str.regex'],
    ['a wrong check digit', { number: '4111111111111112' }, '/number', 'value_error.luhn'],
    ['a number as a number', { number: 4111111111111111 }, '/number', 'type_error.string'],
    ['month 13', { expiration_date: '13/30' }, '/expiration_date', 'value_error.str.regex'],
    ['month 00', { expiration_date: '00/30' }, '/expiration_date', 'value_error.str.regex'],
    [
      'a month of one digit',
      { expiration_date: '1/30' },
      '/expiration_date',
      'value_error.any_str.min_length',
    ],
    ['a date that has passed', { expiration_date: '10/26' }, '/expiration_date', 'value_error.expired'],
    ['a year of the past century', { expiration_date: '12/99' }, '/expiration_date', 'value_error.expired'],
    ['a code of 2 digits', { security_code: '12' }, '/security_code', 'value_error.str.regex'],
    ['a code of 5 digits', { security_code: '12345' }, '/security_code', 'value_error.str.regex'],
    ['another method', { method: 'cowries' }, '/method', 'type_error.enum'],
    [
      'an empty reference',
      { external_identifier: '' },
      '/external_identifier',
      'value_error.any_str.min_length',
    ],
    [
      'a reference that is too long',
      { external_identifier: 'x'.repeat(201) },
      '/external_identifier',
      'value_error.any_str.max_length',
    ],
    ['a URL that is none', { redirect_url: 'not a url' }, '/redirect_url', 'value_error.url'],
    ['a script as URL', { redirect_url: 'JavaScript:alert(1)' }, '/redirect_url', 'value_error.url'],
    ['an unknown buyer', { buyer_id: MISSING }, '/buyer_id', 'value_error.not_found'],
    [
      'an unknown reference of a buyer',
      { buyer_external_identifier: 'nobody' },
      '/buyer_external_identifier',
      'value_error.not_found',
    ],
    [
      'both buyer fields',
      { buyer_id: MISSING, buyer_external_identifier: 'x' },
      '/buyer_external_identifier',
      'value_error.conflict',
    ],
  ])('refuses %s, stores nothing and repeats no digit', async (_name, change, pointer, type) => {
    const before = await storedItems()

    const response = await create(change)

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response)).toEqual([[pointer, type]])
    expect(response.body).not.toMatch(/\d{9}/)
    expect(await storedItems()).toBe(before)
  })

  test('names a wrong number and a wrong date together', async () => {
    const response = await create({ number: '4111111111111112', expiration_date: '01/20' })

    expect(pointers(response)).toEqual([
      ['/number', 'value_error.luhn'],
      ['/expiration_date', 'value_error.expired'],
    ])
  })

  test('refuses a deleted buyer and another merchant’s', async () => {
    const deleted = await addBuyer()
    await service.send(`DELETE /buyers/${deleted.id}`)
    const foreign = await addBuyer({}, 'other')

    for (const buyer_id of [deleted.id, foreign.id]) {
      expect(pointers(await create({ buyer_id }))).toEqual([['/buyer_id', 'value_error.not_found']])
    }
  })

  test('stores only one of twenty with the same reference at once', async () => {
    const before = await storedItems()

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create({ external_identifier: 'race' })),
    )

    const created = answers.filter(({ statusCode }) => statusCode === 201)
    const refused = answers.filter(({ statusCode }) => statusCode === 409)
    expect([created.length, refused.length]).toEqual([1, 19])
    expect(new Set(refused.map((answer) => answer.json().resource_id))).toEqual(
      new Set([created[0]?.json().id]),
    )
    expect(await storedItems()).toBe(before + 1)
  })

  test('the same card stored twice gives two methods with one fingerprint, in every account', async () => {
    const [first, second, elsewhere] = [
      (await create()).json(),
      (await create()).json(),
      (await create({}, { account: 'other' })).json(),
    ]
    const another = (await create({ number: '5555555555554444' })).json()

    expect(first.id).not.toBe(second.id)
    expect(new Set([first.fingerprint, second.fingerprint, elsewhere.fingerprint]).size).toBe(1)
    expect(another.fingerprint).not.toBe(first.fingerprint)
    expect(another.scheme).toBe('mastercard')
  })

  test('a reference may be used again in another account, and after its method is deleted', async () => {
    const first = (await create({ external_identifier: 'again' })).json()
    expect((await create({ external_identifier: 'again' }, { account: 'other' })).statusCode).toBe(201)

    await service.send(`DELETE /payment-methods/${first.id}`)

    expect((await create({ external_identifier: 'again' })).statusCode).toBe(201)
  })
})

describe('listing', () => {
  test('filters by buyer, by reference and by status, alone and together', async () => {
    const buyer = await addBuyer({ external_identifier: 'lister' })
    const one = (await create({ buyer_id: buyer.id, external_identifier: 'lister-1' })).json()
    const two = (await create({ buyer_id: buyer.id })).json()

    expect(await list(`buyer_id=${buyer.id}`)).toEqual([two, one])
    expect(await list('buyer_external_identifier=lister')).toEqual([two, one])
    expect(await list('external_identifier=lister-1')).toEqual([one])
    expect(await list(`buyer_id=${buyer.id}&status=failed&status=processing&status=paused`)).toEqual([])
    expect(await list(`buyer_id=${buyer.id}&status=succeeded&external_identifier=lister-1`)).toEqual([one])
    expect(await list(`buyer_id=${MISSING}`)).toEqual([])
  })

  test('finds the same card of several buyers by its fingerprint', async () => {
    const number = '4000056655665556'
    const [one, two] = [await addBuyer(), await addBuyer()]
    const first = (await create({ number, buyer_id: one.id })).json()
    const second = (await create({ number, buyer_id: two.id })).json()
    const deleted = (await create({ number, buyer_id: two.id })).json()
    await service.send(`DELETE /payment-methods/${deleted.id}`)

    const found = await list(`fingerprint=${first.fingerprint}`)
    expect(found).toEqual(expect.arrayContaining([first, second]))
    expect(found.every(({ fingerprint }: { fingerprint: string }) => fingerprint === first.fingerprint)).toBe(
      true,
    )
    expect(found.map(({ id }: { id: string }) => id)).not.toContain(deleted.id)
    expect(await list(`fingerprint=${first.fingerprint}&buyer_id=${two.id}`)).toEqual([second])
    expect(await list(`fingerprint=${'0'.repeat(64)}`)).toEqual([])
  })

  test.each([
    ['buyer_id=x', '/buyer_id'],
    ['status=gone', '/status/0'],
    ['limit=101', '/limit'],
    ['external_identifier=', '/external_identifier'],
    [`fingerprint=${'A'.repeat(64)}`, '/fingerprint'],
    ['fingerprint=4111111111111111', '/fingerprint'],
    ['buyer_external_identifier=', '/buyer_external_identifier'],
  ])('refuses %s', async (query, pointer) => {
    const response = await service.send(`GET /payment-methods?${query}`)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0]).toMatchObject({ location: 'query', pointer })
  })

  test('keeps accounts apart, and spans them on request', async () => {
    const foreign = (await create({ external_identifier: 'spanning' }, { account: 'other' })).json()

    expect(await list('external_identifier=spanning')).toEqual([])
    const spanning = await service.send('GET /payment-methods?external_identifier=spanning', undefined, {
      account: '*',
    })
    expect(spanning.json().items).toEqual([foreign])
    expect((await service.send(`GET /payment-methods/${foreign.id}`)).statusCode).toBe(404)
  })
})

describe('updating', () => {
  test('changes the date, the scheme’s id and the link', async () => {
    const { id } = (await create()).json()
    const update = async (body: object) => (await service.send(`PUT /payment-methods/${id}`, body)).json()

    expect(await update({ expiration_date: '01/41' })).toMatchObject({
      expiration_date: '01/41',
      scheme_transaction_id: null,
    })
    expect(await update({ scheme_transaction_id: 's-1' })).toMatchObject({
      scheme_transaction_id: 's-1',
      scheme_transaction_id_scheme: 'visa',
    })
    expect(await update({ scheme_transaction_id_scheme: 'star', transaction_link_id: 'l-1' })).toMatchObject({
      scheme_transaction_id: 's-1',
      scheme_transaction_id_scheme: 'star',
      transaction_link_id: 'l-1',
    })
    expect(await update({ expiration_date: null })).toMatchObject({ expiration_date: '01/41' })
    expect(await update({ scheme_transaction_id: null, transaction_link_id: null })).toMatchObject({
      scheme_transaction_id: null,
      scheme_transaction_id_scheme: null,
      transaction_link_id: null,
    })
  })

  test.each([
    [{ expiration_date: '13/40' }, '/expiration_date'],
    [{ expiration_date: '10/26' }, '/expiration_date'],
    [{ scheme_transaction_id: 'x'.repeat(101) }, '/scheme_transaction_id'],
    [{ scheme_transaction_id_scheme: 'vista' }, '/scheme_transaction_id_scheme'],
    [{ number: CARD.number }, '/number'],
  ])('refuses %j', async (change, pointer) => {
    const { id } = (await create()).json()

    const response = await service.send(`PUT /payment-methods/${id}`, change)

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].pointer).toBe(pointer)
  })
})

describe('deleting', () => {
  test('removes the number from the vault, hides the method and keeps its row', async () => {
    const before = await storedItems()
    const { id } = (await create()).json()

    const response = await service.send(`DELETE /payment-methods/${id}`)

    expect(response.statusCode).toBe(204)
    expect(await storedItems()).toBe(before)
    expect((await service.send(`GET /payment-methods/${id}`)).statusCode).toBe(404)
    expect((await service.send(`DELETE /payment-methods/${id}`)).statusCode).toBe(404)
    const row = await service.context.db
      .selectFrom('payment_methods')
      .select(['label', 'vault_token'])
      .where('id', '=', id)
      .executeTakeFirst()
    expect(row).toEqual({ label: '1111', vault_token: null })
  })

  test('methods of a deleted buyer stay, without an owner', async () => {
    const buyer = await addBuyer()
    const { id } = (await create({ buyer_id: buyer.id })).json()

    await service.send(`DELETE /buyers/${buyer.id}`)

    expect((await service.send(`GET /payment-methods/${id}`)).json().buyer).toBeNull()
  })
})

describe('a browser token', () => {
  const embed = (pinned: object) => signToken(service.admin, { scopes: ['embed'], embed: pinned })

  test('sees only the methods of its own buyer', async () => {
    const [own, other] = [await addBuyer({ external_identifier: 'own' }), await addBuyer()]
    const method = (await create({ buyer_id: own.id })).json()
    await create({ buyer_id: other.id })
    const ask = async (query: string, pinned: object) =>
      service.send(`GET /buyers/payment-methods${query}`, undefined, { token: await embed(pinned) })

    expect((await ask('', { buyer_id: own.id })).json().items).toMatchObject([{ id: method.id }])
    expect((await ask('', { buyer_external_identifier: 'own' })).json().items).toMatchObject([
      { id: method.id },
    ])
    expect((await ask(`?buyer_id=${own.id}`, { buyer_id: own.id })).statusCode).toBe(200)
    const contradiction = await ask(`?buyer_id=${other.id}`, { buyer_id: own.id })
    expect(contradiction.statusCode).toBe(400)
    expect(pointers(contradiction)).toEqual([['/buyer_id', 'value_error.conflict']])
    const both = { buyer_id: own.id.toUpperCase(), buyer_external_identifier: 'own' }
    expect((await ask('', both)).json().items).toMatchObject([{ id: method.id }])
    expect((await ask('', {})).statusCode).toBe(400)
    expect((await ask(`?buyer_id=${own.id}`, {})).statusCode).toBe(403)
    expect((await ask('?buyer_external_identifier=own', { buyer_id: other.id })).statusCode).toBe(400)
  })

  test('deletes only the methods of its own buyer', async () => {
    const [own, other] = [await addBuyer(), await addBuyer()]
    const [mine, theirs, unowned] = [
      (await create({ buyer_id: own.id })).json(),
      (await create({ buyer_id: other.id })).json(),
      (await create()).json(),
    ]
    const remove = async (id: string, pinned: object) =>
      (await service.send(`DELETE /payment-methods/${id}`, undefined, { token: await embed(pinned) }))
        .statusCode

    expect(await remove(theirs.id, { buyer_id: own.id })).toBe(404)
    expect(await remove(unowned.id, { buyer_id: own.id })).toBe(404)
    expect(await remove(unowned.id, {})).toBe(404)
    expect(await remove(mine.id, { buyer_id: own.id })).toBe(204)
  })

  test('acts on the merchant account it pins', async () => {
    const buyer = await addBuyer({}, 'other')
    const token = await embed({ buyer_id: buyer.id, merchant_account_id: 'other' })

    const own = await service.send('GET /buyers/payment-methods', undefined, { token })
    const contradiction = await service.send('GET /buyers/payment-methods', undefined, {
      token,
      account: 'default',
    })

    expect(own.statusCode, own.body).toBe(200)
    expect(contradiction.statusCode).toBe(400)
  })

  test('sees the card details only of its own buyer’s methods', async () => {
    const [own, other] = [await addBuyer(), await addBuyer()]
    const [mine, theirs] = [
      (await create({ buyer_id: own.id })).json(),
      (await create({ buyer_id: other.id })).json(),
    ]
    const ask = async (id: string) =>
      service.send(`GET /card-details?currency=EUR&payment_method_id=${id}`, undefined, {
        token: await embed({ buyer_id: own.id }),
      })

    expect((await ask(mine.id)).statusCode).toBe(200)
    expect((await ask(theirs.id)).statusCode).toBe(400)
  })

  test('cannot store or list cards', async () => {
    const token = await embed({})

    expect((await create({}, { token })).statusCode).toBe(403)
    expect((await service.send('GET /payment-methods', undefined, { token })).statusCode).toBe(403)
  })
})

describe('uses', () => {
  const use = (paymentMethodId: string, isClientInitiated: boolean) =>
    inTransaction(service.context, (tx) => uses.record(tx, { paymentMethodId, isClientInitiated }))

  test('are counted at once, and stay the same when they are summed up', async () => {
    const { id } = (await create()).json()
    const read = async () => {
      const { usage_count, cit_usage_count, last_used_at, cit_last_used_at } = (
        await service.send(`GET /payment-methods/${id}`)
      ).json()
      return { usage_count, cit_usage_count, last_used_at, cit_last_used_at }
    }

    await Promise.all(Array.from({ length: 40 }, (_, index) => use(id, index % 4 === 0)))
    const pending = await read()
    await uses.addUpUses(service.context)
    const added = await read()
    await use(id, false)

    expect(pending).toMatchObject({ usage_count: 40, cit_usage_count: 10 })
    expect(pending.last_used_at).not.toBeNull()
    expect(added).toEqual(pending)
    expect(await read()).toMatchObject({
      usage_count: 41,
      cit_usage_count: 10,
      cit_last_used_at: added.cit_last_used_at,
    })
  })

  test('never seem to decrease while they are summed up', async () => {
    const { id } = (await create()).json()
    let isRunning = true
    const writing = (async () => {
      while (isRunning) await use(id, true)
    })()
    const adding = (async () => {
      while (isRunning) await uses.addUpUses(service.context)
    })()

    let last = 0
    for (let turn = 0; turn < 150; turn += 1) {
      const { usage_count } = (await service.send(`GET /payment-methods/${id}`)).json()
      expect(usage_count).toBeGreaterThanOrEqual(last)
      last = usage_count
    }
    isRunning = false
    await Promise.all([writing, adding])
    expect(last).toBeGreaterThan(0)
  })

  test('that several processes sum up at once are counted once', async () => {
    const { id } = (await create()).json()
    for (let count = 0; count < 30; count += 1) await use(id, true)

    await Promise.all(Array.from({ length: 5 }, () => uses.addUpUses(service.context)))

    expect((await service.send(`GET /payment-methods/${id}`)).json().usage_count).toBe(30)
    const left = await sql<{ count: string }>`select count(*) from payment_method_uses`.execute(
      service.context.db,
    )
    expect(left.rows[0]?.count).toBe('0')
  })

  test('sort a buyer’s methods, the unused last', async () => {
    const buyer = await addBuyer()
    const [once, twice, never] = [
      (await create({ buyer_id: buyer.id })).json().id,
      (await create({ buyer_id: buyer.id })).json().id,
      (await create({ buyer_id: buyer.id })).json().id,
    ]
    await use(once, false)
    await use(twice, true)
    await use(twice, false)
    const order = async (query: string) =>
      (await service.send(`GET /buyers/payment-methods?buyer_id=${buyer.id}${query}`))
        .json()
        .items.map(({ id }: { id: string }) => id)

    expect(await order('')).toEqual([never, twice, once])
    expect(await order('&sort_by=usage_count')).toEqual([twice, once, never])
    expect(await order('&sort_by=usage_count&order_by=asc')).toEqual([never, once, twice])
    expect(await order('&sort_by=cit_last_used_at')).toEqual([twice, never, once])
  })
})

async function storedItems(): Promise<number> {
  const found = await sql<{ count: string }>`select count(*) from vault.items`.execute(service.context.db)
  return Number(found.rows[0]?.count)
}

test('subscribers are told of a method that is updated and deleted, as the API shows it', async () => {
  const { id } = (await create({ external_identifier: 'told', buyer_id: (await addBuyer()).id })).json()
  const updated = (await service.send(`PUT /payment-methods/${id}`, { expiration_date: '11/41' })).json()
  await service.send(`DELETE /payment-methods/${id}`)
  await service.send(`DELETE /payment-methods/${id}`)

  const { items } = (await service.send(`GET /events?target_id=${id}`)).json()

  expect(items).toMatchObject([
    { name: 'payment-method.deleted', merchant_account_id: 'default', target: updated },
    { name: 'payment-method.updated', merchant_account_id: 'default', target: updated },
  ])
  expect(updated.expiration_date).toBe('11/41')
})
