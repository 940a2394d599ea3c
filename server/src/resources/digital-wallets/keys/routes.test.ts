import { createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Scope } from '#platform/database/db.ts'
import { startTestService, type TestService } from '#testing/harness.ts'
import {
  appleCertificate,
  issueCertificate,
  MERCHANT_IDENTIFIER,
  removeWallets,
} from '#testing/wallet-shop.ts'
import { openAppleIdentity, openApplePaymentKeys, openGooglePaymentKeys } from './open.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const PROCESSING = 'apple-payment-processing'
const IDENTITY = 'apple-merchant-identity'

let service: TestService
let scope: Scope
let apple = ''
let google = ''
beforeAll(async () => {
  service = await startTestService()
  scope = { ...service.context, merchantAccountId: 'default' }
  await service.send('POST /merchant-accounts', { id: 'other-shop', display_name: 'Other shop' })
})
afterAll(() => service.close())
beforeEach(async () => {
  await removeWallets(service.send)
  apple = await register('apple')
  google = await register('google')
})

async function register(provider: string): Promise<string> {
  const body = { provider, merchant_name: 'Fashion store', accept_terms_and_conditions: true }
  return (await service.send('POST /digital-wallets', body)).json().id
}

const add = (body: object, wallet = apple) => service.send(`POST /digital-wallets/${wallet}/keys`, body)
const keysOf = async (wallet = apple) =>
  (await service.send(`GET /digital-wallets/${wallet}/keys`)).json().items
const pem = (pair: { privateKey: ReturnType<typeof generateKeyPairSync>['privateKey'] }) =>
  pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The three parts of a signing request: what is signed, the algorithm, the signature. */
function partsOf(request: string): [Buffer, Buffer, Buffer] {
  const whole = Buffer.from(request.replaceAll(/-----.*-----/g, ''), 'base64')
  const parts: Buffer[] = []
  for (let rest = whole.subarray(-lengthOf(whole)); rest.length > 0; ) {
    const size = headOf(rest) + lengthOf(rest)
    parts.push(rest.subarray(0, size))
    rest = rest.subarray(size)
  }
  return parts as [Buffer, Buffer, Buffer]
}

const headOf = (element: Buffer) => 2 + (element.readUInt8(1) < 0x80 ? 0 : element.readUInt8(1) - 0x80)
const lengthOf = (element: Buffer) =>
  headOf(element) === 2 ? element.readUInt8(1) : element.readUIntBE(2, headOf(element) - 2)

/** A date as certificates have it. */
const utc = (msFromNow: number) =>
  `${new Date(Date.now() + msFromNow)
    .toISOString()
    .replaceAll(/[-:T]|[.]\d+/g, '')
    .slice(2)}`

