import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { Sealer } from '#resources/audit-logs/seal.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { verifyChain } from '#resources/audit-logs/verify.ts'
import { takeDispute } from '#resources/payment-service-reports/take-dispute.ts'
import { MISSING } from '#testing/answers.ts'
import { giftCardWith } from '#testing/gift-cards.ts'
import { PROCESSING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { type Receiver, startDelivering, startReceiver, until } from '#testing/receiver.ts'
import { openReports } from '#testing/reports.ts'
import { searchTables } from '#testing/search-tables.ts'
import { signIn } from '#testing/sign-in.ts'
import { CARD, openTill, type Till } from '#testing/till.ts'
import { eraseDue } from './erasure/erase.ts'

describe('buyers', () => {
  const BILLING = {
    first_name: 'John',
    last_name: 'Doe',
    email_address: 'john.doe@example.com',
    phone_number: '+14155550123',
    address: {
      city: 'San Jose',
      country: 'US',
      postal_code: '95113',
      state: 'California',
      state_code: 'US-CA',
      house_number_or_name: '10',
      line1: 'Stafford Apartments',
      line2: '29th Street',
      organization: 'Acme',
    },
    tax_id: { value: '12-3456789', kind: 'us.ein' },
  }

  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
    await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  })
  afterAll(() => service.close())

  const create = (body: object = {}, account?: string) =>
    service.send('POST /buyers', body, { ...(account && { account }) })
  const auditNames = async () =>
    (await service.send('GET /audit-logs?resource_type=buyer&limit=100'))
      .json()
      .items.map(
        (entry: { action: string; resource: { name: string } }) => `${entry.action} ${entry.resource.name}`,
      )

  describe('a buyer', () => {
    test('is created with an empty body, and shows every field', async () => {
      const response = await create({})

      const buyer = response.json()
      expect(response.statusCode).toBe(201)
      expect(buyer).toEqual({
        type: 'buyer',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        reconciliation_id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
        merchant_account_id: 'default',
        display_name: null,
        external_identifier: null,
        account_number: null,
        billing_details: null,
        created_at: expect.any(String),
        updated_at: buyer.created_at,
      })
    })

    test('keeps all fields, and is read back the same', async () => {
      const external_identifier = crypto.randomUUID()
      const given = {
        display_name: 'John Doe',
        external_identifier,
        account_number: '4711',
        billing_details: BILLING,
      }

      const created = (await create(given)).json()
      const read = (await service.send(`GET /buyers/${created.id}`)).json()

      expect(created).toMatchObject({
        ...given,
        billing_details: { type: 'billing-details', ...BILLING },
      })
      expect(read).toEqual(created)
    })

    test('shows every field of billing details and address, also those never set', async () => {
      const buyer = (await create({ billing_details: { address: { country: 'NL' } } })).json()

      expect(buyer.billing_details).toEqual({
        type: 'billing-details',
        first_name: null,
        last_name: null,
        email_address: null,
        phone_number: null,
        address: {
          city: null,
          country: 'NL',
          postal_code: null,
          state: null,
          state_code: null,
          house_number_or_name: null,
          line1: null,
          line2: null,
          organization: null,
        },
        tax_id: null,
      })
    })

    test('keeps fields that an update leaves out, and clears null ones', async () => {
      const external_identifier = crypto.randomUUID()
      const { id, created_at } = (
        await create({ display_name: 'A', external_identifier, billing_details: BILLING })
      ).json()
      service.moveClock(1_000)

      const renamed = (await service.send(`PUT /buyers/${id}`, { display_name: 'B' })).json()
      const cleared = (
        await service.send(`PUT /buyers/${id}`, { external_identifier: null, billing_details: null })
      ).json()

      expect(renamed).toMatchObject({ display_name: 'B', external_identifier, created_at })
      expect(renamed.billing_details).toMatchObject(BILLING)
      expect(renamed.updated_at > created_at).toBe(true)
      expect(cleared).toMatchObject({ display_name: 'B', external_identifier: null, billing_details: null })
      expect((await service.send(`GET /buyers/${id}`)).json()).toEqual(cleared)
    })

    test('has its billing details replaced as a whole', async () => {
      const { id } = (await create({ billing_details: BILLING })).json()

      const updated = (
        await service.send(`PUT /buyers/${id}`, { billing_details: { first_name: 'Jane' } })
      ).json()

      expect(updated.billing_details).toMatchObject({ first_name: 'Jane', last_name: null, address: null })
    })

    test('is deleted with its shipping details, and frees its external identifier', async () => {
      const external_identifier = crypto.randomUUID()
      const { id } = (await create({ external_identifier })).json()
      const shipping = (await service.send(`POST /buyers/${id}/shipping-details`, {})).json()

      const deleted = await service.send(`DELETE /buyers/${id}`)

      expect(deleted.statusCode).toBe(204)
      expect(deleted.body).toBe('')
      expect((await service.send(`GET /buyers/${id}`)).statusCode).toBe(404)
      expect((await service.send(`DELETE /buyers/${id}`)).statusCode).toBe(404)
      expect((await service.send(`GET /buyers/${id}/shipping-details/${shipping.id}`)).statusCode).toBe(404)
      expect((await create({ external_identifier })).statusCode).toBe(201)
      const left = await service.context.db.selectFrom('buyer_shipping_details').select('id').execute()
      expect(left.map((row) => row.id)).not.toContain(shipping.id)
    })

    test('has an audit entry for each change, with its name, external identifier or id', async () => {
      const named = (await create({ display_name: 'Named', external_identifier: 'ext-1' })).json()
      await service.send(`PUT /buyers/${named.id}`, { display_name: null })
      await service.send(`PUT /buyers/${named.id}`, { external_identifier: null })
      await service.send(`DELETE /buyers/${named.id}`)

      expect((await auditNames()).slice(0, 4)).toEqual([
        `deleted ${named.id}`,
        `updated ${named.id}`,
        'updated ext-1',
        'created Named',
      ])
    })
  })

  describe('a bad request', () => {
    const long = (length: number) => 'x'.repeat(length)
    const address = (fields: object) => ({ billing_details: { address: fields } })
    const cases: [string, object, string, string][] = [
      ['an empty display name', { display_name: '' }, '/display_name', 'value_error.any_str.min_length'],
      ['a long display name', { display_name: long(201) }, '/display_name', 'value_error.any_str.max_length'],
      ['a display name that is a number', { display_name: 7 }, '/display_name', 'type_error.string'],
      [
        'an empty external identifier',
        { external_identifier: '' },
        '/external_identifier',
        'value_error.any_str.min_length',
      ],
      [
        'a long external identifier',
        { external_identifier: long(201) },
        '/external_identifier',
        'value_error.any_str.max_length',
      ],
      [
        'a long account number',
        { account_number: long(201) },
        '/account_number',
        'value_error.any_str.max_length',
      ],
      ['an id', { id: MISSING }, '/id', 'value_error.extra'],
      ['billing details that are text', { billing_details: 'x' }, '/billing_details', 'type_error.object'],
      [
        'an unknown billing field',
        { billing_details: { iban: 'x' } },
        '/billing_details/iban',
        'value_error.extra',
      ],
      ['a NUL character', { display_name: 'a\0b' }, '/display_name', 'value_error.str.regex'],
      [
        'a long first name',
        { billing_details: { first_name: long(256) } },
        '/billing_details/first_name',
        'value_error.any_str.max_length',
      ],
      [
        'an empty last name',
        { billing_details: { last_name: '' } },
        '/billing_details/last_name',
        'value_error.any_str.min_length',
      ],
      [
        'an empty e-mail address',
        { billing_details: { email_address: '' } },
        '/billing_details/email_address',
        'value_error.any_str.min_length',
      ],
      [
        'a long e-mail address',
        { billing_details: { email_address: `${long(309)}@example.com` } },
        '/billing_details/email_address',
        'value_error.any_str.max_length',
      ],
      ...['14155550123', '+0123', '+1', '+1 415 555', '+1234567890123456'].map(
        (phone_number): [string, object, string, string] => [
          `the phone number ${phone_number}`,
          { billing_details: { phone_number } },
          '/billing_details/phone_number',
          'value_error.str.regex',
        ],
      ),
      [
        'a country that is none',
        address({ country: 'ZZ' }),
        '/billing_details/address/country',
        'type_error.enum',
      ],
      [
        'a country in small letters',
        address({ country: 'us' }),
        '/billing_details/address/country',
        'value_error.str.regex',
      ],
      [
        'a country of three letters',
        address({ country: 'USA' }),
        '/billing_details/address/country',
        'value_error.str.regex',
      ],
      [
        'a state code without a country',
        address({ state_code: 'CA' }),
        '/billing_details/address/state_code',
        'value_error.str.regex',
      ],
      [
        'a long city',
        address({ city: long(101) }),
        '/billing_details/address/city',
        'value_error.any_str.max_length',
      ],
      [
        'a long postal code',
        address({ postal_code: long(51) }),
        '/billing_details/address/postal_code',
        'value_error.any_str.max_length',
      ],
      [
        'an empty line',
        address({ line1: '' }),
        '/billing_details/address/line1',
        'value_error.any_str.min_length',
      ],
      [
        'an unknown address field',
        address({ street: 'x' }),
        '/billing_details/address/street',
        'value_error.extra',
      ],
      [
        'a tax id without a kind',
        { billing_details: { tax_id: { value: '1' } } },
        '/billing_details/tax_id/kind',
        'value_error.missing',
      ],
      [
        'a tax id without a value',
        { billing_details: { tax_id: { kind: 'us.ein' } } },
        '/billing_details/tax_id/value',
        'value_error.missing',
      ],
      [
        'a kind of tax id that is none',
        { billing_details: { tax_id: { value: '1', kind: 'xx.tin' } } },
        '/billing_details/tax_id/kind',
        'type_error.enum',
      ],
      [
        'an empty tax id',
        { billing_details: { tax_id: { value: '', kind: 'co.nit' } } },
        '/billing_details/tax_id/value',
        'value_error.any_str.min_length',
      ],
      [
        'a long tax id',
        { billing_details: { tax_id: { value: long(51), kind: 'co.nit' } } },
        '/billing_details/tax_id/value',
        'value_error.any_str.max_length',
      ],
    ]

    test.each(cases)('with %s is refused, on create and on update', async (_name, body, pointer, type) => {
      const { id } = (await create({ display_name: 'Before' })).json()

      const created = await create(body)
      const updated = await service.send(`PUT /buyers/${id}`, body)

      for (const response of [created, updated]) {
        expect(response.statusCode, response.body).toBe(400)
        expect(response.json().message).toBe('Request failed validation')
        expect(response.json().details).toMatchObject([{ location: 'body', pointer, type }])
      }
      expect((await service.send(`GET /buyers/${id}`)).json().display_name).toBe('Before')
    })

    test.each([
      { tax_id: { value: '12345678931', kind: 'ae.trn' } },
      { tax_id: { value: '---', kind: 'us.ein' } },
      { tax_id: { value: '52998224726', kind: 'br.cpf' } },
      { tax_id: { value: 'x'.repeat(50), kind: 'gb.vat' } },
      { email_address: 'john@localhost' },
      { email_address: 'a b@c@d' },
      { email_address: 'x'.repeat(320) },
      { address: { country: 'GB', state_code: 'US-CA' } },
    ])('accepts %o unchecked', async (billing_details) => {
      const created = await create({ billing_details })
      const updated = await service.send(`PUT /buyers/${created.json().id}`, { billing_details })

      expect(created.statusCode, created.body).toBe(201)
      expect(updated.statusCode, updated.body).toBe(200)
      expect(updated.json().billing_details).toMatchObject(billing_details)
    })

    test('with an id that is no UUID is refused', async () => {
      for (const route of ['GET /buyers/7', 'PUT /buyers/7', 'DELETE /buyers/7']) {
        const response = await service.send(route, route.startsWith('PUT') ? {} : undefined)

        expect(response.statusCode).toBe(400)
        expect(response.json().details).toMatchObject([
          { location: 'path', pointer: '/buyer_id', type: 'type_error.uuid' },
        ])
      }
    })

    test.each([
      ['limit=0', '/limit', 'value_error.number.not_ge'],
      ['limit=101', '/limit', 'value_error.number.not_le'],
      ['limit=x', '/limit', 'type_error.integer'],
      ['cursor=nonsense', '/cursor', 'value_error.str.regex'],
      [`search=${long(321)}`, '/search', 'value_error.any_str.max_length'],
      ['search=a&search=b', '/search', 'type_error.string'],
      [`external_identifier=${long(201)}`, '/external_identifier', 'value_error.any_str.max_length'],
      ['search=%00', '/search', 'value_error.str.regex'],
    ])('to list with %s is refused', async (query, pointer, type) => {
      const response = await service.send(`GET /buyers?${query}`)

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([{ location: 'query', pointer, type }])
    })
  })

  describe('an external identifier', () => {
    test('belongs to one buyer of a merchant account', async () => {
      const external_identifier = crypto.randomUUID()
      const first = (await create({ external_identifier })).json()
      const second = (await create({})).json()

      const again = await create({ external_identifier })
      const moved = await service.send(`PUT /buyers/${second.id}`, { external_identifier })
      const kept = await service.send(`PUT /buyers/${first.id}`, { external_identifier })

      for (const response of [again, moved]) {
        expect(response.statusCode).toBe(409)
        expect(response.json()).toMatchObject({
          code: 'duplicate_record',
          resource_id: first.id,
          details: [{ location: 'body', pointer: '/external_identifier', type: 'value_error.duplicate' }],
        })
      }
      expect(kept.statusCode).toBe(200)
      expect((await create({ external_identifier }, 'other-shop')).statusCode).toBe(201)
    })

    test('is case-sensitive, and many buyers may have none', async () => {
      const external_identifier = `Case-${crypto.randomUUID()}`

      const answers = await Promise.all([
        create({ external_identifier }),
        create({ external_identifier: external_identifier.toLowerCase() }),
        create({ external_identifier: null }),
        create({ external_identifier: null }),
      ])

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    })

    test('goes to exactly one of twenty concurrent requests', async () => {
      const external_identifier = crypto.randomUUID()

      const answers = await Promise.all(Array.from({ length: 20 }, () => create({ external_identifier })))

      const winner = answers.find(({ statusCode }) => statusCode === 201)?.json()
      const losers = answers.filter(({ statusCode }) => statusCode === 409)
      expect(losers.length).toBe(19)
      expect(new Set(losers.map((response) => response.json().resource_id))).toEqual(new Set([winner.id]))
      const stored = await service.send(`GET /buyers?external_identifier=${external_identifier}`)
      expect(stored.json().items).toEqual([winner])
    })

    test('goes to exactly one of ten concurrent updates', async () => {
      const external_identifier = crypto.randomUUID()
      const ids = await Promise.all(Array.from({ length: 10 }, async () => (await create({})).json().id))

      const answers = await Promise.all(
        ids.map((id) => service.send(`PUT /buyers/${id}`, { external_identifier })),
      )

      expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBe(1)
      expect(answers.filter(({ statusCode }) => statusCode === 409).length).toBe(9)
    })
  })

  test('two concurrent updates both apply', async () => {
    const { id } = (await create({})).json()

    await Promise.all([
      service.send(`PUT /buyers/${id}`, { display_name: 'Both' }),
      service.send(`PUT /buyers/${id}`, { account_number: 'last' }),
    ])

    expect((await service.send(`GET /buyers/${id}`)).json()).toMatchObject({
      display_name: 'Both',
      account_number: 'last',
    })
  })

  describe('another merchant account', () => {
    test('sees, changes and deletes nothing', async () => {
      const { id } = (await create({ display_name: 'Mine' })).json()
      const options = { account: 'other-shop' }

      const answers = [
        await service.send(`GET /buyers/${id}`, undefined, options),
        await service.send(`PUT /buyers/${id}`, { display_name: 'Theirs' }, options),
        await service.send(`DELETE /buyers/${id}`, undefined, options),
      ]

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
      expect((await service.send(`GET /buyers/${id}`)).json().display_name).toBe('Mine')
    })

    test('is listed with the others for all accounts, within the key’s reach', async () => {
      const accounts = await Promise.all(
        ['a', 'b', 'c'].map(async (letter) => {
          const account = `${letter}-${crypto.randomUUID()}`
          await service.send('POST /merchant-accounts', { id: account, display_name: letter })
          return account
        }),
      )
      const external_identifier = crypto.randomUUID()
      const made = []
      for (let index = 0; index < 6; index += 1) {
        const body = index < 3 ? { external_identifier, display_name: 'Shared' } : {}
        made.unshift((await create(body, accounts[index % 3])).json())
      }
      const token = await signToken(await service.addKey({ merchantAccountIds: accounts.slice(0, 2) }))
      const within = made.filter((buyer) => buyer.merchant_account_id !== accounts[2])
      const read = async (query: string, options: object) =>
        (await service.send(`GET /buyers?${query}`, undefined, options)).json()

      const first = await read('limit=3', { token, account: '*' })
      const second = await read(`limit=3&cursor=${first.next_cursor}`, { token, account: '*' })
      const back = await read(`limit=3&cursor=${second.previous_cursor}`, { token, account: '*' })

      expect([...first.items, ...second.items]).toEqual(within)
      expect(second.next_cursor).toBe(null)
      expect(back).toEqual(first)
      expect((await read('', { token })).items).toEqual(
        made.filter((buyer) => buyer.merchant_account_id === accounts[0]),
      )
      expect((await read('limit=6', { account: '*' })).items).toEqual(made)
      const exact = `external_identifier=${external_identifier}`
      expect((await read(exact, { token, account: '*' })).items).toEqual(within.slice(2))
      expect((await read(exact, { account: '*' })).items).toEqual(made.slice(3))
      expect((await read(`${exact}&search=shar`, { account: '*' })).items).toEqual(made.slice(3))
      expect((await read(`${exact}&search=none`, { account: '*' })).items).toEqual([])
      expect((await read('search=shared', { token, account: '*' })).items).toEqual(within.slice(2))
    })

    test('cannot be selected with * where one account is needed', async () => {
      const { id } = (await create({})).json()

      const response = await service.send(`GET /buyers/${id}`, undefined, { account: '*' })

      expect(response.statusCode).toBe(400)
    })
  })

  describe('subscribers are told', () => {
    test('of a buyer that is created, updated and deleted, as the API shows it', async () => {
      const created = (await create({ display_name: 'Told', billing_details: BILLING })).json()
      const updated = (await service.send(`PUT /buyers/${created.id}`, { display_name: 'Told again' })).json()
      await service.send(`DELETE /buyers/${created.id}`)

      expect(await eventsOf(created.id)).toEqual([
        ['buyer.created', created],
        ['buyer.updated', updated],
        ['buyer.deleted', updated],
      ])
    })

    test('of shipping details that are created, updated and deleted', async () => {
      const buyer = (await create()).json()
      const path = `/buyers/${buyer.id}/shipping-details`
      const created = (await service.send(`POST ${path}`, { first_name: 'Jane' })).json()
      const updated = (await service.send(`PUT ${path}/${created.id}`, { last_name: 'Doe' })).json()
      await service.send(`DELETE ${path}/${created.id}`)

      expect(await eventsOf(created.id)).toEqual([
        ['shipping-details.created', created],
        ['shipping-details.updated', updated],
        ['shipping-details.deleted', updated],
      ])
    })

    test('of shipping details that are deleted with their buyer, before the buyer', async () => {
      const buyer = (await create()).json()
      const path = `/buyers/${buyer.id}/shipping-details`
      const first = (await service.send(`POST ${path}`, { first_name: 'Jane' })).json()
      const second = (await service.send(`POST ${path}`, { first_name: 'Joe' })).json()

      await service.send(`DELETE /buyers/${buyer.id}`)

      const events = (await service.send('GET /events?limit=3')).json().items.reverse()
      expect(events.map((event: { name: string; target: unknown }) => [event.name, event.target])).toEqual([
        ['shipping-details.deleted', first],
        ['shipping-details.deleted', second],
        ['buyer.deleted', buyer],
      ])
    })

    test('not of refused requests', async () => {
      const buyer = (await create({ external_identifier: 'told-once' })).json()

      await create({ external_identifier: 'told-once' })
      await service.send(`PUT /buyers/${buyer.id}`, { account_number: 1 })
      await service.send(`DELETE /buyers/${buyer.id}`, undefined, { account: 'other-shop' })

      const events = (await service.send('GET /events?name=buyer.created&limit=100')).json().items
      const told = events.filter(
        (event: { target: { external_identifier: string } }) =>
          event.target.external_identifier === 'told-once',
      )
      expect(told).toHaveLength(1)
      expect(await eventsOf(buyer.id)).toEqual([['buyer.created', buyer]])
    })
  })

  /** Names and targets, oldest first. */
  async function eventsOf(targetId: string): Promise<[string, unknown][]> {
    const { items } = (await service.send(`GET /events?target_id=${targetId}`)).json()
    return items
      .reverse()
      .map((event: { name: string; target: unknown }): [string, unknown] => [event.name, event.target])
  }
})

