import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

let count = 0
const newId = () => {
  count += 1
  return `shop-${count}`
}
const create = (body: object = {}) =>
  service.send('POST /merchant-accounts', { id: newId(), display_name: 'Shop', ...body })
const update = (id: string, body: object) => service.send(`PUT /merchant-accounts/${id}`, body)

test('there is an account to begin with', async () => {
  expect((await service.send('GET /merchant-accounts/default')).json()).toMatchObject({
    type: 'merchant-account',
    id: 'default',
    account_updater_enabled: false,
  })
})

test('takes the largest percentage that the contract names', async () => {
  const response = await create({ over_capture_percentage: 99_999_999 })

  expect(response.statusCode, response.body).toBe(201)
  expect(response.json().over_capture_percentage).toBe(99_999_999)
})

test('creates an account with every field, and reads it back', async () => {
  const id = newId()
  const response = await service.send('POST /merchant-accounts', {
    id,
    display_name: 'Everything',
    account_updater_enabled: true,
    account_updater_request_encryption_key: 'request-key',
    account_updater_request_encryption_key_id: 'request-key-id',
    account_updater_response_decryption_key: 'response-key',
    account_updater_response_decryption_key_id: 'response-key-id',
    over_capture_amount: 500,
    over_capture_percentage: 15,
    loon_client_key: 'client-key',
    loon_secret_key: 'secret-key',
    loon_accepted_schemes: ['visa', 'mastercard'],
    loon_merchant_account_id: 'loon-1',
    visa_network_tokens_requestor_id: 'visa-requestor',
    visa_network_tokens_app_id: 'visa-app',
    amex_network_tokens_requestor_id: 'amex-requestor',
    amex_network_tokens_app_id: 'amex-app',
    mastercard_network_tokens_requestor_id: 'mastercard-requestor',
    mastercard_network_tokens_app_id: 'mastercard-app',
    discover_network_tokens_requestor_id: 'discover-requestor',
    discover_network_tokens_app_id: 'discover-app',
    async_network_tokens_enabled: true,
  })

  expect(response.statusCode, response.body).toBe(201)
  expect(response.json()).toMatchObject({
    id,
    over_capture_amount: 500,
    loon_client_key: '********',
    loon_secret_key: '********',
    account_updater_request_encryption_key: '********',
    account_updater_request_encryption_key_id: 'request-key-id',
    discover_network_tokens_app_id: 'discover-app',
    async_network_tokens_enabled: true,
  })
  expect((await service.send(`GET /merchant-accounts/${id}`)).json()).toEqual(response.json())
  const row = JSON.stringify(await service.context.db.selectFrom('merchant_accounts').selectAll().execute())
  for (const secret of ['client-key', 'secret-key', '"request-key"', 'response-key"'])
    expect(row).not.toContain(secret)
})

test('refuses a second account with the same id', async () => {
  const id = newId()
  await create({ id })

  const second = await create({ id, display_name: 'Second' })

  expect(second.statusCode).toBe(409)
  expect(second.json()).toEqual({
    type: 'error',
    code: 'duplicate_record',
    status: 409,
    message: 'Generic error',
    details: [
      {
        location: 'body',
        pointer: '/id',
        type: 'value_error.duplicate',
        message: 'a merchant account has this id',
      },
    ],
    resource_id: id,
  })
  expect((await service.send(`GET /merchant-accounts/${id}`)).json().display_name).toBe('Shop')
})

test('only one of twenty concurrent requests with the same id creates an account', async () => {
  const id = newId()

  const answers = await Promise.all(Array.from({ length: 20 }, () => create({ id })))

  expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(19)
})

test.each([
  [{ id: '' }, '/id'],
  [{ id: 'a b' }, '/id'],
  [{ id: 'x'.repeat(51) }, '/id'],
  [{ display_name: '' }, '/display_name'],
  [{ display_name: 'x'.repeat(256) }, '/display_name'],
  [{ visa_network_tokens_app_id: 'alone' }, '/visa_network_tokens_requestor_id'],
  [{ loon_client_key: 'alone' }, '/loon_secret_key'],
  [
    {
      account_updater_request_encryption_key: 'a',
      account_updater_request_encryption_key_id: 'b',
      account_updater_response_decryption_key: 'c',
    },
    '/account_updater_response_decryption_key_id',
  ],
  [
    { visa_network_tokens_requestor_id: 'x'.repeat(301), visa_network_tokens_app_id: 'y' },
    '/visa_network_tokens_requestor_id',
  ],
])('refuses %j', async (body, pointer) => {
  const response = await create(body)

  expect(response.statusCode).toBe(400)
  expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toEqual([pointer])
})

