import { createPublicKey } from 'node:crypto'
import { jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pointers } from '#testing/answers.ts'
import { givingUp } from '#testing/giving-up.ts'
import { signToken, startTestService, type TestService } from '#testing/harness.ts'
import {
  APPLE_DOMAIN,
  APPLE_URL,
  appleCertificate,
  MERCHANT_IDENTIFIER,
  removeWallets,
} from '#testing/wallet-shop.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())
beforeEach(() => removeWallets(service.send))

async function register(provider: string, body: object = {}): Promise<string> {
  const response = await service.send('POST /digital-wallets', {
    provider,
    merchant_name: 'Fashion store',
    accept_terms_and_conditions: true,
    ...body,
  })
  expect(response.statusCode, response.body).toBe(201)
  return response.json().id
}

const embedToken = (pinned: object = {}) => signToken(service.admin, { scopes: ['embed'], embed: pinned })

describe('Google Pay', () => {
  const open = (origin: unknown, options = {}) =>
    service.send('POST /digital-wallets/google/session', { origin_domain: origin }, options)

  test('gets a token for any host, without a wallet', async () => {
    const response = await open('unregistered.example.com')

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({ gateway_merchant_id: 'default', token: expect.any(String) })
    expect((await open('localhost')).statusCode).toBe(200)
  })

  test('gets a token that the wallet’s public key verifies', async () => {
    const id = await register('google')
    const { token } = (await open('Shop.example.com')).json()

    const { fields } = (await service.send(`GET /digital-wallets/${id}`)).json()
    const { payload, protectedHeader } = await jwtVerify(token, createPublicKey(fields.session_public_key))

    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({ merchantId: 'default', merchantOrigin: 'shop.example.com' })
    expect(Number(payload.exp) - Number(payload.iat)).toBe(15 * 60)
  })

  test('is opened for the merchant account that a browser token pins', async () => {
    const token = await embedToken({ merchant_account_id: 'other-shop' })

    expect((await open('shop.example.com', { token })).json().gateway_merchant_id).toBe('other-shop')
    expect((await open('shop.example.com', { token, account: 'default' })).statusCode).toBe(400)
  })

  test.each([
    '',
    'https://shop.example.com',
    'shop.example.com:443',
    '127.0.0.1',
    'a b',
    'x'.repeat(256),
    7,
    null,
  ])('refuses the origin %j', async (origin) => {
    const response = await open(origin)

    expect(response.statusCode).toBe(400)
    expect(pointers(response).map(([pointer]) => pointer)).toEqual(['/origin_domain'])
  })
})

