import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calculateJwkThumbprint, decodeJwt, type JWK, jwtVerify } from 'jose'
import { afterAll, expect, test } from 'vitest'
import { SCOPES } from '#domain/scopes.ts'
import { secretsFrom } from '#platform/access/secrets.ts'
import { sandbox } from '#sandbox/open.ts'
import { switchyard } from '#testing/command-line.ts'
import { listOperations } from '../app.ts'

const folder = mkdtempSync(join(tmpdir(), 'switchyard-token-'))
const adminKey = writeKey('admin-key.pem', generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey)
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => switchyard(['token', ...args], { DATA_DIR: folder })

test('prints a token of the admin key and nothing else', async () => {
  const before = Math.floor(Date.now() / 1000)
  const { code, stdout, stderr } = await run()

  const { payload, protectedHeader } = await jwtVerify(stdout.trimEnd(), createPublicKey(adminKey))
  const kid = await calculateJwkThumbprint(createPublicKey(adminKey).export({ format: 'jwk' }) as JWK)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^[\w-]+[.][\w-]+[.][\w-]+\n$/)
  expect(protectedHeader).toEqual({ alg: 'ES512', kid, typ: 'JWT' })
  expect(payload).toEqual({
    scopes: ['*.read', '*.write'],
    iss: 'switchyard-cli',
    iat: expect.any(Number),
    nbf: payload.iat,
    exp: (payload.iat ?? 0) + 3_600,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(payload.iat).toBeGreaterThanOrEqual(before)
})

test.each([
  ['ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ['RS512', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ['EdDSA', () => generateKeyPairSync('ed25519')],
])('signs with %s when the key says so', async (algorithm, generate) => {
  const { privateKey, publicKey } = generate()
  const file = join(folder, `${algorithm}.pem`)
  writeKey(`${algorithm}.pem`, privateKey)

  const { stdout } = await run('--key', file)

  const { protectedHeader } = await jwtVerify(stdout.trimEnd(), publicKey)
  expect(protectedHeader.alg).toBe(algorithm)
})

test.each([
  ['30m', 1_800],
  ['7d', 604_800],
  ['45', 45],
])('--expires-in %s is %i seconds', async (text, seconds) => {
  const { stdout } = await run('--expires-in', text)

  const { exp = 0, iat = 0 } = decodeJwt(stdout)
  expect(exp - iat).toBe(seconds)
})

test.each(['0', '1w'])('--expires-in %s is refused', async (text) => {
  const { code, stdout, stderr } = await run(`--expires-in=${text}`)

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('--expires-in must be a time such as 90s')
})

test('carries the scopes it is asked for', async () => {
  const { stdout } = await run('--scopes', 'roles.read, audit-logs.read', '--scopes', '*.write')

  expect(decodeJwt(stdout)['scopes']).toEqual(['roles.read', 'audit-logs.read', '*.write'])
})

test('refuses a scope that no operation takes', async () => {
  const { code, stdout, stderr } = await run('--scopes', 'roles.read,unheard-of-things.read')

  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(
    'No operation takes the scope "unheard-of-things.read". There are\n  account-updater-service-definitions.read\n',
  )
})

test('knows the scopes of all operations, and no other', () => {
  const needs = {
    secrets: secretsFrom(Buffer.alloc(32)),
    publicUrl: 'http://127.0.0.1:3000',
    environment: 'sandbox',
    providers: {},
  }
  const operations = listOperations(needs as never, sandbox)

  const taken = operations.flatMap(({ scope, orScope, andScope }) => [
    scope ?? [],
    orScope ?? [],
    andScope ?? [],
  ])
  expect(new Set(SCOPES)).toEqual(new Set(taken.flat()))
})

test('refuses what is not a scope', async () => {
  const { code, stderr } = await run('--scopes', 'roles.read,everything')

  expect(code).toBe(2)
  expect(stderr).toContain('"everything" is not a scope.')
})

test('pins an embed token to its merchant account', async () => {
  const { stdout, stderr } = await run('--scopes', 'embed', '--merchant-account', 'shop-1')

  expect(decodeJwt(stdout)).toMatchObject({ scopes: ['embed'], embed: { merchant_account_id: 'shop-1' } })
  expect(stderr).toBe('')
})

test('names the header that selects a merchant account for other tokens', async () => {
  const { code, stdout, stderr } = await run('--merchant-account', 'shop-1')

  expect(code).toBe(0)
  expect(decodeJwt(stdout)['embed']).toBeUndefined()
  expect(stderr).toContain('\nX-Service-Merchant-Account-ID: shop-1\n')
})

test('says how to make a key when there is none', async () => {
  const { code, stdout, stderr } = await run('--key', join(folder, 'none.pem'))

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`There is no private key at ${join(folder, 'none.pem')}.`)
  expect(stderr).toContain('switchyard keys create')
})

test.each([
  ['a public key', createPublicKey(adminKey).export({ type: 'spki', format: 'pem' }).toString()],
  ['something else', 'hello'],
])('says so when the file holds %s', async (_what, content) => {
  writeFileSync(join(folder, 'wrong.pem'), content)

  const { code, stderr } = await run('--key', join(folder, 'wrong.pem'))

  expect(code).toBe(1)
  expect(stderr).toContain('wrong.pem does not hold a private key in PEM')
})

test('says why a key cannot be used', async () => {
  writeKey('weak.pem', generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)

  const { code, stderr } = await run('--key', join(folder, 'weak.pem'))

  expect(code).toBe(1)
  expect(stderr).toContain('cannot sign tokens.\n  because: has fewer than 2048 bits')
})

function writeKey(name: string, key: KeyObject): string {
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  writeFileSync(join(folder, name), pem, { mode: 0o600 })
  return pem
}