describe('a key of Apple Pay', () => {
  test('is kept with its certificate, and its private half is never shown', async () => {
    const own = appleCertificate()

    const response = await add({ purpose: PROCESSING, ...own })

    expect(response.statusCode, response.body).toBe(201)
    const key = response.json()
    expect(key).toMatchObject({
      type: 'digital-wallet-key',
      digital_wallet_id: apple,
      purpose: PROCESSING,
      status: 'active',
      certificate: new X509Certificate(own.certificate).toString(),
      serial_number: '01',
      merchant_identifier: MERCHANT_IDENTIFIER,
      expires_at: '2049-12-31T23:59:59.000Z',
      certificate_signing_request: null,
      recipient_id: null,
    })
    expect(await keysOf()).toEqual([key])
    expect(response.body).not.toContain('PRIVATE KEY')
    expect(JSON.stringify(await keysOf())).not.toContain('PRIVATE KEY')
  })

  test.each([
    [PROCESSING, '2a8648ce3d040302'],
    [IDENTITY, '2a864886f70d01010b'],
  ])('is made with a signing request: %s', async (purpose, signatureAlgorithm) => {
    const key = (await add({ purpose })).json()

    expect(key).toMatchObject({ status: 'pending', certificate: null, expires_at: null })
    const [info, algorithm, signature] = partsOf(key.certificate_signing_request)
    expect(algorithm.includes(Buffer.from(signatureAlgorithm, 'hex'))).toBe(true)
    expect(info.includes('Fashion store')).toBe(true)
    expect(info.includes(createPublicKey(key.public_key).export({ type: 'spki', format: 'der' }))).toBe(true)
    expect(verify('sha256', info, key.public_key, signature.subarray(-lengthOf(signature) + 1))).toBe(true)

    const certificate = issueCertificate(createPublicKey(key.public_key))
    const certified = await service.send(`PUT /digital-wallets/${apple}/keys/${key.id}`, { certificate })
    expect(certified.statusCode, certified.body).toBe(200)
    expect(certified.json()).toMatchObject({ id: key.id, status: 'active', public_key: key.public_key })
  })

  test('gets a renewed certificate, and a second key beside it', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const old = appleCertificate({ pair, until: utc(DAY_MS) })
    const key = (await add({ purpose: PROCESSING, ...old })).json()
    const twin = await add({ purpose: PROCESSING, ...appleCertificate({ pair }) })
    const second = await add({ purpose: PROCESSING, ...appleCertificate() })

    expect(twin.statusCode).toBe(409)
    expect(twin.json()).toMatchObject({ code: 'duplicate_record', resource_id: key.id })
    expect(second.statusCode).toBe(201)

    const { certificate } = appleCertificate({ pair })
    const renewed = await service.send(`PUT /digital-wallets/${apple}/keys/${key.id}`, { certificate })
    expect(renewed.json()).toMatchObject({ status: 'active', expires_at: '2049-12-31T23:59:59.000Z' })
    expect(await keysOf()).toHaveLength(2)
  })

  test('expires with its certificate', async () => {
    await add({ purpose: IDENTITY, ...appleCertificate({ until: utc(HOUR_MS / 2) }) })
    expect(await openAppleIdentity(scope, service.vault)).toMatchObject({
      merchantIdentifier: MERCHANT_IDENTIFIER,
    })

    service.moveClock(HOUR_MS * 0.75)
    try {
      expect(await keysOf()).toMatchObject([{ status: 'expired' }])
      const wallet = (await service.send(`GET /digital-wallets/${apple}`)).json()
      expect(wallet).toMatchObject({ active_certificate_count: 0, expired_certificate_count: 1 })
      expect(await openAppleIdentity(scope, service.vault)).toBeUndefined()
    } finally {
      service.moveClock(-HOUR_MS * 0.75)
    }
  })
})

describe('a key of Google Pay', () => {
  test('is kept or made, for its recipient', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const own = await add(
      { purpose: 'google-payment', private_key: pem(pair), recipient_id: 'merchant:1' },
      google,
    )
    const made = await add({ purpose: 'google-payment', recipient_id: 'gateway:switchyard' }, google)

    expect(own.statusCode, own.body).toBe(201)
    expect(own.json()).toMatchObject({ status: 'active', recipient_id: 'merchant:1', certificate: null })
    expect(made.json().public_key).toContain('BEGIN PUBLIC KEY')
    const wallet = (await service.send(`GET /digital-wallets/${google}`)).json()
    expect(wallet.active_certificate_count).toBe(0)
  })

  test('takes no certificate', async () => {
    const { id } = (await add({ purpose: 'google-payment', recipient_id: 'gateway:x' }, google)).json()
    const { certificate } = appleCertificate()

    const response = await service.send(`PUT /digital-wallets/${google}/keys/${id}`, { certificate })

    expect(response.statusCode).toBe(400)
  })
})