describe('Apple Pay', () => {
  const open = (body: object = {}, options = {}) =>
    service.send(
      'POST /digital-wallets/apple/session',
      { validation_url: APPLE_URL, domain_name: APPLE_DOMAIN, ...body },
      options,
    )
  const setUp = async (domains = [APPLE_DOMAIN], certificate = appleCertificate()) => {
    const id = await register('apple', { domain_names: domains })
    await service.send(`POST /digital-wallets/${id}/keys`, {
      purpose: 'apple-merchant-identity',
      ...certificate,
    })
    return id
  }

  test('gets Apple’s session as it came', async () => {
    await setUp()

    const response = await open({ domain_name: 'SHOP.example.com' })

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toMatchObject({
      merchantSessionIdentifier: expect.stringMatching(/^SSH/),
      domainName: APPLE_DOMAIN,
      displayName: 'Fashion store',
      nonce: expect.any(String),
      signature: expect.any(String),
    })
  })

  test('shows at most 64 characters of the display name to Apple', async () => {
    const id = await setUp()
    await service.send(`PUT /digital-wallets/${id}`, { merchant_display_name: '🛍'.repeat(100) })

    expect((await open()).json().displayName).toBe('🛍'.repeat(64))
  })

  test('is opened with a browser token for its merchant account only', async () => {
    await setUp()

    const own = await open({}, { token: await embedToken({ merchant_account_id: 'default' }) })
    const other = await open({}, { token: await embedToken({ merchant_account_id: 'other-shop' }) })

    expect(own.statusCode, own.body).toBe(200)
    expect(other.statusCode).toBe(400)
    expect(other.json().message).toContain('no wallet of Apple Pay')
  })

  test('takes the newest identity that is valid', async () => {
    const id = await setUp()
    await service.send(`POST /digital-wallets/${id}/keys`, { purpose: 'apple-merchant-identity' })

    expect((await open()).statusCode).toBe(200)
  })

  test.each([
    'https://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway-nc-pod3-dr.apple.com/paymentservices/startSession',
    'https://cn-apple-pay-gateway-sh-pod1.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com/paymentservices/paymentSession',
  ])('asks %s', async (url) => {
    await setUp()

    expect((await open({ validation_url: url })).statusCode).toBe(200)
  })

  test.each([
    'https://evil.example/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com.evil.example/paymentservices/startSession',
    'https://evil-apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.evil.apple.com/paymentservices/startSession',
    'https://apple.com/paymentservices/startSession',
    'https://user@apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com:8443/paymentservices/startSession',
    'https://apple-pay-gateway.apple.com/paymentservices/startSession?x=1',
    'https://apple-pay-gateway.apple.com/paymentservices/startSession#x',
    'https://apple-pay-gateway.apple.com/other',
    'https://apple-pay-gateway.apple.com/paymentservices/../other',
    'http://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://evil.example\\@apple-pay-gateway.apple.com/paymentservices/startSession',
    ' https://apple-pay-gateway.apple.com/paymentservices/startSession',
    'https://127.0.0.1/paymentservices/startSession',
    'apple-pay-gateway.apple.com',
    '',
    7,
  ])('sends no request to %j', async (url) => {
    await setUp()

    const response = await open({ validation_url: url })

    expect(response.statusCode).toBe(400)
    expect(pointers(response).map(([pointer]) => pointer)).toEqual(['/validation_url'])
  })

  test('is refused on a domain that is not registered', async () => {
    await setUp()

    for (const domain of ['pay.example.com', 'localhost']) {
      const response = await open({ domain_name: domain })
      expect(response.statusCode).toBe(400)
      expect(pointers(response)).toEqual([['/domain_name', 'value_error.not_found']])
    }
    const noDomain = await open({ domain_name: 'https://shop.example.com' })
    expect(pointers(noDomain)).toEqual([['/domain_name', 'value_error.str.regex']])
  })

  test('is refused without a wallet, and without an identity that is valid', async () => {
    const withoutWallet = await open()
    const id = await register('apple', { domain_names: [APPLE_DOMAIN] })
    const withoutKey = await open()
    await service.send(`POST /digital-wallets/${id}/keys`, { purpose: 'apple-merchant-identity' })
    const withoutCertificate = await open()

    for (const response of [withoutWallet, withoutKey, withoutCertificate])
      expect(response.statusCode).toBe(400)
    expect(withoutWallet.json().message).toContain('POST /digital-wallets')
    expect(withoutKey.json().message).toContain('apple-merchant-identity')
    expect(withoutCertificate.json().message).toContain('apple-merchant-identity')
  })

  test('says that Apple refuses a domain which Apple does not know', async () => {
    await setUp(['unregistered.example.com'])

    const response = await open({ domain_name: 'unregistered.example.com' })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain(MERCHANT_IDENTIFIER)
  })

  test.each([
    ['timeout', 504],
    ['unavailable', 502],
    ['garbled', 502],
    ['error', 502],
  ])('answers %s of Apple with %i, and the same key asks again', async (name, status) => {
    const domain = `${name}.example.com`
    await setUp([domain])
    const headers = { 'idempotency-key': crypto.randomUUID() }

    const ask = () => open({ domain_name: domain }, { headers })
    const response = name === 'timeout' ? await givingUp(service, ask) : await ask()
    const again = name === 'timeout' ? await givingUp(service, ask) : await ask()

    expect(response.statusCode, response.body).toBe(status)
    expect(response.headers['retry-after']).toBe('5')
    expect(again.statusCode).toBe(status)
  })
})

