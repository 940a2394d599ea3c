import { createPublicKey, X509Certificate } from 'node:crypto'
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

/**
 * Apple Root CA - G3, valid until 2039. Apple publishes it at apple.com/certificateauthority. A test compares its fingerprint with
 * the published one.
 */
export const APPLE_ROOT = new X509Certificate(
  Buffer.from(
    'MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwSQXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBD' +
      'ZXJ0aWZpY2F0aW9uIEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcNMTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2' +
      'WjBnMRswGQYDVQQDDBJBcHBsZSBSb290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9yaXR5MRMwEQYDVQQKDApBcHBs' +
      'ZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtfTjjTuxxEtX/1' +
      'H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr' +
      'MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gAMGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvO' +
      'wgPUnPWTxnS4at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM6BgD56KyKA==',
    'base64',
  ),
)