describe('opened keys', () => {
  test('of Apple Pay are those that tokens can name, the newest first', async () => {
    const first = (await add({ purpose: PROCESSING, ...appleCertificate() })).json()
    const second = (await add({ purpose: PROCESSING, ...appleCertificate() })).json()
    await add({ purpose: PROCESSING })

    const keys = await openApplePaymentKeys(scope, service.vault)

    expect(keys.map(({ id }) => id)).toEqual([second.id, first.id])
    expect(keys[1]).toMatchObject({
      publicKeyHash: first.public_key_hash,
      merchantIdentifier: MERCHANT_IDENTIFIER,
    })
    const [newest] = keys
    if (!newest) throw new Error('no key')
    const publicKey = createPublicKey(newest.privateKey)
    expect(publicKey.export({ type: 'spki', format: 'pem' })).toBe(second.public_key)
    expect(JSON.stringify(keys)).not.toContain('PRIVATE')
  })

  test('of Google Pay come with their recipients', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    await add({ purpose: 'google-payment', private_key: pem(pair), recipient_id: 'merchant:1' }, google)

    const [key] = await openGooglePaymentKeys(scope, service.vault)

    expect(key?.recipientId).toBe('merchant:1')
    expect(key?.privateKey.equals(pair.privateKey)).toBe(true)
  })

  test('are those of one account, and the audit log names them', async () => {
    const { id } = (await add({ purpose: IDENTITY, ...appleCertificate({ pair: rsa() }) })).json()
    const other = { ...scope, merchantAccountId: 'other-shop' }

    expect(await openAppleIdentity(other, service.vault)).toBeUndefined()
    expect(await openAppleIdentity(scope, service.vault)).toMatchObject({
      privateKey: expect.stringContaining('BEGIN PRIVATE KEY'),
    })
    const opened = await service.context.db
      .selectFrom('audit_logs')
      .select('resource_type')
      .where('resource_id', '=', id)
      .where('action', '=', 'revealed')
      .execute()
    expect(opened).toEqual([{ resource_type: 'digital-wallet-key' }])
  })

  test('are gone when they are deleted, also from the vault', async () => {
    const { id } = (await add({ purpose: PROCESSING, ...appleCertificate() })).json()
    await openApplePaymentKeys(scope, service.vault)

    expect((await service.send(`DELETE /digital-wallets/${apple}/keys/${id}`)).statusCode).toBe(204)

    expect(await openApplePaymentKeys(scope, service.vault)).toEqual([])
    expect((await service.send(`DELETE /digital-wallets/${apple}/keys/${id}`)).statusCode).toBe(404)
  })
})

const OTHER = appleCertificate()
/** An algorithm that OpenSSL does not know, in place of that for keys of elliptic curves. */
const UNKNOWN_ALGORITHM = changed(OTHER.certificate, '2a8648ce3d0201', '2a8648ce3d0277')
const HUGE = createPublicKey({
  format: 'jwk',
  key: { kty: 'RSA', n: Buffer.alloc(513, 0xc1).toString('base64url'), e: 'AQAB' },
})
const P384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const WEAK = generateKeyPairSync('rsa', { modulusLength: 1024 })
const LOCKED = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' },
})

/** A certificate with other bytes in it, in PEM. */
function changed(certificate: string, from: string, to: string): string {
  const hex = new X509Certificate(certificate).raw.toString('hex').replace(from, to)
  return `-----BEGIN CERTIFICATE-----\n${Buffer.from(hex, 'hex').toString('base64')}\n-----END CERTIFICATE-----\n`
}