describe('Click to Pay', () => {
  const open = (id: unknown, options = {}) =>
    service.send(
      'POST /digital-wallets/click-to-pay/session',
      { checkout_session_id: id },
      { token: null, ...options },
    )
  const checkout = async (options = {}) =>
    (await service.send('POST /checkout/sessions', {}, options)).json().id as string

  test('needs only the checkout session, and names the same shop each time', async () => {
    await register('click-to-pay', { merchant_display_name: 'Fashion' })

    const first = await open(await checkout())
    const second = await open((await checkout()).toUpperCase())

    expect(first.statusCode, first.body).toBe(200)
    expect(first.json()).toEqual({
      digital_payment_application_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      digital_payment_application_name: 'Fashion',
    })
    expect(second.json()).toEqual(first.json())
    expect(first.headers['access-control-allow-origin']).toBe('*')
  })

  test('takes the id that the merchant has from its enrolment', async () => {
    await register('click-to-pay', { extra_configuration: { digital_payment_application_id: 'dpa-1' } })

    expect((await open(await checkout())).json()).toEqual({
      digital_payment_application_id: 'dpa-1',
      digital_payment_application_name: 'Fashion store',
    })
  })

  test('is refused without a wallet in the account of the checkout session', async () => {
    await register('click-to-pay')

    const response = await open(await checkout({ account: 'other-shop' }))

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('no wallet of Click to Pay')
  })

  test('hides unknown and expired checkout sessions', async () => {
    await register('click-to-pay')
    const expired = await checkout()
    await service.context.db
      .updateTable('checkout_sessions')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .where('id', '=', expired)
      .execute()

    expect((await open('0199f3a0-5d3b-7c00-8a11-3f1f7f1f00ff')).statusCode).toBe(404)
    expect((await open(expired)).statusCode).toBe(404)
    for (const id of ['x', 7, null, undefined]) {
      const response = await open(id)
      expect(response.statusCode).toBe(400)
      expect(pointers(response).map(([pointer]) => pointer)).toEqual(['/checkout_session_id'])
    }
  })

  test('keys of two pages do not meet', async () => {
    await register('click-to-pay')
    const headers = { 'idempotency-key': 'a key of both' }
    const [first, second] = [await checkout(), await checkout()]

    const answers = [
      await open(first, { headers }),
      await open(second, { headers }),
      await open(first, { headers }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(answers.map(({ headers: sent }) => sent['idempotent-replayed'])).toEqual([
      undefined,
      undefined,
      'true',
    ])
  })

  test('is limited by checkout session, and guesses by address', async () => {
    await register('click-to-pay')
    const id = await checkout()
    const address = '198.51.100.7'
    const times = Array.from({ length: 51 })

    const calls = await Promise.all(times.map(() => open(id)))
    const guesses = await Promise.all(times.map(() => open(crypto.randomUUID(), { address })))

    expect(calls.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
    expect(guesses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
    expect((await open(await checkout(), { address })).statusCode).toBe(200)
  })
})

describe('Paze', () => {
  const VALUE = { transactionCurrency: 'USD', transactionAmount: '12.99' }
  const post = (step: string, body: object, options = {}) =>
    service.send(`POST /digital-wallets/paze/session${step}`, body, options)
  const openApp = async () => (await post('', { source: 'mobile' })).json()
  const orderOf = ({ id, name, sessionId, accessToken }: Record<string, string>) => ({
    client: { id, name },
    sessionId,
    accessToken,
    callbackURLScheme: 'fashionstore',
    intent: 'REVIEW_AND_PAY',
    transactionValue: VALUE,
  })
  const codeIn = (response: { json: () => { pazeCheckoutUrl: string } }) =>
    new URL(response.json().pazeCheckoutUrl).searchParams.get('code') ?? ''

  test('names the merchant to a page, the same each time', async () => {
    await register('paze')

    const response = await post('', {})

    expect(response.statusCode, response.body).toBe(200)
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^\w{24}$/),
      name: 'Fashion store',
      profileId: expect.stringMatching(/^\w{24}$/),
    })
    expect((await post('', { source: 'web', domain_name: 'any.example.com' })).json()).toEqual(
      response.json(),
    )
  })

  test('takes the ids that the merchant has from its enrolment', async () => {
    await register('paze', { extra_configuration: { client_id: 'client-1', profile_id: 'profile-1' } })

    expect((await post('', {})).json()).toEqual({
      id: 'client-1',
      name: 'Fashion store',
      profileId: 'profile-1',
    })
  })

  test('serves an app from its session to the sealed card', async () => {
    await register('paze')
    const session = await openApp()
    const { sessionId, accessToken } = session

    const created = await post('/create', { ...orderOf(session), emailAddress: 'jane@shop.example' })
    const code = codeIn(created)
    const reviewed = await post('/review', { sessionId, accessToken, code })
    const completed = await post('/complete', {
      sessionId,
      accessToken,
      code: reviewed.json().code,
      transactionType: 'PURCHASE',
      transactionValue: VALUE,
    })

    expect(created.statusCode, created.body).toBe(200)
    expect(reviewed.statusCode, reviewed.body).toBe(200)
    expect(reviewed.json()).toMatchObject({
      consumer: { emailAddress: 'jane@shop.example' },
      shippingAddress: { city: 'Springfield' },
      maskedCard: { panLastFour: '1111' },
    })
    expect(completed.statusCode, completed.body).toBe(200)
    expect(completed.json()).toMatchObject({
      payloadId: expect.any(String),
      completeResponse: expect.any(String),
      clientContext: sessionId,
    })
  })

  test('pays with the sealed card', async () => {
    await register('paze')
    const session = await openApp()
    const { sessionId, accessToken } = session
    const code = codeIn(await post('/create', orderOf(session)))
    const completed = await post('/complete', { sessionId, accessToken, code, transactionType: 'PURCHASE' })

    const paid = await service.send('POST /transactions', {
      amount: 1299,
      currency: 'USD',
      payment_method: { method: 'paze', token: completed.json().completeResponse },
    })

    expect(paid.statusCode, paid.body).toBe(201)
    expect(paid.json().status).toBe('authorization_succeeded')
  })

  test('refuses a session, a token, a client and a code that do not belong together', async () => {
    await register('paze')
    const session = await openApp()
    const other = await openApp()
    const order = orderOf(session)
    const { sessionId, accessToken } = session
    const code = codeIn(await post('/create', order))

    expect(pointers(await post('/create', { ...order, accessToken: 'x' }))[0]?.[0]).toBe('/accessToken')
    expect(pointers(await post('/create', { ...order, sessionId: 'x' }))[0]?.[0]).toBe('/sessionId')
    expect(pointers(await post('/create', { ...order, client: { id: 'x' } }))[0]?.[0]).toBe('/client/id')
    expect(pointers(await post('/review', { sessionId, accessToken, code: 'x' }))[0]?.[0]).toBe('/code')
    expect(
      pointers(
        await post('/review', { ...other, code, id: undefined, name: undefined, profileId: undefined }),
      )[0]?.[0],
    ).toBe('/code')
    const late = { sessionId, accessToken: `${accessToken}x`, code, transactionType: 'PURCHASE' }
    expect(pointers(await post('/complete', late))[0]?.[0]).toBe('/accessToken')
  })

  test('lets a session end after half an hour', async () => {
    await register('paze')
    const session = await openApp()

    service.moveClock(31 * 60_000)
    try {
      expect(pointers(await post('/create', orderOf(session)))[0]?.[0]).toBe('/accessToken')
    } finally {
      service.moveClock(-31 * 60_000)
    }
  })

  test('keeps to what a browser token pins, and fills it in', async () => {
    await register('paze')
    const session = await openApp()
    const token = await embedToken({ merchant_account_id: 'default', amount: 1299, currency: 'USD' })
    const order = orderOf(session)

    const same = await post('/create', order, { token })
    const other = await post(
      '/create',
      { ...order, transactionValue: { transactionCurrency: 'EUR', transactionAmount: '1.00' } },
      { token },
    )
    const absent = await post(
      '/complete',
      {
        sessionId: session.sessionId,
        accessToken: session.accessToken,
        code: codeIn(same),
        transactionType: 'PURCHASE',
      },
      { token },
    )

    expect(same.statusCode, same.body).toBe(200)
    expect(pointers(other)).toEqual([
      ['/transactionValue/transactionCurrency', 'value_error.conflict'],
      ['/transactionValue/transactionAmount', 'value_error.conflict'],
    ])
    const [content = ''] = absent.json().completeResponse.split('.')
    expect(JSON.parse(Buffer.from(content, 'base64url').toString()).transactionValue).toEqual(VALUE)
  })

  test.each([
    [
      { transactionValue: { transactionCurrency: 'XQQ', transactionAmount: '1' } },
      '/transactionValue/transactionCurrency',
    ],
    [
      { transactionValue: { transactionCurrency: 'USD', transactionAmount: '1.999' } },
      '/transactionValue/transactionAmount',
    ],
    [
      { transactionValue: { transactionCurrency: 'USD', transactionAmount: '-1' } },
      '/transactionValue/transactionAmount',
    ],
    [
      { transactionValue: { transactionCurrency: 'JPY', transactionAmount: '1.0' } },
      '/transactionValue/transactionAmount',
    ],
    [{ transactionValue: { transactionCurrency: 'USD' } }, '/transactionValue/transactionAmount'],
    [{ intent: 'BUY' }, '/intent'],
    [{ callbackURLScheme: 'x'.repeat(41) }, '/callbackURLScheme'],
    [{ client: {} }, '/client/id'],
    [{ sessionId: 'x'.repeat(256) }, '/sessionId'],
    [{ acceptedPaymentCardNetworks: ['AMEX'] }, '/acceptedPaymentCardNetworks/0'],
    [{ cobrand: Array.from({ length: 11 }, () => ({ name: 'x' })) }, '/cobrand'],
    [{ phoneNumber: '12345678901' }, '/phoneNumber'],
  ])('refuses to begin with %j', async (change, pointer) => {
    await register('paze')
    const response = await post('/create', { ...orderOf(await openApp()), ...change })

    expect(response.statusCode, response.body).toBe(400)
    expect(pointers(response).map(([at]) => at)).toEqual([pointer])
  })

  test('is refused on a host that is not among the wallet’s domains, if it has some', async () => {
    await register('paze', { domain_names: ['shop.example.com'] })

    expect((await post('', { domain_name: 'SHOP.example.com' })).statusCode).toBe(200)
    expect(pointers(await post('', { domain_name: 'pay.example.com' }))).toEqual([
      ['/domain_name', 'value_error.not_found'],
    ])
    expect(pointers(await post('', { domain_name: 'https://shop.example.com' }))).toEqual([
      ['/domain_name', 'value_error.str.regex'],
    ])
  })

  test('is refused without a wallet', async () => {
    const session = { sessionId: 'x', accessToken: 'x', code: 'x' }
    const answers = [
      await post('', {}),
      await post('/review', session),
      await post('/complete', { ...session, transactionType: 'PURCHASE' }),
    ]

    for (const response of answers) {
      expect(response.statusCode).toBe(400)
      expect(response.json().message).toContain('no wallet of Paze')
    }
  })

  test.each([
    ['timeout', 504],
    ['unavailable', 502],
    ['garbled', 502],
    ['error', 502],
  ])('answers %s of Paze with %i', async (name, status) => {
    await register('paze')

    const order = { ...orderOf(await openApp()), emailAddress: `${name}@example.com` }
    const ask = () => post('/create', order)

    const response = name === 'timeout' ? await givingUp(service, ask) : await ask()

    expect(response.statusCode, response.body).toBe(status)
  })

  test('is limited by browser token', async () => {
    await register('paze')
    const token = await embedToken()

    const calls = await Promise.all(Array.from({ length: 51 }, () => post('', {}, { token })))

    expect(calls.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
  })
})
