import { generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { der, oid, pem } from './der.ts'
import type { KeyPurpose } from './schemas.ts'

const generate = promisify(generateKeyPair)

export type Pair = { readonly publicKey: KeyObject; readonly privateKey: KeyObject }

/** The key that Apple and Google ask for. */
export function makePair(purpose: KeyPurpose): Promise<Pair> {
  return purpose === 'apple-merchant-identity'
    ? generate('rsa', { modulusLength: 2048 })
    : generate('ec', { namedCurve: 'P-256' })
}

const COMMON_NAME = '550403'
const SHA256_WITH_RSA = '2a864886f70d01010b'
const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
/** X.520 has room for as many characters in a common name. */
const COMMON_NAME_MAX = 64

/** A certificate signing request (PKCS #10, RFC 2986). Apple reads only its key. */
export function requestCertificate({ publicKey, privateKey }: Pair, name: string): string {
  const commonName = Buffer.from([...name].slice(0, COMMON_NAME_MAX).join(''))
  const subject = der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, commonName))))
  const version = der(0x02, Buffer.from([0]))
  const noAttributes = der(0xa0)
  const info = der(0x30, version, subject, publicKey.export({ type: 'spki', format: 'der' }), noAttributes)
  const algorithm =
    privateKey.asymmetricKeyType === 'rsa'
      ? der(0x30, oid(SHA256_WITH_RSA), der(0x05))
      : der(0x30, oid(ECDSA_WITH_SHA256))
  const signature = der(0x03, Buffer.from([0]), sign('sha256', info, privateKey))
  return pem('CERTIFICATE REQUEST', der(0x30, info, algorithm, signature))
}
