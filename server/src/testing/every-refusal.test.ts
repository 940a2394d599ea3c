import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MISSING } from './answers.ts'
import { signToken, startTestService, type TestService } from './harness.ts'
import { CARD } from './till.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

describe('401 says why', () => {
  const now = () => Math.floor(Date.now() / 1000)
  test.each<[string, () => Promise<string | null>, string]>([
    ['no token', async () => null, 'no token was found: send Authorization: Bearer'],
    [
      'a token that has expired',
      () => signToken(service.admin, { exp: now() - 60 }),
      'The token has expired: sign a new one',
    ],
    [
      'a token that was cut',
      async () => (await signToken(service.admin)).slice(0, -20),
      'The signature does not match the key: the token was changed or cut',
    ],
    [
      'half a token',
      async () => (await signToken(service.admin)).split('.')[0] ?? '',
      'The token is not a JWT: send all three parts',
    ],
    [
      'an unknown key',
      () => signToken(service.admin, {}, { kid: 'A'.repeat(43) }),
      'not signed by an active API key: use a key that is registered',
    ],
    ['a token of tomorrow', () => signToken(service.admin, { nbf: now() + 3_600 }), 'check the clock'],
    ['no scopes', () => signToken(service.admin, { scopes: null }), 'add the claim scopes'],
  ])('%s', async (_what, token, message) => {
    const response = await service.send('GET /roles', undefined, { token: await token() })

    expect(response.statusCode).toBe(401)
    expect(response.json().message).toBe('No valid API authentication found')
    expect(response.json().details).toMatchObject([{ location: 'header', pointer: '/authorization' }])
    expect(response.json().details[0].message).toContain(message)
  })
})

describe('404 of an unknown path suggests the right one', () => {
  test.each([
    ['/transaction', 'did you mean /transactions?'],
    ['/v1/transactions', 'paths have no version and no prefix; use /transactions'],
    ['/api/v1/transactions', 'use /transactions'],
    ['/transactions/', 'paths have no slash at the end; use /transactions'],
    ['/Transactions', 'did you mean /transactions?'],
    ['/payment_methods', 'did you mean /payment-methods?'],
    [`/v1/buyers/${MISSING}`, 'use /buyers/{buyer_id}'],
    [`/transactions/${MISSING}/refund`, 'did you mean /transactions/{transaction_id}/refunds?'],
    ['/4111111111111111/secret-thing', 'see /docs'],
  ])('%s', async (path, message) => {
    const response = await service.send(`GET ${path}`, undefined, { token: null })

    expect(response.statusCode).toBe(404)
    expect(response.json()).toMatchObject({ code: 'not_found', message: 'The resource could not be found' })
    expect(response.json().details).toHaveLength(1)
    expect(response.json().details[0].message).toContain(message)
    expect(response.body).not.toContain('secret-thing')
  })
})

test('404 is the same for missing and hidden items', async () => {
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
  const hidden = (await service.send('POST /buyers', {}, { account: 'other-shop' })).json()

  const [missing, foreign] = [
    await service.send(`GET /buyers/${MISSING}`),
    await service.send(`GET /buyers/${hidden.id}`),
  ]

  expect(foreign.json()).toEqual(missing.json())
  expect(missing.json().details[0].message).toContain('check the id and the merchant account')
})

test('every other refusal has a detail that says what to do', async () => {
  const token = await signToken(service.admin, {
    scopes: ['embed'],
    embed: { buyer_external_identifier: 'me' },
  })
  await service.send('POST /buyers', { external_identifier: 'me' })
  await service.send('POST /buyers', { external_identifier: 'you' })
  const paid = (
    await service.send('POST /transactions', { amount: 5, currency: 'USD', payment_method: CARD })
  ).json()
  await service.send(`POST /transactions/${paid.id}/void`)
  const taken = { id: 'taken', display_name: 'Taken' }
  await service.send('POST /merchant-accounts', taken)

  const refusals = await Promise.all([
    service.send('PATCH /transactions'),
    service.send('POST /merchant-accounts', taken),
    service.send(`POST /transactions/${paid.id}/capture`, {}),
    service.send('GET /buyers/payment-methods?buyer_external_identifier=you', undefined, { token }),
    service.send('GET /roles', undefined, { token: await signToken(service.admin, { scopes: [] }) }),
    service.send('GET /buyers', undefined, { account: 'nowhere' }),
    service.send('POST /account-updater/jobs', { payment_method_ids: [MISSING] }),
    service.send('POST /payment-services/verify', { payment_service_definition_id: 'mock-card', fields: [] }),
  ])

  for (const response of refusals) {
    const { status, details, message } = response.json()
    expect(status, response.body).toBeGreaterThanOrEqual(400)
    expect(details.length, response.body).toBeGreaterThan(0)
    for (const detail of details) expect(detail.message.length, response.body).toBeGreaterThan(10)
    expect(message).not.toBe('')
  }
})
