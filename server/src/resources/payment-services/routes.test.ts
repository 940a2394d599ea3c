import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import { givingUp } from '#testing/giving-up.ts'
import { PROCESSING, REPORTING, signToken, startTestService, type TestService } from '#testing/harness.ts'
import { openTill, type Till } from '#testing/till.ts'
import { paymentServiceJobs } from './resource.ts'
import * as paymentServices from './store.ts'

describe('payment services', () => {
  const SECRET = 'canary-secret-of-a-provider'

  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
    for (const id of ['other', 'empty']) {
      await service.send('POST /merchant-accounts', { id, display_name: id })
    }
  })
  afterAll(() => service.close())

  type Field = { key: string; value: string }
  const MERCHANT: Field = { key: 'merchant_id', value: 'shop' }
  const REQUEST = {
    display_name: 'Cards',
    payment_service_definition_id: 'test-card',
    fields: [MERCHANT],
    accepted_currencies: ['EUR', 'USD'],
    accepted_countries: ['NL', 'US'],
  }
  const PROFILE = {
    merchant_acquirer_bin: '516327',
    merchant_acquirer_id: '123456789012345',
    merchant_name: 'Shop',
    merchant_country_code: '528',
    merchant_category_code: '5651',
    merchant_url: 'https://shop.example.com',
  }

  const create = (body: object = {}, options = {}) =>
    service.send('POST /payment-services', { ...REQUEST, ...body }, options)
  const update = (id: string, body: object, options = {}) =>
    service.send(`PUT /payment-services/${id}`, body, options)
  const get = (id: string, options = {}) => service.send(`GET /payment-services/${id}`, undefined, options)
  const remove = (id: string, options = {}) =>
    service.send(`DELETE /payment-services/${id}`, undefined, options)

  async function make(body: object = {}, options = {}) {
    const response = await create(body, options)
    expect(response.statusCode, response.body).toBe(201)
    return response.json()
  }

  async function count(table: 'payment_services' | 'vault.items'): Promise<number> {
    const found = await sql<{ count: string }>`select count(*) from ${sql.table(table)}`.execute(
      service.context.db,
    )
    return Number(found.rows[0]?.count)
  }

  describe('creating a service', () => {
    test('answers with everything except secrets', async () => {
      const response = await create({
        fields: [MERCHANT, { key: 'api_key', value: SECRET }, { key: 'terminal', value: '-12.5' }],
        merchant_profile: { visa: PROFILE, qcard: PROFILE, amex: null },
        three_d_secure_enabled: true,
        position: 7,
      })

      expect(response.statusCode, response.body).toBe(201)
      const { id } = response.json()
      const key = notificationKey(id)
      expect(response.json()).toEqual({
        type: 'payment-service',
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        merchant_account_id: 'default',
        payment_service_definition_id: 'test-card',
        active: true,
        method: 'card',
        display_name: 'Cards',
        position: 7,
        status: 'created',
        accepted_currencies: ['EUR', 'USD'],
        accepted_countries: ['NL', 'US'],
        payment_method_tokenization_enabled: false,
        network_tokens_enabled: false,
        open_loop: true,
        settlement_reporting_enabled: false,
        three_d_secure_enabled: true,
        merchant_profile: {
          visa: { ...PROFILE, created_at: expect.any(String) },
          qcard: { ...PROFILE, created_at: expect.any(String) },
        },
        webhook_url: `http://127.0.0.1:3000/payment-services/${id}/notifications/${key}`,
        fields: [MERCHANT, { key: 'terminal', value: '-12.5' }],
        secret_fields: ['api_key'],
        reporting_fields: [],
        secret_reporting_fields: [],
        is_deleted: false,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })
      expect(key).toMatch(/^[\w-]{43}$/)
      expect((await get(id)).json()).toEqual(response.json())
    })

    test('works with only the required fields of the simulator', async () => {
      const made = await make({
        payment_service_definition_id: 'mock-card',
        position: null,
        active: null,
        merchant_profile: null,
        reporting_fields: null,
        open_loop: null,
        network_tokens_enabled: null,
        payment_method_tokenization_enabled: null,
      })

      expect(made).toMatchObject({ active: true, merchant_profile: null, three_d_secure_enabled: false })
    })

    test('puts it last in its account without a position', async () => {
      const first = await make({}, { account: 'other' })
      const far = await make({ position: 40 }, { account: 'other' })
      const last = await make({}, { account: 'other' })

      expect([first.position, far.position, last.position]).toEqual([1, 40, 41])
    })

    test('can switch on features of the definition', async () => {
      const made = await make({
        payment_service_definition_id: 'mock-card',
        network_tokens_enabled: true,
        open_loop: true,
      })
      const reporting = await make({
        settlement_reporting_enabled: true,
        reporting_fields: [
          { key: 'report_user', value: 'me' },
          { key: 'report_password', value: SECRET },
        ],
      })

      expect(made).toMatchObject({ network_tokens_enabled: true, open_loop: true })
      expect(reporting).toMatchObject({
        settlement_reporting_enabled: true,
        reporting_fields: [{ key: 'report_user', value: 'me' }],
      })
    })

    test('keeps each currency and country once', async () => {
      const made = await make({ accepted_currencies: ['EUR', 'EUR'], accepted_countries: ['NL', 'US', 'NL'] })

      expect(made).toMatchObject({ accepted_currencies: ['EUR'], accepted_countries: ['NL', 'US'] })
    })

    const field = (key: string, value: string) => ({ fields: [MERCHANT, { key, value }] })
    test.each<[string, object, string, string]>([
      [
        'an unknown definition',
        { payment_service_definition_id: 'nobody-card' },
        '/payment_service_definition_id',
        'value_error.not_found',
      ],
      [
        'an odd definition',
        { payment_service_definition_id: '__proto__' },
        '/payment_service_definition_id',
        'value_error.not_found',
      ],
      ['no fields', { fields: undefined }, '/fields', 'value_error.missing'],
      ['a required field that is missing', { fields: [] }, '/fields', 'value_error.missing'],
      ['an unknown field', field('colour', 'red'), '/fields/1/key', 'value_error.not_found'],
      ['a field named like a property', field('constructor', 'x'), '/fields/1/key', 'value_error.not_found'],
      ['a reporting field among fields', field('report_user', 'x'), '/fields/1/key', 'value_error.not_found'],
      ['a field given twice', field('merchant_id', 'x'), '/fields/1/key', 'value_error.duplicate'],
      ['an empty field', field('terminal', ''), '/fields/1/value', 'value_error.any_str.min_length'],
      [
        'a field too long',
        field('api_key', 'x'.repeat(10_001)),
        '/fields/1/value',
        'value_error.any_str.max_length',
      ],
      [
        'a field without a value',
        { fields: [{ key: 'merchant_id' }] },
        '/fields/0/value',
        'value_error.missing',
      ],
      ['a field as a number', field('terminal', 12 as never), '/fields/1/value', 'type_error.string'],
      ['a number that is none', field('terminal', '1e5'), '/fields/1/value', 'value_error.str.regex'],
      ['a boolean that is none', field('live', 'True'), '/fields/1/value', 'type_error.enum'],
      ['a zone that is none', field('zone', 'Mars/Olympus'), '/fields/1/value', 'value_error.str.regex'],
      ['an offset for a zone', field('zone', '+01:00'), '/fields/1/value', 'value_error.str.regex'],
      ['a NUL in a secret', field('api_key', 'a\0b'), '/fields/1/value', 'value_error.str.regex'],
      [
        'an unknown reporting field',
        { reporting_fields: [{ key: 'api_key', value: 'x' }] },
        '/reporting_fields/0/key',
        'value_error.not_found',
      ],
      ['no currencies', { accepted_currencies: [] }, '/accepted_currencies', 'value_error.list.min_items'],
      ['small letters', { accepted_currencies: ['eur'] }, '/accepted_currencies/0', 'value_error.str.regex'],
      [
        'a currency that is none',
        { accepted_currencies: ['EUR', 'QQQ'] },
        '/accepted_currencies/1',
        'type_error.enum',
      ],
      [
        'a currency that is not taken',
        { accepted_currencies: ['JPY'] },
        '/accepted_currencies/0',
        'value_error.conflict',
      ],
      ['no countries', { accepted_countries: [] }, '/accepted_countries', 'value_error.list.min_items'],
      ['a country that is none', { accepted_countries: ['ZZ'] }, '/accepted_countries/0', 'type_error.enum'],
      [
        'a country that is not taken',
        { accepted_countries: ['NL', 'FR'] },
        '/accepted_countries/1',
        'value_error.conflict',
      ],
      ['an empty name', { display_name: '' }, '/display_name', 'value_error.any_str.min_length'],
      ['a long name', { display_name: 'x'.repeat(201) }, '/display_name', 'value_error.any_str.max_length'],
      ['a broken position', { position: 1.5 }, '/position', 'type_error.integer'],
      ['a huge position', { position: 2_000_000_000 }, '/position', 'value_error.number.not_le'],
      ['text for active', { active: 'true' }, '/active', 'type_error.bool'],
      ['null for 3-D Secure', { three_d_secure_enabled: null }, '/three_d_secure_enabled', 'type_error.bool'],
      [
        'an unknown scheme',
        { merchant_profile: { wisa: PROFILE } },
        '/merchant_profile/wisa',
        'value_error.extra',
      ],
      [
        'a country code in letters',
        { merchant_profile: { visa: { ...PROFILE, merchant_country_code: 'NLD' } } },
        '/merchant_profile/visa/merchant_country_code',
        'value_error.str.regex',
      ],
      [
        'a profile that lacks its URL',
        { merchant_profile: { visa: { ...PROFILE, merchant_url: undefined } } },
        '/merchant_profile/visa/merchant_url',
        'value_error.missing',
      ],
      ['network tokens', { network_tokens_enabled: true }, '/network_tokens_enabled', 'value_error.conflict'],
      ['a closed loop', { open_loop: false }, '/open_loop', 'value_error.conflict'],
      [
        'tokenization',
        { payment_method_tokenization_enabled: true },
        '/payment_method_tokenization_enabled',
        'value_error.conflict',
      ],
    ])('refuses %s and stores nothing', async (_name, change, pointer, type) => {
      const before = [await count('payment_services'), await count('vault.items')]

      const response = await create(change)

      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual([[pointer, type]])
      expect([await count('payment_services'), await count('vault.items')]).toEqual(before)
    })

    test.each<[string, object, string]>([
      ['3-D Secure', { three_d_secure_enabled: true }, '/three_d_secure_enabled'],
      ['settlement reporting', { settlement_reporting_enabled: true }, '/settlement_reporting_enabled'],
      ['an open loop', { open_loop: true }, '/open_loop'],
      ['network tokens without an open loop', { network_tokens_enabled: true }, '/network_tokens_enabled'],
    ])('refuses %s if the definition does not have it', async (_name, change, pointer) => {
      const response = await create({
        payment_service_definition_id: 'test-redirect',
        fields: [{ key: 'account', value: SECRET }],
        accepted_currencies: ['EUR'],
        ...change,
      })

      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual([[pointer, 'value_error.conflict']])
    })

    test('requires the fields of reports only for reports', async () => {
      const without = await create({ reporting_fields: [{ key: 'report_user', value: 'me' }] })
      const half = await create({
        settlement_reporting_enabled: true,
        reporting_fields: [{ key: 'report_user', value: 'me' }],
      })

      expect(without.statusCode).toBe(201)
      expect(half.json().details).toEqual([
        {
          location: 'body',
          pointer: '/reporting_fields',
          type: 'value_error.missing',
          message: 'the field report_password is required',
        },
      ])
    })

    test('reports all mistakes at once', async () => {
      const response = await create({
        fields: [{ key: 'live', value: 'perhaps' }],
        accepted_currencies: ['JPY'],
        network_tokens_enabled: true,
      })

      expect(pointers(response).map(([pointer]) => pointer)).toEqual([
        '/fields',
        '/fields/0/value',
        '/accepted_currencies/0',
        '/network_tokens_enabled',
      ])
    })
  })

  describe('a new address', () => {
    const ADDRESS = { key: 'host', value: 'https://provider.example' }
    const ELSEWHERE = { key: 'host', value: 'https://attacker.example' }
    const KEY = { key: 'api_key', value: SECRET }
    const expected = [
      {
        location: 'body',
        pointer: '/fields',
        type: 'value_error.missing',
        message: 'send the field api_key again: it was entered for another host',
      },
    ]

    test('needs the secrets again', async () => {
      const { id } = await make({ fields: [MERCHANT, KEY, ADDRESS] })

      const without = await update(id, { fields: [ELSEWHERE] })
      const same = await update(id, { fields: [ADDRESS] })
      const again = await update(id, { fields: [ELSEWHERE, { ...KEY, value: 'another' }] })

      expect(without.statusCode).toBe(400)
      expect(without.json().details).toEqual(expected)
      expect([same.statusCode, again.statusCode]).toEqual([200, 200])
    })

    test.each(['http://10.0.0.5', 'http://169.254.169.254', 'http://[fd00::1]:80'])(
      'must not lead into the network of the service: %s',
      async (value) => {
        const response = await create({
          payment_service_definition_id: 'stripe-card',
          fields: [
            { key: 'secret_key', value: 'sk_test_0123456789abcdefghijklmn' },
            { key: 'stand_in_url', value },
          ],
        })

        expect(response.statusCode).toBe(400)
        expect(response.json().details).toEqual([
          {
            location: 'body',
            pointer: '/fields/1/value',
            type: 'value_error.url',
            message:
              'value leads to a private, local or reserved address: name another address, or let the operator allow it ' +
              'in WEBHOOK_ALLOW_CIDRS',
          },
        ])
      },
    )

    test('does not get stored secrets when credentials are verified', async () => {
      const { id } = await make({ fields: [MERCHANT, KEY, ADDRESS] })

      const response = await service.send('POST /payment-services/verify', {
        payment_service_definition_id: 'test-card',
        payment_service_id: id,
        fields: [ELSEWHERE],
      })

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toEqual(expected)
    })
  })

  describe('listing services', () => {
    test('page by page, newest first, there and back', async () => {
      const made = []
      for (const display_name of ['one', 'two', 'three']) {
        made.unshift(await make({ display_name }, { account: 'empty' }))
      }
      const list = async (query: string) =>
        (await service.send(`GET /payment-services?${query}`, undefined, { account: 'empty' })).json()

      const first = await list('limit=2')
      const second = await list(`limit=2&cursor=${first.next_cursor}`)
      const back = await list(`limit=2&cursor=${second.previous_cursor}`)

      expect([...first.items, ...second.items]).toEqual(made)
      expect(second.next_cursor).toBeNull()
      expect(back.items).toEqual(first.items)
    })

    test('by method, and those that were deleted', async () => {
      const options = { account: 'other' }
      const redirect = await make(
        {
          payment_service_definition_id: 'test-redirect',
          fields: [{ key: 'account', value: SECRET }],
          accepted_currencies: ['EUR'],
        },
        options,
      )
      const gone = await make({ display_name: 'Gone' }, options)
      await remove(gone.id, options)
      const ids = async (query: string) => {
        const { items } = (await service.send(`GET /payment-services?${query}`, undefined, options)).json()
        return items.map(({ id }: { id: string }) => id)
      }

      expect(await ids('method=ideal')).toEqual([redirect.id])
      for (const method of ['klarna', 'banked', 'paze', 'custom_push']) {
        expect(await ids(`method=${method}`), method).toEqual([])
      }
      expect(await ids('deleted=true')).toEqual([gone.id])
      expect(await ids('deleted=true&method=ideal')).toEqual([])
      expect(await ids('deleted=false')).not.toContain(gone.id)
      expect(await ids('')).not.toContain(gone.id)
      expect((await service.send('GET /payment-services?method=nothing')).statusCode).toBe(400)
      expect((await service.send('GET /payment-services?deleted=yes')).statusCode).toBe(400)
    })

    test('over all merchant accounts that the key may see', async () => {
      await make({}, { account: 'other' })
      const own = await signToken(await service.addKey({ merchantAccountIds: ['other', 'empty'] }))
      const accountsSeen = async (options: object) => {
        const response = await service.send('GET /payment-services?limit=100', undefined, {
          account: '*',
          ...options,
        })
        const items: { merchant_account_id: string }[] = response.json().items
        return [...new Set(items.map(({ merchant_account_id }) => merchant_account_id))].toSorted((a, b) =>
          a < b ? -1 : 1,
        )
      }

      expect(await accountsSeen({ token: own })).toEqual(['empty', 'other'])
      expect(await accountsSeen({})).toEqual(['default', 'empty', 'other'])
    })
  })

  describe('updating a service', () => {
    test('changes only the sent fields', async () => {
      const before = await make({
        fields: [MERCHANT, { key: 'api_key', value: SECRET }, { key: 'terminal', value: '12' }],
        merchant_profile: { visa: PROFILE },
        three_d_secure_enabled: true,
      })

      const response = await update(before.id, {
        display_name: 'Renamed',
        active: false,
        position: -3,
        accepted_currencies: ['GBP'],
        accepted_countries: ['GB'],
        three_d_secure_enabled: false,
        fields: [{ key: 'terminal', value: '13' }],
      })

      expect(response.statusCode, response.body).toBe(200)
      expect(response.json()).toEqual({
        ...before,
        display_name: 'Renamed',
        active: false,
        position: -3,
        accepted_currencies: ['GBP'],
        accepted_countries: ['GB'],
        three_d_secure_enabled: false,
        fields: [MERCHANT, { key: 'terminal', value: '13' }],
        updated_at: expect.any(String),
      })
      expect(response.json().updated_at > before.updated_at).toBe(true)
      expect((await get(before.id)).json()).toEqual(response.json())
    })

    test('with nothing, or null for everything, changes nothing', async () => {
      const before = await make({ fields: [MERCHANT, { key: 'api_key', value: SECRET }] })
      const nulls = {
        display_name: null,
        fields: null,
        reporting_fields: null,
        position: null,
        accepted_currencies: null,
        accepted_countries: null,
        active: null,
        three_d_secure_enabled: null,
        payment_method_tokenization_enabled: null,
        network_tokens_enabled: null,
        open_loop: null,
        settlement_reporting_enabled: null,
      }

      const empty = await update(before.id, {})
      const nothing = await update(before.id, nulls)

      for (const response of [empty, nothing]) {
        expect(response.json()).toEqual({ ...before, updated_at: expect.any(String) })
      }
    })

    test('clears a field by an empty value, unless it is required', async () => {
      const { id } = await make({
        fields: [MERCHANT, { key: 'api_key', value: SECRET }, { key: 'zone', value: 'UTC' }],
      })

      const cleared = await update(id, {
        fields: [
          { key: 'zone', value: '' },
          { key: 'api_key', value: '' },
        ],
      })
      const refused = await update(id, { fields: [{ key: 'merchant_id', value: '' }] })

      expect(cleared.json().fields).toEqual([MERCHANT])
      expect(await secretsOf(id)).toEqual({})
      expect(refused.statusCode).toBe(400)
      expect(pointers(refused)).toEqual([['/fields/0/value', 'value_error.any_str.min_length']])
    })

    test('sets the schemes that it names, and removes those it names with null', async () => {
      const before = await make({ merchant_profile: { visa: PROFILE, amex: PROFILE } })

      const changed = await update(before.id, {
        merchant_profile: { amex: null, jcb: PROFILE, visa: { ...PROFILE, merchant_name: 'New' } },
      })
      const cleared = await update(before.id, { merchant_profile: null })

      expect(changed.json().merchant_profile).toEqual({
        visa: { ...before.merchant_profile.visa, merchant_name: 'New' },
        jcb: { ...PROFILE, created_at: expect.any(String) },
      })
      expect(cleared.json().merchant_profile).toBeNull()
    })

    test('turns reports on only with their fields', async () => {
      const { id } = await make()
      const fields = [
        { key: 'report_user', value: 'me' },
        { key: 'report_password', value: SECRET },
      ]

      const early = await update(id, { settlement_reporting_enabled: true })
      const done = await update(id, { settlement_reporting_enabled: true, reporting_fields: fields })
      const undone = await update(id, { reporting_fields: [{ key: 'report_password', value: '' }] })

      expect(pointers(early)).toEqual([
        ['/reporting_fields', 'value_error.missing'],
        ['/reporting_fields', 'value_error.missing'],
      ])
      expect(done.json()).toMatchObject({
        settlement_reporting_enabled: true,
        reporting_fields: [{ key: 'report_user', value: 'me' }],
      })
      expect(pointers(undone)).toEqual([['/reporting_fields/0/value', 'value_error.any_str.min_length']])
    })

    test.each<[string, object, string]>([
      [
        'another definition',
        { payment_service_definition_id: 'mock-card' },
        '/payment_service_definition_id',
      ],
      ['an unknown field', { fields: [{ key: 'colour', value: 'red' }] }, '/fields/0/key'],
      ['a broken number', { fields: [{ key: 'terminal', value: 'x' }] }, '/fields/0/value'],
      ['no currencies', { accepted_currencies: [] }, '/accepted_currencies'],
      ['a currency that is not taken', { accepted_currencies: ['JPY'] }, '/accepted_currencies/0'],
      ['a country that is none', { accepted_countries: ['XX'] }, '/accepted_countries/0'],
      ['tokenization', { payment_method_tokenization_enabled: true }, '/payment_method_tokenization_enabled'],
      ['an unknown scheme', { merchant_profile: { vista: null } }, '/merchant_profile/vista'],
      ['an empty name', { display_name: '' }, '/display_name'],
    ])('refuses %s and changes nothing', async (_name, change, pointer) => {
      const before = await make()

      const response = await update(before.id, change)

      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual([[pointer, expect.any(String)]])
      expect((await get(before.id)).json()).toEqual(before)
    })

    test('of a removed connector says that it can only be deleted', async () => {
      const { id } = await make()
      await service.context.db
        .updateTable('payment_services')
        .set({ payment_service_definition_id: 'gone-card' })
        .where('id', '=', id)
        .execute()

      const changed = await update(id, { active: false })
      const session = await service.send(`POST /payment-services/${id}/sessions`, {})

      expect(changed.statusCode).toBe(400)
      expect(changed.json().message).toBe('gone-card is no longer there; the service can only be deleted')
      expect(session.statusCode).toBe(400)
      expect((await get(id)).statusCode).toBe(200)
      expect((await remove(id)).statusCode).toBe(204)
    })
  })

  describe('deleting a service', () => {
    test('hides it, and shows it among the deleted', async () => {
      const reporting_fields = [{ key: 'report_password', value: SECRET }]
      const before = await make({ reporting_fields })
      const items = await count('vault.items')

      const response = await remove(before.id)

      expect(response.statusCode).toBe(204)
      expect(response.body).toBe('')
      expect((await get(before.id)).statusCode).toBe(404)
      expect((await update(before.id, { active: true })).statusCode).toBe(404)
      expect((await remove(before.id)).statusCode).toBe(404)
      expect((await service.send(`POST /payment-services/${before.id}/sessions`, {})).statusCode).toBe(404)
      const { items: deleted } = (await service.send('GET /payment-services?deleted=true')).json()
      expect(deleted[0]).toEqual({
        ...before,
        secret_reporting_fields: [],
        is_deleted: true,
        webhook_url: null,
        updated_at: expect.any(String),
      })
      expect(await count('vault.items')).toBe(items - 1)
    })
  })

  describe('secrets', () => {
    test('are only in the vault, sealed', async () => {
      const fields = [MERCHANT, { key: 'api_key', value: SECRET }]
      const reporting_fields = [{ key: 'report_password', value: `${SECRET}-2` }]
      const headers = { 'idempotency-key': crypto.randomUUID() }

      const made = await create({ fields, reporting_fields }, { headers })
      const answers = [
        made,
        await create({ fields, reporting_fields }, { headers }),
        await get(made.json().id),
        await update(made.json().id, { fields: [{ key: 'certificate', value: SECRET }] }),
        await update(made.json().id, { fields: [{ key: SECRET, value: SECRET }] }),
        await create({ fields: [...fields, { key: 'api_key', value: SECRET }] }),
        await service.send('GET /payment-services?limit=100'),
        await service.send('GET /audit-logs?limit=100'),
        await service.send(`POST /payment-services/${made.json().id}/sessions`, {}),
      ]

      expect(made.statusCode, made.body).toBe(201)
      expect(answers[1]?.headers['idempotent-replayed']).toBe('true')
      for (const { body } of answers) expect(body).not.toContain('canary')
      const tables = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'vault')
    `.execute(service.context.db)
      for (const { name } of tables.rows) {
        const found = await sql
          .raw(
            `select 1 from ${name} as t where t::text ~ '${SECRET}|${Buffer.from(SECRET).toString('hex')}'`,
          )
          .execute(service.context.db)
        expect(found.rows, name).toEqual([])
      }
    })

    test('that are replaced leave the vault', async () => {
      const { id } = await make({ fields: [MERCHANT, { key: 'api_key', value: SECRET }] })
      const [before, items] = [await secretsOf(id), await count('vault.items')]

      await update(id, { fields: [{ key: 'api_key', value: `${SECRET}-new` }] })
      const after = await secretsOf(id)

      expect(Object.keys(after)).toEqual(['api_key'])
      expect(after['api_key']).not.toBe(before['api_key'])
      expect(await count('vault.items')).toBe(items)
    })

    test('stay when others are changed, and when a change is refused', async () => {
      const { id } = await make({ fields: [MERCHANT, { key: 'api_key', value: SECRET }] })
      const before = await secretsOf(id)

      await update(id, { fields: [{ key: 'terminal', value: '1' }] })
      await update(id, { fields: [{ key: 'api_key', value: 'new' }], accepted_currencies: ['JPY'] })

      expect(await secretsOf(id)).toEqual(before)
    })
  })

  describe('another merchant account', () => {
    test('neither sees nor changes a service', async () => {
      const { id } = await make()
      const options = { account: 'other' }

      for (const response of [
        await get(id, options),
        await update(id, { active: false }, options),
        await remove(id, options),
        await service.send(`POST /payment-services/${id}/sessions`, {}, options),
      ]) {
        expect(response.statusCode).toBe(404)
      }
      expect((await get(id)).json().active).toBe(true)
    })
  })

  describe('roles', () => {
    test('processing reads services and opens sessions, but creates none', async () => {
      const { id } = await make()
      const token = await signToken(await service.addKey({ roleIds: [PROCESSING] }))

      expect((await get(id, { token })).statusCode).toBe(200)
      expect((await service.send('GET /payment-service-definitions', undefined, { token })).statusCode).toBe(
        200,
      )
      expect((await service.send(`POST /payment-services/${id}/sessions`, {}, { token })).statusCode).toBe(
        200,
      )
      expect((await create({}, { token })).statusCode).toBe(403)
      expect((await remove(id, { token })).statusCode).toBe(403)
    })

    test('reporting changes nothing, and system manager creates services', async () => {
      const { rows } = await sql<{ id: string }>`select id from roles where slug = 'system-manager'`.execute(
        service.context.db,
      )
      const reporting = await signToken(await service.addKey({ roleIds: [REPORTING] }))
      const manager = await signToken(await service.addKey({ roleIds: [rows[0]?.id ?? ''] }))

      expect((await create({}, { token: reporting })).statusCode).toBe(403)
      expect((await create({}, { token: manager })).statusCode).toBe(201)
    })
  })

  describe('verifying credentials', () => {
    const KEY = { key: 'api_key', value: 'right-key' }
    const verify = (body: object, options = {}) =>
      service.send(
        'POST /payment-services/verify',
        { payment_service_definition_id: 'test-card', ...body },
        options,
      )

    test('answers 200 if the provider accepts them, and stores nothing', async () => {
      const before = await count('vault.items')

      const response = await verify({ fields: [MERCHANT, KEY] })

      expect(response.statusCode, response.body).toBe(200)
      expect(response.json()).toEqual({})
      expect(await count('vault.items')).toBe(before)
    })

    test('asks the simulator, too', async () => {
      const ask = (value: string) =>
        verify({ payment_service_definition_id: 'mock-card', fields: [{ key: 'merchant_id', value }] })

      expect((await ask('shop')).statusCode).toBe(200)
      expect((await ask('invalid')).statusCode).toBe(400)
      expect((await ask('unreachable')).statusCode).toBe(504)
    })

    test('refuses those that the provider rejects, without repeating them', async () => {
      const response = await verify({ fields: [MERCHANT, { key: 'api_key', value: SECRET }] })

      expect(response.statusCode).toBe(400)
      expect(response.json().details).toEqual([
        {
          location: 'body',
          pointer: '/fields',
          type: 'value_error.conflict',
          message: 'the provider rejects these credentials: no such key: ***',
        },
      ])
    })

    test.each([
      ['unreachable', 504, 'gateway_timeout', 'a provider did not answer in time'],
      ['stall', 504, 'gateway_timeout', 'a provider did not answer in time'],
      ['break', 502, 'bad_gateway', 'a provider gave an unusable answer'],
    ])('of a provider that is %s answers %i', async (value, status, code, reason) => {
      const response = await givingUp(service, () => verify({ fields: [{ key: 'merchant_id', value }] }))

      expect(response.statusCode).toBe(status)
      expect(response.json()).toMatchObject({
        code,
        message: 'Request could not be processed',
        details: [{ message: expect.stringContaining(reason) }],
      })
      expect(response.headers['retry-after']).toBe('5')
    })

    test.each([
      ['unreachable', 504],
      ['break', 502],
    ])('of a provider that is %s asks again on a retry with its key', async (value, status) => {
      const body = { fields: [{ key: 'merchant_id', value }] }
      const options = { headers: { 'idempotency-key': crypto.randomUUID() } }

      const first = await verify(body, options)
      const again = await verify(body, options)

      expect([first.statusCode, again.statusCode]).toEqual([status, status])
      expect(again.headers['idempotent-replayed']).toBeUndefined()
    })

    test('fills gaps from a stored service', async () => {
      const { id } = await make({ fields: [MERCHANT, KEY] })

      const stored = await verify({ payment_service_id: id, fields: [] })
      const other = await verify({ payment_service_id: id, fields: [{ key: 'api_key', value: 'wrong-key' }] })

      expect(stored.statusCode, stored.body).toBe(200)
      expect(other.statusCode).toBe(400)
      expect(other.json().details[0].message).toContain('***')
    })

    test.each<[string, object, string]>([
      [
        'an unknown definition',
        { payment_service_definition_id: 'nobody', fields: [] },
        '/payment_service_definition_id',
      ],
      ['an unknown service', { payment_service_id: MISSING, fields: [] }, '/payment_service_id'],
      ['a service id that is none', { payment_service_id: 'x', fields: [] }, '/payment_service_id'],
      ['a missing field', { fields: [KEY] }, '/fields'],
      ['an unknown field', { fields: [MERCHANT, { key: 'colour', value: 'red' }] }, '/fields/1/key'],
      ['a field given twice', { fields: [MERCHANT, MERCHANT] }, '/fields/1/key'],
      ['no fields', {}, '/fields'],
    ])('refuses %s', async (_name, body, pointer) => {
      const response = await verify(body)

      expect(response.statusCode, response.body).toBe(400)
      expect(pointers(response)).toEqual([[pointer, expect.any(String)]])
    })

    test('refuses the service of another account, and one of another definition', async () => {
      const { id } = await make({ fields: [MERCHANT, KEY] })
      const { id: mock } = await make({ payment_service_definition_id: 'mock-card' })

      const foreign = await verify({ payment_service_id: id, fields: [] }, { account: 'other' })
      const different = await verify({ payment_service_id: mock, fields: [MERCHANT, KEY] })

      expect(pointers(foreign)).toEqual([['/payment_service_id', 'value_error.not_found']])
      expect(pointers(different)).toEqual([['/payment_service_id', 'value_error.conflict']])
    })

    test('is refused if the definition does not support it', async () => {
      const response = await verify({
        payment_service_definition_id: 'test-redirect',
        fields: [{ key: 'account', value: 'x' }],
      })

      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe('test-redirect does not support the operation verify')
    })
  })

  describe('a session', () => {
    test('is opened with the service’s own fields', async () => {
      const { id } = await make({ fields: [MERCHANT, { key: 'api_key', value: SECRET }] })

      const response = await service.send(`POST /payment-services/${id}/sessions`, { act: 'greet' })

      expect(response.statusCode, response.body).toBe(200)
      expect(response.json()).toEqual({
        type: 'payment-service-session',
        status: 'succeeded',
        code: null,
        status_code: 201,
        response_body: { payload: { act: 'greet' }, known: ['merchant_id', 'api_key'] },
      })
    })

    test.each([
      ['refuse', 200],
      ['break', 502],
      ['stall', 504],
    ])('of a provider that does %s answers %i, and repeats no secret', async (act, status) => {
      const { id } = await make({ fields: [MERCHANT, { key: 'api_key', value: SECRET }] })

      const asked = () => service.send(`POST /payment-services/${id}/sessions`, { act })
      const response = await givingUp(service, asked)

      expect(response.statusCode).toBe(status)
      expect(response.body).not.toContain(SECRET)
    })

    test('is refused for the simulator, which has none', async () => {
      const { id } = await make({ payment_service_definition_id: 'mock-card' })

      const response = await service.send(`POST /payment-services/${id}/sessions`, {})

      expect(response.statusCode).toBe(400)
      expect(response.json().message).toBe('mock-card does not support the operation session')
    })
  })

  describe('for payments', () => {
    test('lists usable services in the order in which they are tried', async () => {
      await service.send('POST /merchant-accounts', { id: 'ordered', display_name: 'Ordered' })
      const options = { account: 'ordered' }
      const third = await make(
        { position: 5, fields: [MERCHANT, { key: 'api_key', value: SECRET }] },
        options,
      )
      const fourth = await make({ position: 5 }, options)
      const first = await make({ position: -1 }, options)
      const second = await make({ position: 0 }, options)
      const inactive = await make({ active: false }, options)
      const deleted = await make({}, options)
      await remove(deleted.id, options)
      const scope = { ...service.context, merchantAccountId: 'ordered' }

      const usable = await paymentServices.listActive(scope, 'card')

      expect(usable.map(({ id }) => id)).toEqual([first.id, second.id, third.id, fourth.id])
      expect(usable[2]).toMatchObject({
        payment_service_definition_id: 'test-card',
        fields: { merchant_id: 'shop' },
        secrets: { api_key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      })
      expect(await paymentServices.listActive(scope, 'ideal')).toEqual([])
      const named = await paymentServices.findMany(service.context, [deleted.id, inactive.id, MISSING])
      expect([...named.values()].map(({ display_name }) => display_name)).toEqual(['Cards', 'Cards'])
      expect(await paymentServices.findMany(service.context, [])).toEqual(new Map())
    })

    test('a notification key belongs to one service of one installation', async () => {
      const [one, two] = [await make(), await make()]

      const keys = [one, two].map(({ webhook_url }) => String(webhook_url).split('/').at(-1))

      expect(keys[0]).toBe(notificationKey(one.id))
      expect(keys[0]).not.toBe(keys[1])
    })
  })

  async function secretsOf(id: string): Promise<Readonly<Record<string, string>>> {
    const stored = await paymentServices.find({ ...service.context, merchantAccountId: 'default' }, id)
    return stored?.secrets ?? {}
  }

  function notificationKey(id: string): string {
    return service.secrets.mac('payment-service-notifications', id).toString('base64url')
  }
})

describe('deleting one', () => {
  const SECRET = 'a-secret-of-ours'

  let service: TestService
  let till: Till
  beforeAll(async () => {
    service = await startTestService()
    till = openTill(service)
  })
  afterAll(() => service.close())

  const remove = (id: string) => service.send(`DELETE /payment-services/${id}`)

  test('an open operation ends by a notification after its service is deleted', async () => {
    const later = await till.addService({ asynchronous: 'true', webhook_secret: SECRET })
    const paid = await till.pay({ payment_service_id: later.id, intent: 'capture' })
    const { payment_service_transaction_id } = paid
    const message = { event: 'capture.succeeded', payment_service_transaction_id }

    const removed = await remove(later.id)
    const forged = await till.notify(later, message, 'another-secret')
    const told = await till.notify(later, message, SECRET)
    const again = await till.notify(later, message, SECRET)
    service.moveClock(11 * 60_000)
    for (const { run } of paymentServiceJobs) await run(service, new AbortController().signal)
    const afterwards = await till.notify(later, message, SECRET)

    expect(paid.status).toBe('processing')
    expect(removed.statusCode).toBe(204)
    expect(forged.statusCode).toBe(400)
    expect(told.statusCode, told.body).toBe(204)
    expect((await till.get(paid.id)).status).toBe('capture_succeeded')
    expect(again.statusCode).toBe(204)
    // The payment may be disputed, or fail late: the service still hears of it, for 180 days.
    expect(afterwards.statusCode).toBe(204)
  })

  test.each([
    ['by the job', () => service.resolveDue()],
    ['when the merchant wants to know', (id: string) => till.act(id, 'sync')],
  ])('a lost answer is resolved after the service is deleted: %s', async (_when, ask) => {
    const { id: payment_service_id } = await till.addService({ extended: 'true', webhook_secret: SECRET })
    const connection_options = { 'mock-card': { fault: { on: 'authorize', kind: 'lose-answer' } } }
    const paid = await till.pay({ payment_service_id, connection_options })
    await remove(payment_service_id)
    service.moveClock(2 * 60_000)

    await ask(paid.id)

    expect(paid.status).toBe('processing')
    expect((await till.get(paid.id)).status).toBe('authorization_succeeded')
  })
})