describe('a network token id', () => {
  test('belongs to one account', async () => {
    const first = (
      await create({ visa_network_tokens_requestor_id: 'r-1', visa_network_tokens_app_id: 'a-1' })
    ).json()

    const second = await create({
      amex_network_tokens_requestor_id: 'r-1',
      amex_network_tokens_app_id: 'a-2',
    })

    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({
      resource_id: first.id,
      details: [{ pointer: '/amex_network_tokens_requestor_id' }],
    })
  })

  test('belongs to one scheme', async () => {
    const response = await create({
      visa_network_tokens_requestor_id: 'same',
      visa_network_tokens_app_id: 'v-app',
      amex_network_tokens_requestor_id: 'same',
      amex_network_tokens_app_id: 'a-app',
    })

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].type).toBe('value_error.duplicate')
  })

  test('can be taken over once it is free', async () => {
    const first = (
      await create({ visa_network_tokens_requestor_id: 'r-9', visa_network_tokens_app_id: 'a-9' })
    ).json()
    await update(first.id, { visa_network_tokens_requestor_id: null, visa_network_tokens_app_id: null })

    const second = await create({
      visa_network_tokens_requestor_id: 'r-9',
      visa_network_tokens_app_id: 'a-9',
    })

    expect(second.statusCode, second.body).toBe(201)
  })
})

describe('updating', () => {
  test('keeps absent fields and clears null ones', async () => {
    const { id } = (
      await create({ over_capture_amount: 5, over_capture_percentage: 6, account_updater_enabled: true })
    ).json()

    const response = await update(id, { over_capture_amount: null, display_name: 'Changed' })

    expect(response.json()).toMatchObject({
      display_name: 'Changed',
      over_capture_amount: null,
      over_capture_percentage: 6,
      account_updater_enabled: true,
    })
  })

  test('keeps masked keys when an answer is sent back', async () => {
    const { id } = (await create({ loon_client_key: 'client', loon_secret_key: 'secret' })).json()
    const {
      type,
      id: _id,
      created_at,
      updated_at,
      ...shown
    } = (await service.send(`GET /merchant-accounts/${id}`)).json()

    const response = await update(id, { ...shown, display_name: 'Same keys' })

    expect(response.statusCode, response.body).toBe(200)
    const row = await service.context.db
      .selectFrom('merchant_accounts')
      .select('sealed_keys')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(
      JSON.parse(service.secrets.open('merchant-account-keys', id, row.sealed_keys ?? Buffer.alloc(0))),
    ).toEqual({
      loon_client_key: 'client',
      loon_secret_key: 'secret',
    })
  })

  test('refuses half of a pair', async () => {
    const { id } = (await create({ loon_client_key: 'client', loon_secret_key: 'secret' })).json()

    const response = await update(id, { loon_secret_key: null })

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].pointer).toBe('/loon_secret_key')
  })

  test('applies two concurrent updates', async () => {
    const { id } = (await create()).json()

    await Promise.all([update(id, { over_capture_amount: 1 }), update(id, { over_capture_percentage: 2 })])

    expect((await service.send(`GET /merchant-accounts/${id}`)).json()).toMatchObject({
      over_capture_amount: 1,
      over_capture_percentage: 2,
    })
  })

  test('cannot change the id', async () => {
    expect((await update('default', { id: 'renamed' })).json().details[0].pointer).toBe('/id')
  })
})

describe('a restricted key', () => {
  test('sees only its accounts and cannot add one', async () => {
    await create({ id: 'mine' })
    const token = await signToken(await service.addKey({ merchantAccountIds: ['mine'] }))

    const listed = (await service.send('GET /merchant-accounts', undefined, { token })).json()
    const added = await service.send(
      'POST /merchant-accounts',
      { id: 'more', display_name: 'More' },
      { token },
    )

    expect(listed.items.map(({ id }: { id: string }) => id)).toEqual(['mine'])
    expect(added.statusCode).toBe(403)
    expect((await service.send('GET /merchant-accounts/more')).statusCode).toBe(404)
  })
})

test.each([
  ['Needle', ['needle-2', 'needle-1']],
  ['needle-1', ['needle-1']],
  ['50%25', ['needle-2']],
  ['%25', ['needle-2']],
  ['_', []],
  ['nothing-like-it', []],
])('search %s finds %j', async (search, expected) => {
  for (const [id, display_name] of [
    ['needle-1', 'First needle'],
    ['needle-2', 'Needle at 50%'],
  ]) {
    await create({ id, display_name })
  }

  const found = (await service.send(`GET /merchant-accounts?search=${search}`)).json()

  expect(found.items.map(({ id }: { id: string }) => id)).toEqual(expected)
})