describe('refuses', () => {
  test.each([
    ['a certificate without its key', { certificate: OTHER.certificate }, '/private_key'],
    ['a key without its certificate', { private_key: OTHER.private_key }, '/certificate'],
    ['a certificate that is no PEM', { ...OTHER, certificate: 'MIIB' }, '/certificate'],
    [
      'a broken certificate',
      { ...OTHER, certificate: OTHER.certificate.replace('MII', 'AAA') },
      '/certificate',
    ],
    ['a chain', { ...OTHER, certificate: OTHER.certificate.repeat(2) }, '/certificate'],
    ['a private key as certificate', { ...OTHER, certificate: OTHER.private_key }, '/certificate'],
    ['a key that is no PEM', { ...OTHER, private_key: 'secret' }, '/private_key'],
    ['a certificate as key', { ...OTHER, private_key: OTHER.certificate }, '/private_key'],
    ['a key with a passphrase', { ...OTHER, private_key: LOCKED.privateKey }, '/private_key'],
    ['another key', { ...OTHER, private_key: appleCertificate().private_key }, '/private_key'],
    ['an expired certificate', appleCertificate({ until: '210101000000Z' }), '/certificate'],
    ['a certificate of tomorrow', appleCertificate({ from: utc(DAY_MS) }), '/certificate'],
    ['a certificate without merchant', appleCertificate({ userId: '' }), '/certificate'],
    ['a certificate with an unknown algorithm', { ...OTHER, certificate: UNKNOWN_ALGORITHM }, '/certificate'],
    ['a certificate until no day', appleCertificate({ until: '499999999999Z' }), '/certificate'],
    ['a certificate from no day', appleCertificate({ from: '199999999999Z' }), '/certificate'],
    ['a recipient', { ...OTHER, recipient_id: 'gateway:x' }, '/recipient_id'],
    ['text that is too long', { ...OTHER, certificate: 'x'.repeat(20_001) }, '/certificate'],
  ])('%s', async (_name, body, pointer) => {
    const response = await add({ purpose: PROCESSING, ...body })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toEqual([pointer])
    expect(response.body).not.toContain('BEGIN')
    expect(await keysOf()).toEqual([])
  })

  test.each([
    ['RSA for payments', PROCESSING, rsa()],
    ['another curve for payments', PROCESSING, P384],
    ['another curve for the identity', IDENTITY, P384],
    ['a short RSA key for the identity', IDENTITY, WEAK],
  ])('%s', async (_name, purpose, pair) => {
    const response = await add({ purpose, ...appleCertificate({ pair }) })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/certificate',
      '/private_key',
    ])
  })

  test('a longer RSA key than Apple needs', async () => {
    const response = await add({ purpose: IDENTITY, ...OTHER, certificate: issueCertificate(HUGE) })

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details).toMatchObject([
      { pointer: '/certificate', message: expect.stringContaining('2048 to 4096 bits') },
    ])
  })

  test.each([
    ['no recipient', {}, '/recipient_id'],
    ['a recipient of another form', { recipient_id: 'switchyard' }, '/recipient_id'],
    ['a certificate', { recipient_id: 'gateway:x', certificate: OTHER.certificate }, '/certificate'],
    ['another curve', { recipient_id: 'gateway:x', private_key: pem(P384) }, '/private_key'],
    ['no key', { recipient_id: 'gateway:x', private_key: 'x' }, '/private_key'],
  ])('for Google Pay %s', async (_name, body, pointer) => {
    const response = await add({ purpose: 'google-payment', ...body }, google)

    expect(response.statusCode, response.body).toBe(400)
    expect(response.json().details.map((detail: { pointer: string }) => detail.pointer)).toEqual([pointer])
    expect(await keysOf(google)).toEqual([])
  })

  test('a purpose of another provider', async () => {
    const forGoogle = await add({ purpose: 'google-payment', recipient_id: 'gateway:x' })
    const forApple = await add({ purpose: PROCESSING }, google)
    const forPaze = await add({ purpose: PROCESSING }, await register('paze'))

    for (const response of [forGoogle, forApple, forPaze]) {
      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([{ pointer: '/purpose' }])
    }
  })

  test('a certificate of another merchant', async () => {
    await add({ purpose: IDENTITY, ...appleCertificate() })

    const response = await add({ purpose: PROCESSING, ...appleCertificate({ userId: 'merchant.com.other' }) })

    expect(response.statusCode).toBe(400)
    expect(response.json().details).toMatchObject([{ pointer: '/certificate' }])
  })

  test('the certificate of another key', async () => {
    const { id } = (await add({ purpose: PROCESSING })).json()

    for (const certificate of [
      OTHER.certificate,
      UNKNOWN_ALGORITHM,
      'x',
      appleCertificate({ until: '210101000000Z' }).certificate,
    ]) {
      const response = await service.send(`PUT /digital-wallets/${apple}/keys/${id}`, { certificate })
      expect(response.statusCode).toBe(400)
      expect(response.json().details).toMatchObject([{ pointer: '/certificate' }])
    }
    expect(await keysOf()).toMatchObject([{ status: 'pending' }])
  })

  test('a key of another account, and a key under another wallet', async () => {
    const { id } = (await add({ purpose: PROCESSING })).json()
    const body = { certificate: OTHER.certificate }
    const routes = [
      `PUT /digital-wallets/${google}/keys/${id}`,
      `DELETE /digital-wallets/${google}/keys/${id}`,
    ]
    for (const route of routes) {
      const response = await service.send(route, route.startsWith('PUT') ? body : undefined)
      expect(response.statusCode).toBe(404)
    }
    const foreign = await service.send(`GET /digital-wallets/${apple}/keys`, undefined, {
      account: 'other-shop',
    })
    expect(foreign.statusCode).toBe(404)
    expect(await keysOf()).toHaveLength(1)
  })

  test('more keys than a wallet needs', async () => {
    for (let count = 0; count < 20; count += 1) await add({ purpose: PROCESSING })

    const response = await add({ purpose: PROCESSING })

    expect(response.statusCode).toBe(400)
    expect(response.json().message).toContain('20 keys')
  })
})
