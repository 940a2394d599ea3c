import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { JWK } from 'jose'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Algorithm } from './schemas.ts'

const generate = promisify(generateKeyPair)
const RSA_BITS_MIN = 2048
/** Checking a signature with a larger key would take long. */
const RSA_BITS_MAX = 8192
const RSA_BITS_GENERATED = 3072

export type PublicKey = {
  readonly pem: string
  readonly thumbprint: string
  readonly algorithm: Algorithm
  /** The only algorithm that tokens of this key may use. */
  readonly signatureAlgorithm: string
}

const GENERATORS = {
  ECDSA: () => generate('ec', { namedCurve: 'P-521' }),
  RSA: () => generate('rsa', { modulusLength: RSA_BITS_GENERATED }),
  EdDSA: () => generate('ed25519'),
} as const satisfies Record<Algorithm, unknown>

/** Makes a pair. The private key is returned to the caller and never stored. */
export async function generatePair(
  algorithm: Algorithm,
): Promise<{ readonly publicKey: PublicKey; readonly privateKey: string }> {
  const pair = await GENERATORS[algorithm]()
  const privateKey = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { publicKey: await describe(pair.publicKey), privateKey }
}

/** Reads a caller's own public key, or says why it cannot be used. */
export async function readPublicKey(pem: string): Promise<PublicKey> {
  // Node would silently derive the public half of a private key.
  if (/PRIVATE KEY/.test(pem)) {
    throw refuse(
      'send the public half: this is a private key. Keep it secret, and replace it if it was in use',
    )
  }
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw refuse('is not a public key in PEM')
  }
  return describe(key)
}

/** The public half of a private key that we or the operator keep in a file. */
export function describePrivateKey(pem: string): Promise<PublicKey> {
  return describe(createPublicKey(pem))
}

async function describe(key: KeyObject): Promise<PublicKey> {
  const [algorithm, signatureAlgorithm] = algorithmsOf(key)
  const jwk = key.export({ format: 'jwk' }) as JWK
  return {
    pem: key.export({ type: 'spki', format: 'pem' }).toString(),
    thumbprint: await calculateJwkThumbprint(jwk, 'sha256'),
    algorithm,
    signatureAlgorithm,
  }
}

const CURVES: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

function algorithmsOf(key: KeyObject): [Algorithm, string] {
  const details = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'ed25519') return ['EdDSA', 'EdDSA']
  if (key.asymmetricKeyType === 'ec') {
    const algorithm = CURVES[details.namedCurve ?? '']
    if (algorithm) return ['ECDSA', algorithm]
    throw refuse('uses another curve than P-256, P-384 or P-521')
  }
  if (key.asymmetricKeyType === 'rsa') {
    if ((details.modulusLength ?? 0) < RSA_BITS_MIN) throw refuse(`has fewer than ${RSA_BITS_MIN} bits`)
    if ((details.modulusLength ?? 0) > RSA_BITS_MAX) throw refuse(`has more than ${RSA_BITS_MAX} bits`)
    if ((details.publicExponent ?? 0n) < 65_537n) throw refuse('has a public exponent below 65537')
    return ['RSA', 'RS512']
  }
  throw refuse('is not an EC, Ed25519 or RSA key')
}

function refuse(message: string) {
  return errors.invalid(inBody('/public_key', 'value_error.str.regex', message))
}