describe('exports of a buyer', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  test('has everything of one buyer, and nothing of others', async () => {
    const till = openTill(service)
    const buyer = (await service.send('POST /buyers', { display_name: 'Jane' })).json()
    const other = (await service.send('POST /buyers', { display_name: 'Joe' })).json()
    const buyer_id = buyer.id
    const shipped = await service.send(`POST /buyers/${buyer_id}/shipping-details`, { first_name: 'Jane' })
    const stored = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json()
    const first = await till.pay({ buyer_id })
    const second = await till.pay({ buyer_id, intent: 'capture', metadata: { note: 'hers' } })
    await till.pay({ buyer_id: other.id })
    const payout = await till.payOut({ buyer_id })

    const response = await service.send(`GET /buyers/${buyer_id}/export`)

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({
      buyer: { display_name: 'Jane' },
      shipping_details: [{ id: shipped.json().id }],
      payment_methods: [{ id: stored.id }],
      payouts: [{ id: payout.id }],
      payments: [
        { transaction: { id: first.id } },
        { transaction: { id: second.id, metadata: { note: 'hers' } } },
      ],
      has_more_payments: false,
    })
    expect(response.body).not.toContain(other.id)
  })

  test('is not found for an unknown buyer, and found for a deleted one with payments', async () => {
    const buyer = (await service.send('POST /buyers', { display_name: 'Gone' })).json()
    await openTill(service).pay({ buyer_id: buyer.id })
    await service.send(`DELETE /buyers/${buyer.id}`)

    const found = await service.send(`GET /buyers/${buyer.id}/export`)
    const missing = await service.send(`GET /buyers/${crypto.randomUUID()}/export`)

    expect(found.json()).toMatchObject({
      buyer: null,
      payments: [{ transaction: { buyer: { display_name: 'Gone' } } }],
    })
    expect(missing.statusCode).toBe(404)
  })
})

