import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretsFrom } from '#platform/access/secrets.ts'
import type { OutgoingRequest } from '#platform/outgoing/outgoing.ts'
import { APPLE_ROOT } from '#processing/wallet-tokens/authorities.ts'
import { sandbox } from '#sandbox/open.ts'
import { appleTestRoot } from '#sandbox/simulator/wallets/make-apple-token.ts'
import { googleTestKey } from '#sandbox/simulator/wallets/make-google-token.ts'
import { reachProviders } from './reach-providers.ts'

const OWN = { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, expiresAt: null }

/** None of this calls a provider. */
function trusted(environment: 'sandbox' | 'production') {
  const options = {
    sandbox: environment === 'sandbox' ? sandbox : null,
    secrets: secretsFrom(Buffer.alloc(32)),
    googlePayRootKeys: [OWN],
    publicUrl: 'http://127.0.0.1:3000',
    outgoing: {},
    onError: () => {},
  }
  const { appleRoots, googleRootKeys } = reachProviders(environment, options as never).walletAuthorities
  return {
    apple: appleRoots.map(({ fingerprint256 }) => fingerprint256),
    isGoogleTestKeyTrusted: googleRootKeys.some(({ key }) => key.equals(googleTestKey())),
    isOwnKeyTrusted: googleRootKeys.includes(OWN),
  }
}

test('production trusts tokens of Apple and of the operator’s keys of Google, and no test tokens', () => {
  expect(trusted('production')).toEqual({
    apple: [APPLE_ROOT.fingerprint256],
    isGoogleTestKeyTrusted: false,
    isOwnKeyTrusted: true,
  })
})

test('a sandbox trusts its own test tokens, too', () => {
  expect(trusted('sandbox')).toEqual({
    apple: [APPLE_ROOT.fingerprint256, appleTestRoot().fingerprint256],
    isGoogleTestKeyTrusted: true,
    isOwnKeyTrusted: true,
  })
})

const QUESTION = {
  url: 'https://apple-pay-gateway.apple.com/paymentservices/startSession',
  identity: { certificate: 'a certificate', privateKey: 'a key' },
  body: '{"initiative":"web"}',
  signal: new AbortController().signal,
}

function inProduction(isCut: boolean) {
  const sent: OutgoingRequest[] = []
  const { wallets } = reachProviders('production', {
    sandbox: null,
    pool: {} as never,
    clock: () => new Date(),
    secrets: secretsFrom(Buffer.alloc(32)),
    publicUrl: 'https://pay.example.com',
    outgoing: {
      send: async (request) => {
        sent.push(request)
        return { status: 200, headers: {}, body: '{}', bytes: Buffer.from('{}'), isCut }
      },
      complaintAbout: () => undefined,
      fetch: async () => Response.error(),
      close: () => {},
    },
    googlePayRootKeys: [],
    onError: () => {},
  })
  return { wallets, sent }
}

test('in production, Apple itself is asked, with the merchant’s certificate', async () => {
  const { wallets, sent } = inProduction(false)

  expect(await wallets.askApple(QUESTION)).toMatchObject({ status: 200, body: '{}' })
  expect(sent).toMatchObject([
    { url: QUESTION.url, method: 'POST', body: QUESTION.body, clientCertificate: QUESTION.identity },
  ])
})

test('an answer of Apple that was cut short is none', async () => {
  await expect(inProduction(true).wallets.askApple(QUESTION)).rejects.toThrow('cut short')
})

test('in production, no simulator answers for Click to Pay and Paze', () => {
  expect(inProduction(false).wallets).toMatchObject({ clickToPayUrl: null, pazeUrl: null })
})
