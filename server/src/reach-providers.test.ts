import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { APPLE_ROOT } from '#processing/wallet-tokens/apple-root.ts'
import { appleTestRoot } from '#simulator/wallets/make-apple-token.ts'
import { googleTestKey } from '#simulator/wallets/make-google-token.ts'
import { reachProviders } from './reach-providers.ts'

const OWN = { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, expiresAt: null }

/** None of this calls a provider. */
function trusted(environment: 'sandbox' | 'production') {
  const options = { googlePayRootKeys: [OWN], publicUrl: 'http://127.0.0.1:3000', onError: () => {} }
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