describe('erasures of a buyer', () => {
  /** Each value of a buyer is another one, so that a failure says which was left behind. */
  const said = {
    display_name: 'Canary Displayname',
    external_identifier: 'canary-customer-reference',
    account_number: 'canary-account-number',
    billing_details: {
      first_name: 'Canaryfirst',
      last_name: 'Canarylast',
      email_address: 'canary.billing@canary.example',
      phone_number: '+14155550177',
      tax_id: { value: '99-8877665', kind: 'us.ein' },
      address: {
        city: 'Canarycity',
        country: 'US',
        postal_code: 'CANARY-95113',
        state: 'Canarystate',
        house_number_or_name: 'Canaryhouse',
        line1: 'Canaryline1',
        line2: 'Canaryline2',
        organization: 'Canaryorganization',
      },
    },
  }
  const shipping = {
    first_name: 'Canaryshipfirst',
    last_name: 'Canaryshiplast',
    email_address: 'canary.shipping@canary.example',
    phone_number: '+14155550188',
    address: { line1: 'Canaryshipline1', city: 'Canaryshipcity', country: 'US' },
  }
  const order = {
    metadata: { 'canary-metadata-key': 'canary-metadata-value' },
    description: 'Canarydescription',
    purchase_order_number: 'canary-purchase-order',
    customer_reference_number: 'canary-customer-number',
    cart_items: [{ name: 'Canaryitem', quantity: 1, unit_amount: 1000 }],
    airline: { passengers: [{ first_name: 'Canarypassenger', passport_number: 'CANARYPASS1' }] },
    recipient: {
      first_name: 'Canaryrecipient',
      last_name: 'Canaryrecipientlast',
      account_number: 'canary-recipient',
    },
    browser_info: {
      javascript_enabled: true,
      java_enabled: false,
      language: 'en-GB',
      color_depth: 24,
      screen_height: 1080,
      screen_width: 1920,
      time_zone_offset: 60,
      user_agent: 'Canarybrowser/1.0',
      user_device: 'desktop',
    },
    anti_fraud_fingerprint: 'canary-device-fingerprint',
  }
  const REASON = 'Canaryreason'
  const ADDRESS = '203.0.113.77'
  const CANARIES = [...textsIn([said, shipping, order]), 'Canaryformerlast', REASON, ADDRESS].filter((text) =>
    /canary|77|88/i.test(text),
  )

  let service: TestService
  let till: Till
  let receiver: Receiver
  let reports: ReturnType<typeof openReports>

  beforeAll(async () => {
    service = await startTestService()
    till = openTill(service)
    reports = openReports(service)
    receiver = await startReceiver()
    // Subscribers may repeat in their answers what they were sent.
    receiver.answer((response, { body }) => void response.end(body))
    await service.send('POST /webhook-subscriptions', { url: receiver.url })
  })
  afterAll(async () => {
    await receiver.close()
    await service.close()
  })

  function textsIn(value: unknown): string[] {
    if (typeof value === 'string') return [value]
    if (value === null || typeof value !== 'object') return []
    return [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value).flatMap(textsIn)]
  }

  function erasing() {
    return { ...service, sealer: new Sealer(service.secrets, null) }
  }

  async function runJob(): Promise<void> {
    await eraseDue(erasing(), new AbortController().signal)
  }

  async function erase(id: string) {
    return service.send(`POST /buyers/${id}/erasure`)
  }

  async function createBuyer(body: object = {}): Promise<string> {
    return (await service.send('POST /buyers', body)).json().id
  }

  async function answerChargeback(paid: Record<string, string>): Promise<void> {
    const { payment_service_transaction_id: reference = '' } = paid
    const { id } = paid['payment_service'] as unknown as { readonly id: string }
    await takeDispute({ ...service.context, merchantAccountId: 'default' }, service.engine, id, {
      about: 'chargeback',
      id: 'of an erased buyer',
      reference,
      amount: 100,
      currency: 'USD',
      code: null,
      reason: null,
      postedAt: service.context.clock(),
    })
    const [{ id: chargeback }] = (await service.send(`GET /chargebacks?transaction_id=${paid['id']}`)).json()
      .items
    await service.send(`PUT /chargebacks/${chargeback}/answer`, { note: REASON })
  }

  /** Entries of the audit log that follow are in other links than those before. */
  async function seal(): Promise<void> {
    await new Sealer(service.secrets, null).seal(service.context)
  }

  /** Everything that can hold something of a buyer. */
  async function useEverything() {
    const buyer_id = await createBuyer(said)
    await seal()
    await service.send(`PUT /buyers/${buyer_id}`, { account_number: said.account_number })
    await seal()
    const own = `/buyers/${buyer_id}/shipping-details`
    const former = (await service.send(`POST ${own}`, { ...shipping, last_name: 'Canaryformerlast' })).json()
    await service.send(`DELETE ${own}/${former.id}`)
    await seal()
    const shipped = (await service.send(`POST ${own}`, shipping)).json()
    await seal()
    const stored = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json()
    await seal()
    const giftCard = (await service.send('POST /gift-cards', { ...giftCardWith(5000), buyer_id })).json()
    await seal()
    const whole = { ...order, buyer_id, shipping_details_id: shipped.id, country: 'US' }
    const captured = await till.pay({ ...whole, intent: 'capture' })
    await till.act(captured.id, 'refunds', { amount: 100, reason: REASON })
    await answerChargeback(captured)
    const declined = await till.pay({ ...whole, amount: 200_011, cart_items: null })
    const withStored = await till.pay({
      buyer_id,
      payment_method: { method: 'id', id: stored.id },
      intent: 'capture',
    })
    const session = (
      await service.send('POST /checkout/sessions', { buyer: said, metadata: order.metadata })
    ).json()
    const inSession = await till.pay({
      buyer_id,
      intent: 'capture',
      payment_method: { method: 'checkout-session', id: await enter(session.id) },
    })
    const token = await signToken(service.admin, { scopes: ['embed'], embed: { buyer_id } })
    const fromBrowser = await till.pay(
      { intent: 'capture' },
      { token, address: ADDRESS, headers: { 'user-agent': 'Canarybrowser/1.0' } },
    )
    await service.send('POST /payment-links', {
      amount: 100,
      currency: 'USD',
      country: 'US',
      buyer: said,
      metadata: order.metadata,
    })
    const payout = await till.payOut({ buyer_id })
    const report = await reports.create({
      schedule: 'once',
      schedule_enabled: false,
      spec: { model: 'transactions', params: {} },
    })
    await reports.write()
    const delivering = startDelivering(service)
    await receiver.waitFor(8)
    await delivering.stop()
    await service.engine.exchanges.flush()
    const ids = [captured, declined, withStored, inSession, fromBrowser].map(({ id }) => id as string)
    return { buyer_id, ids, stored, giftCard, payout, report }
  }

  async function enter(sessionId: string): Promise<string> {
    await service.send(
      `PUT /checkout/sessions/${sessionId}/fields`,
      { payment_method: CARD },
      { token: null },
    )
    return sessionId
  }

  test('leaves nothing personal anywhere, and the books and the audit chain whole', async () => {
    const { buyer_id, ids, stored, giftCard, payout, report } = await useEverything()
    const before = await searchTables(service.context.db, CANARIES)
    const unsaid = CANARIES.filter((text) => !before.found.some((place) => place.startsWith(`${text} in `)))
    expect(unsaid).toEqual([])
    const books = await Promise.all(ids.map((id) => till.books(id)))
    const facts = await Promise.all(ids.map((id) => till.get(id)))
    const [execution] = await reports.executionsOf(report.id)
    const { url } = await reports.urlOf(report.id, execution.id)

    const asked = await erase(buyer_id)
    await runJob()

    expect(asked.statusCode, asked.body).toBe(202)
    const done = (await service.send(`GET /buyers/${buyer_id}/erasure`)).json()
    expect(done).toMatchObject({ status: 'succeeded', payments: 5, payment_methods: 1, gift_cards: 1 })
    // The link was made for a guest: nothing says that it is the same person.
    await sql`delete from payment_links`.execute(service.context.db)
    await sql`delete from events where target_type = 'payment-link'`.execute(service.context.db)
    expect((await searchTables(service.context.db, CANARIES)).found).toEqual([])
    expect(await Promise.all(ids.map((id) => till.books(id)))).toEqual(books)
    for (const { id, status, amount, captured_amount, refunded_amount } of facts) {
      const after = await till.get(id)
      expect(after).toMatchObject({ status, amount, captured_amount, refunded_amount })
      expect(after).toMatchObject({ buyer: null, shipping_details: null, metadata: null })
    }
    expect((await service.send(`GET /buyers/${buyer_id}`)).statusCode).toBe(404)
    expect((await service.send(`GET /payment-methods/${stored.id}`)).statusCode).toBe(404)
    expect((await service.send(`GET /gift-cards/${giftCard.id}`)).statusCode).toBe(404)
    expect((await service.send(`GET /payouts/${payout.id}`)).json().buyer).toBeNull()
    expect((await reports.download(url)).statusCode).toBe(404)
    const { rows: named } = await sql<{ name: string }>`
    select distinct resource_name as name from audit_logs where resource_id in (${buyer_id}, ${stored.id}, ${giftCard.id})
  `.execute(service.context.db)
    expect(named).toEqual([{ name: 'erased' }])
    const verdict = await verifyChain(service.context, service.secrets)
    expect(verdict).toMatchObject({ isConsistent: true, problem: null })
    const { rows } = await sql<{ count: string }>`select count(*) from vault.items`.execute(
      service.context.db,
    )
    expect(rows[0]?.count).toBe(String(await countSecrets()))
  })

  /** What the vault keeps for services and subscriptions, which are not the buyer's. */
  async function countSecrets(): Promise<number> {
    const { rows } = await sql<{ secrets: object }>`
    select secrets from payment_services union all select secrets from gift_card_services
    union all select secrets from webhook_subscriptions
  `.execute(service.context.db)
    return rows.flatMap(({ secrets }) => Object.values(secrets)).length
  }

  test('keeps no answer to an event that was under way', async () => {
    const buyer_id = await createBuyer({ display_name: 'Underway Buyer' })
    const erased = Promise.withResolvers<void>()
    let hasArrived = false
    receiver.answer((response, { body }) => {
      if (!body.includes('Underway Buyer')) return void response.end(body)
      hasArrived = true
      void erased.promise.then(() => response.end(body))
    })
    const delivering = startDelivering(service)
    await until(() => hasArrived)

    await erase(buyer_id)
    await runJob()
    erased.resolve()
    await delivering.stop()

    const { items } = (await service.send(`GET /events?name=buyer.created&target_id=${buyer_id}`)).json()
    const { rows } = await sql<{ outcome: string; response_body: string | null }>`
    select outcome, response_body from webhook_attempts where delivery_id = ${items[0].id}
  `.execute(service.context.db)
    expect(rows).toEqual([{ outcome: 'delivered', response_body: null }])
    expect((await searchTables(service.context.db, ['Underway Buyer'])).found).toEqual([])
  })

  test('finds no payment by what the buyer was called', async () => {
    const buyer_id = await createBuyer({ external_identifier: 'searched', display_name: 'Searched' })
    const { id } = await till.pay({ buyer_id, intent: 'capture', metadata: { searched: 'yes' } })
    await erase(buyer_id)
    await runJob()

    for (const filter of [
      `buyer_id=${buyer_id}`,
      'buyer_external_identifier=searched',
      'buyer_search=searched',
      `metadata=${encodeURIComponent('{"searched":"yes"}')}`,
    ]) {
      const { items } = (await service.send(`GET /transactions?${filter}`)).json()
      expect(items, filter).toEqual([])
    }
    expect((await till.get(id)).status).toBe('capture_succeeded')
    expect((await service.send('GET /buyers?search=searched')).json().items).toEqual([])
  })

  test('refuses a buyer with an open payment, and changes nothing', async () => {
    const buyer_id = await createBuyer({ display_name: 'Waiting' })
    const { id } = await till.pay({ buyer_id })

    const refused = await erase(buyer_id)

    expect(refused.statusCode).toBe(400)
    expect(refused.json().details[0]).toMatchObject({ location: 'path', pointer: '/buyer_id' })
    expect(refused.json().details[0].message).toContain(
      `payment ${id} of this buyer is open: capture, void or cancel`,
    )
    expect((await service.send(`GET /buyers/${buyer_id}`)).json().display_name).toBe('Waiting')
    expect((await service.send(`GET /buyers/${buyer_id}/erasure`)).statusCode).toBe(404)
    await till.act(id, 'void')
    expect((await erase(buyer_id)).statusCode).toBe(202)
  })

  test('erases a buyer once, however often it is asked for, and one that was deleted before', async () => {
    const buyer_id = await createBuyer(said)
    const { id } = await till.pay({ buyer_id, intent: 'capture' })
    await service.send(`DELETE /buyers/${buyer_id}`)

    const first = (await erase(buyer_id)).json()
    await runJob()
    await runJob()
    const second = (await erase(buyer_id)).json()

    expect(second).toMatchObject({ id: first.id, status: 'succeeded', payments: 1 })
    expect((await till.get(id)).buyer).toBeNull()
    const { items } = (await service.send(`GET /events?name=buyer.erased&target_id=${first.id}`)).json()
    expect(items).toHaveLength(1)
    expect(items[0].target).toMatchObject({ type: 'buyer-erasure', buyer_id, status: 'succeeded' })
    const entries = (await service.send('GET /audit-logs?resource_type=buyer-erasure')).json().items
    expect(entries[0]).toMatchObject({ action: 'created', resource: { id: first.id, name: buyer_id } })
  })

  test('goes on where a process has died', async () => {
    const buyer_id = await createBuyer(said)
    const paid = [
      await till.pay({ buyer_id, intent: 'capture' }),
      await till.pay({ buyer_id, intent: 'capture' }),
    ]
    const stored = (await service.send('POST /payment-methods', { ...CARD, buyer_id })).json()
    await erase(buyer_id)
    const dying = {
      ...erasing(),
      vault: { remove: () => Promise.reject(new Error('the process dies here')) } as never,
    }

    await expect(eraseDue(dying, new AbortController().signal)).rejects.toThrow('the process dies here')

    const half = (await service.send(`GET /buyers/${buyer_id}/erasure`)).json()
    expect(half).toMatchObject({ status: 'pending', payments: 2 })
    await runJob()
    const done = (await service.send(`GET /buyers/${buyer_id}/erasure`)).json()
    expect(done).toMatchObject({ status: 'succeeded', payments: 2, payment_methods: 1 })
    expect((await till.get(paid[0].id)).buyer).toBeNull()
    expect((await service.send(`GET /payment-methods/${stored.id}`)).statusCode).toBe(404)
  })

  test('refunds a payment whose buyer was erased', async () => {
    const buyer_id = await createBuyer(said)
    const { id } = await till.pay({ buyer_id, intent: 'capture', ...order })
    await erase(buyer_id)
    await runJob()

    const refund = await till.act(id, 'refunds', { amount: 500 })

    expect(refund.statusCode, refund.body).toBe(201)
    expect((await till.get(id)).refunded_amount).toBe(500)
  })

  test('hides buyers of other accounts, and needs a scope of its own and a fresh proof', async () => {
    await service.send('POST /merchant-accounts', { id: 'other-erasure', display_name: 'Other' })
    const buyer_id = await createBuyer({ display_name: 'Own' })
    const route = `POST /buyers/${buyer_id}/erasure`
    const shop = await service.addKey({ roleIds: [PROCESSING] })
    const user = await signIn(service)

    const elsewhere = await service.send(route, undefined, { account: 'other-erasure' })
    const asShop = await service.send(route, undefined, { token: await signToken(shop) })
    service.moveClock(11 * 60_000)
    const asUser = await service.send(route, undefined, { token: null, headers: user.headers })

    expect([elsewhere.statusCode, asShop.statusCode, asUser.json().code]).toEqual([
      404,
      403,
      'step_up_required',
    ])
    expect((await service.send(`GET /buyers/${buyer_id}`)).statusCode).toBe(200)
  })

  test('looks once more a day later, for what was under way', async () => {
    const buyer_id = await createBuyer(said)
    const { id } = await till.pay({ intent: 'capture', buyer: said })
    const shipped = (await service.send(`POST /buyers/${buyer_id}/shipping-details`, shipping)).json()
    await erase(buyer_id)
    await runJob()
    // Requests that had read the buyer before commit a payment and an entry of the audit log after.
    await sql`update transactions set buyer_id = ${buyer_id} where id = ${id}`.execute(service.context.db)
    await inTransaction(service.context, (tx) =>
      auditLogs.record({ ...tx, merchantAccountId: 'default' }, 'updated', {
        type: auditLogs.OF_BUYERS.shippingDetails,
        id: shipped.id,
        name: 'Canaryshipfirst',
      }),
    )

    service.moveClock(26 * 3_600_000)
    await runJob()

    expect((await till.get(id)).buyer).toBeNull()
    expect((await searchTables(service.context.db, ['Canaryshipfirst'])).found).toEqual([])
    const { rows } = await sql<{ due_at: Date | null }>`
    select due_at from buyer_erasures where buyer_id = ${buyer_id}
  `.execute(service.context.db)
    expect(rows).toEqual([{ due_at: null }])
  })

  test('a change of an entry still shows after names were taken out of its link', async () => {
    await new Sealer(service.secrets, null).seal(service.context)
    const { rows } = await sql<{ id: string; resource_name: string }>`
    update audit_logs set resource_name = 'forged' where id in (
      select id from audit_logs where resource_name = 'erased' limit 1)
    returning id, resource_name
  `.execute(service.context.db)
    expect(rows).toHaveLength(1)

    const verdict = await verifyChain(service.context, service.secrets)

    expect(verdict.problem).toMatch(/^link \d+ does not fit its entries/)
  })
})
