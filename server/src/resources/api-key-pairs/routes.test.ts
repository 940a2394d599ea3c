import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING, pointers } from '#testing/answers.ts'
import {
  ADMINISTRATOR,
  PROCESSING,
  REPORTING,
  signToken,
  startTestService,
  type TestService,
} from '#testing/harness.ts'

const SYSTEM_MANAGER = '01900000-0000-7000-8000-000000000004'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  for (const id of ['shop', 'other']) await service.send('POST /merchant-accounts', { id, display_name: id })
})
afterAll(() => service.close())

const create = (body: object, token?: string) =>
  service.send(
    'POST /api-key-pairs',
    { display_name: 'Shop', role_ids: [REPORTING], ...body },
    token ? { token } : {},
  )
const spki = (key: { export: (options: { type: 'spki'; format: 'pem' }) => string | Buffer }) =>
  key.export({ type: 'spki', format: 'pem' }).toString()

describe('creating a pair', () => {
  test('returns the private key once, and fills creator, roles and accounts', async () => {
    const response = await create({
      role_ids: [PROCESSING, REPORTING],
      merchant_account_ids: ['other', 'shop'],
    })

    expect(response.statusCode, response.body).toBe(201)
    const pair = response.json()
    expect(pair).toMatchObject({
      type: 'api-key-pair',
      display_name: 'Shop',
      algorithm: 'ECDSA',
      active: true,
      last_used_at: null,
      creator: {
        id: service.admin.id,
        name: 'Test key',
        email_address: null,
        thumbprint: service.admin.publicKey.thumbprint,
      },
      merchant_accounts: [
        {
          type: 'merchant-account',
          id: 'other',
          display_name: 'other',
          over_capture_amount: null,
          over_capture_percentage: null,
        },
        { type: 'merchant-account', id: 'shop' },
      ],
      roles: [
        { type: 'role', slug: 'processing' },
        { type: 'role', slug: 'reporting' },
      ],
    })
    expect(pair.private_key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    expect(createPublicKey(pair.private_key).asymmetricKeyDetails?.namedCurve).toBe('secp521r1')
    const read = (await service.send(`GET /api-key-pairs/${pair.id}`)).json()
    expect(read).toEqual({ ...pair, private_key: null })
    const listed = (await service.send('GET /api-key-pairs'))
      .json()
      .items.find(({ id }: { id: string }) => id === pair.id)
    expect(listed).toEqual(read)
  })

  test('makes an RSA pair on request', async () => {
    const pair = (await create({ algorithm: 'RSA' })).json()

    expect(pair.algorithm).toBe('RSA')
    expect(createPublicKey(pair.private_key).asymmetricKeyDetails?.modulusLength).toBe(3072)
  })

  test('can be inactive from the start', async () => {
    expect((await create({ active: false })).json().active).toBe(false)
  })

  test.each([
    ['P-521', 'ECDSA', () => generateKeyPairSync('ec', { namedCurve: 'P-521' })],
    ['P-256', 'ECDSA', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RSA', 'RSA', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['Ed25519', 'EdDSA', () => generateKeyPairSync('ed25519')],
  ])('registers a public key: %s', async (_name, algorithm, make) => {
    const { publicKey } = make()

    const response = await create({ public_key: spki(publicKey) })

    expect(response.statusCode, response.body).toBe(201)
    expect(response.json()).toMatchObject({ algorithm, private_key: null })
  })

  test('refuses the same public key twice, and names the first', async () => {
    const public_key = spki(generateKeyPairSync('ed25519').publicKey)
    const first = await create({ public_key })
    const before = (await service.send('GET /api-key-pairs?limit=100')).json().items.length

    const second = await create({ public_key })

    expect(second.statusCode).toBe(409)
    expect(second.json()).toMatchObject({ code: 'duplicate_record', resource_id: first.json().id })
    expect((await service.send('GET /api-key-pairs?limit=100')).json().items.length).toBe(before)
  })

  test.each([
    ['garbage', 'hello'],
    ['an empty PEM', '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----'],
    [
      'a private key',
      generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
    ['RSA of 1024 bits', spki(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)],
    [
      'RSA with exponent 3',
      spki(generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 3 }).publicKey),
    ],
    ['another curve', spki(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey)],
    ['a key for exchange', spki(generateKeyPairSync('x25519').publicKey)],
    ['Ed448', spki(generateKeyPairSync('ed448').publicKey)],
    ['text that is too long', 'x'.repeat(10_001)],
    ['nothing', ''],
  ])('refuses %s as a public key, without repeating it', async (_name, public_key) => {
    const response = await create({ public_key })

    expect(response.statusCode).toBe(400)
    expect(response.json().details[0].pointer).toBe('/public_key')
    if (public_key) expect(response.body).not.toContain(public_key.slice(30, 60) || public_key)
  })

  test.each([
    [{ display_name: '' }, '/display_name', 'value_error.any_str.min_length'],
    [{ display_name: 'x'.repeat(201) }, '/display_name', 'value_error.any_str.max_length'],
    [{ display_name: null }, '/display_name', 'type_error.string'],
    [{ role_ids: [] }, '/role_ids', 'value_error.list.min_items'],
    [{ role_ids: ['king'] }, '/role_ids/0', 'value_error.not_found'],
    [{ role_ids: ['No role!'] }, '/role_ids/0', 'value_error.not_found'],
    [{ role_ids: ['x'.repeat(51)] }, '/role_ids/0', 'value_error.any_str.max_length'],
    [{ role_ids: [REPORTING, MISSING] }, '/role_ids/1', 'value_error.not_found'],
    [{ merchant_account_ids: ['shop', 'nowhere'] }, '/merchant_account_ids/1', 'value_error.not_found'],
    [{ merchant_account_ids: ['shop', 'shop'] }, '/merchant_account_ids', 'value_error.duplicate'],
    [{ algorithm: 'HS256' }, '/algorithm', 'type_error.enum'],
    [{ algorithm: 'EdDSA' }, '/algorithm', 'type_error.enum'],
    [{ active: 'yes' }, '/active', 'type_error.bool'],
  ])('refuses %j', async (change, pointer, type) => {
    const response = await create(change)

    expect(response.statusCode).toBe(400)
    expect(pointers(response)).toEqual([[pointer, type]])
  })

  test('refuses an algorithm that contradicts the key', async () => {
    const response = await create({
      algorithm: 'RSA',
      public_key: spki(generateKeyPairSync('ed25519').publicKey),
    })

    expect(pointers(response)).toEqual([['/algorithm', 'value_error.conflict']])
  })

  test('takes a display name of 200 characters', async () => {
    expect((await create({ display_name: 'x'.repeat(200) })).statusCode).toBe(201)
  })
})

describe('callers cannot grant more than they have', () => {
  test('a key cannot grant a role beyond its own', async () => {
    const token = await signToken(await service.addKey({ roleIds: [SYSTEM_MANAGER] }))

    const refused = await create({ role_ids: [ADMINISTRATOR] }, token)
    const allowed = await create({ role_ids: [SYSTEM_MANAGER] }, token)

    expect(refused.statusCode).toBe(403)
    expect(pointers(refused)).toEqual([['/role_ids/0', 'value_error.conflict']])
    expect(allowed.statusCode).toBe(201)
  })

  test('a token cannot grant a role beyond its scopes', async () => {
    const token = await signToken(service.admin, { scopes: ['api-key-pairs.write'] })

    expect((await create({ role_ids: [REPORTING] }, token)).statusCode).toBe(403)
  })

  test('a restricted key can grant only its own accounts, and not all', async () => {
    const token = await signToken(await service.addKey({ merchantAccountIds: ['shop'] }))

    const all = await create({}, token)
    const foreign = await create({ merchant_account_ids: ['other'] }, token)
    const own = await create({ merchant_account_ids: ['shop'] }, token)

    expect(all.statusCode).toBe(403)
    expect(pointers(foreign)).toEqual([['/merchant_account_ids/0', 'value_error.not_found']])
    expect(own.statusCode).toBe(201)
  })

  test('a restricted key sees only keys within its accounts', async () => {
    const token = await signToken(await service.addKey({ merchantAccountIds: ['shop'], name: 'Restricted' }))
    await service.addKey({ merchantAccountIds: ['shop', 'other'], name: 'Wider' })

    const listed = (await service.send('GET /api-key-pairs?limit=100', undefined, { token })).json().items

    expect(listed.length).toBeGreaterThan(0)
    for (const pair of listed) {
      expect(pair.merchant_accounts.map(({ id }: { id: string }) => id)).toEqual(['shop'])
    }
  })

  test('a key cannot change or delete one that may do more', async () => {
    const token = await signToken(await service.addKey({ roleIds: [SYSTEM_MANAGER] }))
    const target = await service.addKey({ roleIds: [ADMINISTRATOR] })

    const update = await service.send(`PUT /api-key-pairs/${target.id}`, { active: false }, { token })
    const remove = await service.send(`DELETE /api-key-pairs/${target.id}`, undefined, { token })

    expect([update.statusCode, remove.statusCode]).toEqual([403, 403])
    expect((await service.send(`GET /api-key-pairs/${target.id}`)).json().active).toBe(true)
  })

  test('a key cannot extend its own permissions', async () => {
    const key = await service.addKey({ roleIds: [SYSTEM_MANAGER], merchantAccountIds: ['shop'] })
    const token = await signToken(key)
    const update = (body: object) => service.send(`PUT /api-key-pairs/${key.id}`, body, { token })

    expect((await update({ role_ids: [ADMINISTRATOR] })).statusCode).toBe(403)
    expect((await update({ merchant_account_ids: [] })).statusCode).toBe(403)
    expect((await update({ merchant_account_ids: ['other'] })).statusCode).toBe(400)
  })
})

describe('roles', () => {
  const slugsOf = (response: { json: () => { roles: { slug: string }[] } }) =>
    response.json().roles.map(({ slug }) => slug)

  test('are named by id or by slug, even one role by both', async () => {
    const created = await create({ role_ids: ['processing', REPORTING, PROCESSING.toUpperCase()] })
    const updated = await service.send(`PUT /api-key-pairs/${created.json().id}`, {
      role_ids: ['system-manager'],
    })

    expect(created.statusCode, created.body).toBe(201)
    expect(new Set(slugsOf(created))).toEqual(new Set(['processing', 'reporting']))
    expect(updated.statusCode, updated.body).toBe(200)
    expect(slugsOf(updated)).toEqual(['system-manager'])
  })

  test('named by slug grant no more than the caller has', async () => {
    const key = await service.addKey({ roleIds: [SYSTEM_MANAGER] })

    const refused = await create({ role_ids: ['system-manager', 'administrator'] }, await signToken(key))

    expect(refused.statusCode).toBe(403)
    expect(pointers(refused)).toEqual([['/role_ids/1', 'value_error.conflict']])
  })
})

describe('updating a pair', () => {
  test('changes only the sent fields', async () => {
    const pair = (await create({ merchant_account_ids: ['shop'] })).json()

    const renamed = (await service.send(`PUT /api-key-pairs/${pair.id}`, { display_name: 'Renamed' })).json()
    const moved = (
      await service.send(`PUT /api-key-pairs/${pair.id}`, {
        merchant_account_ids: [],
        role_ids: [PROCESSING],
      })
    ).json()

    expect(renamed).toMatchObject({
      display_name: 'Renamed',
      active: true,
      merchant_accounts: [{ id: 'shop' }],
      private_key: null,
    })
    expect(renamed.updated_at >= pair.updated_at).toBe(true)
    expect(moved).toMatchObject({
      display_name: 'Renamed',
      merchant_accounts: [],
      roles: [{ slug: 'processing' }],
    })
  })

  test('treats null as unchanged', async () => {
    const pair = (await create({ merchant_account_ids: ['shop'] })).json()
    const nothing = { display_name: null, active: null, role_ids: null, merchant_account_ids: null }

    const response = await service.send(`PUT /api-key-pairs/${pair.id}`, nothing)

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({
      display_name: 'Shop',
      active: true,
      merchant_accounts: [{ id: 'shop' }],
    })
  })

  test.each([
    [{ display_name: 'x'.repeat(201) }, '/display_name'],
    [{ role_ids: [] }, '/role_ids'],
    [{ role_ids: [MISSING] }, '/role_ids/0'],
    [{ merchant_account_ids: ['nowhere'] }, '/merchant_account_ids/0'],
    [{ algorithm: 'RSA' }, '/algorithm'],
    [{ public_key: 'x' }, '/public_key'],
  ])('refuses %j and changes nothing', async (change, pointer) => {
    const pair = (await create({})).json()

    const response = await service.send(`PUT /api-key-pairs/${pair.id}`, change)

    expect(response.statusCode).toBe(400)
    expect(pointers(response).map(([found]) => found)).toEqual([pointer])
    expect((await service.send(`GET /api-key-pairs/${pair.id}`)).json()).toEqual({
      ...pair,
      private_key: null,
    })
  })
})

test('deleting a pair is for good, and in the audit log', async () => {
  const pair = (await create({ display_name: 'Short-lived' })).json()

  const response = await service.send(`DELETE /api-key-pairs/${pair.id}`)

  expect(response.statusCode).toBe(204)
  expect(response.body).toBe('')
  expect((await service.send(`GET /api-key-pairs/${pair.id}`)).statusCode).toBe(404)
  expect((await service.send(`DELETE /api-key-pairs/${pair.id}`)).statusCode).toBe(404)
  const [entry] = (
    await service.send('GET /audit-logs?action=deleted&resource_type=api-key-pair&limit=1')
  ).json().items
  expect(entry).toMatchObject({
    resource: { id: pair.id, name: 'Short-lived' },
    user: { id: service.admin.id },
  })
})

test('a key may delete itself', async () => {
  const key = await service.addKey()
  const token = await signToken(key)

  expect((await service.send(`DELETE /api-key-pairs/${key.id}`, undefined, { token })).statusCode).toBe(204)
  expect((await service.send('GET /api-key-pairs', undefined, { token })).statusCode).toBe(401)
})

test('subscribers of the whole installation are told of a pair, and never its private key', async () => {
  const created = (await create({ display_name: 'Told' })).json()
  const updated = (await service.send(`PUT /api-key-pairs/${created.id}`, { active: false })).json()
  await service.send(`DELETE /api-key-pairs/${created.id}`)

  const response = await service.send(`GET /events?target_id=${created.id}`, undefined, { account: '*' })

  const targetOf = ({ active, private_key: _, ...pair }: Record<string, unknown>) => ({
    ...pair,
    enabled: active,
  })
  const { items } = response.json()
  expect(
    items.map((event: Record<string, unknown>) => [
      event['name'],
      event['merchant_account_id'],
      event['target'],
    ]),
  ).toEqual([
    ['api-key-pair.deleted', null, targetOf(updated)],
    ['api-key-pair.updated', null, targetOf(updated)],
    ['api-key-pair.created', null, targetOf(created)],
  ])
  expect(created.private_key).toContain('PRIVATE KEY')
  expect(response.body).not.toContain('PRIVATE KEY')
})
