import { createPublicKey, type X509Certificate } from 'node:crypto'
import type { GoogleRootKey } from './open-google-pay.ts'

/** Who may sign the tokens of wallets. */
export type WalletAuthorities = {
  readonly appleRoots: readonly X509Certificate[]
  readonly googleRootKeys: readonly GoogleRootKey[]
}

/**
 * Reads the root signing keys from the document that Google publishes, with those for other versions of the
 * protocol. Null if it is no such document.
 */
export function readGoogleRootKeys(text: string): GoogleRootKey[] | null {
  try {
    const { keys } = JSON.parse(text) as { keys: readonly Readonly<Record<string, string>>[] }
    const ours = keys.filter(({ protocolVersion }) => protocolVersion === 'ECv2')
    return ours.length > 0 ? ours.map(readKey) : null
  } catch {
    return null
  }
}

function readKey({ keyValue = '', keyExpiration }: Readonly<Record<string, string>>): GoogleRootKey {
  const key = createPublicKey({ key: Buffer.from(keyValue, 'base64'), format: 'der', type: 'spki' })
  const expiresAt = keyExpiration === undefined ? null : new Date(Number(keyExpiration))
  const isSound = key.asymmetricKeyType === 'ec' && !Number.isNaN(expiresAt?.getTime() ?? 0)
  if (!isSound) throw new Error('not a root signing key of Google')
  return { key, expiresAt }
}
