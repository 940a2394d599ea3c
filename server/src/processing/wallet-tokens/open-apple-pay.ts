import {
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  hash,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto'
import { Masked } from '#vault'
import { verifyAppleSignature } from './apple-signature.ts'
import {
  bytesOf,
  fieldsInText,
  fieldsOf,
  hexBytesOf,
  integerOf,
  type OpenedInstrument,
  type OpenedToken,
  optionalTextOf,
  RefusedToken,
  textOf,
} from './opened-token.ts'

/** A token as Apple sends it, read but not verified. */
export type AppleToken = {
  /** Names the merchant's key, in base64. */
  readonly publicKeyHash: string
  readonly ephemeralPublicKey: Buffer
  readonly transactionId: Buffer
  /** The hash of data that the merchant added to its request. */
  readonly applicationData: Buffer
  readonly data: Buffer
  readonly signature: Buffer
}

/** The key for which the token is encrypted, and whose it is. */
export type AppleKey = { readonly merchantIdentifier: string; readonly privateKey: KeyObject }

/** Whom we trust, and the time. */
export type AppleTrust = { readonly roots: readonly X509Certificate[]; readonly now: Date }

/** A phone signs right before it sends. An older token may be a stolen one that is sent again. */
const AGE_MAX_MS = 5 * 60_000
/** How far Apple's clock may be ahead of ours. */
const AHEAD_MAX_MS = 60_000

const TAG_BYTES = 16
/** Of SHA-256. Both the transaction's id and the merchant's data are hashes. */
const HASH_BYTES = 32

/** Reads the token of an Apple Pay payment: the whole `payment.token`, or only its `paymentData`. */
export function readApplePay(given: unknown): AppleToken {
  const whole = fieldsOf(given, 'token')
  const token = fieldsOf(whole['paymentData'] ?? whole, 'paymentData')
  const version = textOf(token, 'version')
  if (version === 'RSA_v1') {
    const message = 'its version RSA_v1 is not supported: ask Apple for an elliptic curve certificate (EC_v1)'
    throw new RefusedToken('unsupported', message)
  }
  if (version !== 'EC_v1') throw new RefusedToken('unsupported', 'its version is not EC_v1')
  const header = fieldsOf(token['header'], 'header')
  return {
    publicKeyHash: bytesOf(header, 'publicKeyHash').toString('base64'),
    ephemeralPublicKey: bytesOf(header, 'ephemeralPublicKey'),
    transactionId: hexBytesOf(header, 'transactionId', HASH_BYTES),
    applicationData: header['applicationData']
      ? hexBytesOf(header, 'applicationData', HASH_BYTES)
      : Buffer.alloc(0),
    data: bytesOf(token, 'data'),
    signature: bytesOf(token, 'signature'),
  }
}

/** Verifies and opens a token. Apple's signature comes first: nothing of an unsigned token is used. */
export function openApplePay(token: AppleToken, key: AppleKey, trust: AppleTrust): OpenedToken {
  const { ephemeralPublicKey, data, transactionId, applicationData } = token
  const message = Buffer.concat([ephemeralPublicKey, data, transactionId, applicationData])
  const signedAt = verifyAppleSignature(token.signature, message, trust)
  const expiresAt = new Date(signedAt.getTime() + AGE_MAX_MS)
  if (expiresAt < trust.now) {
    throw new RefusedToken(
      'expired',
      'it is too old: let the buyer approve again, and send the new one at once',
    )
  }
  if (signedAt.getTime() - trust.now.getTime() > AHEAD_MAX_MS) {
    throw new RefusedToken('expired', 'it was signed in the future: check the clock of this machine')
  }
  const plain = decrypt(token, key)
  try {
    return {
      ...readPayment(plain),
      // Of all that Apple signed. The parts have no lengths, so bytes could move from one part to the next.
      digest: hash('sha256', Buffer.concat([Buffer.from('apple:'), message])),
      expiresAt,
    }
  } finally {
    plain.fill(0)
  }
}

/** AES-256-GCM under a key that both sides agree on. A wrong key or changed data fails its check. */
function decrypt({ data, ephemeralPublicKey }: AppleToken, key: AppleKey): Buffer {
  const cipherKey = agreeOnKey(ephemeralPublicKey, key)
  try {
    const cipher = createDecipheriv('aes-256-gcm', cipherKey, Buffer.alloc(16), { authTagLength: TAG_BYTES })
    cipher.setAuthTag(data.subarray(-TAG_BYTES))
    return Buffer.concat([cipher.update(data.subarray(0, -TAG_BYTES)), cipher.final()])
  } catch {
    throw new RefusedToken('wrong-key', 'it was made for another key or another merchant identifier')
  } finally {
    cipherKey.fill(0)
  }
}

/** The key derivation of NIST SP 800-56A, section 5.8.1, with one round of SHA-256. */
function agreeOnKey(ephemeralPublicKey: Buffer, { privateKey, merchantIdentifier }: AppleKey): Buffer {
  const shared = agree(ephemeralPublicKey, privateKey)
  const algorithm = Buffer.from('\x0did-aes256-GCM', 'latin1')
  const parties = [Buffer.from('Apple'), hash('sha256', merchantIdentifier, 'buffer')]
  const derived = hash(
    'sha256',
    Buffer.concat([Buffer.from([0, 0, 0, 1]), shared, algorithm, ...parties]),
    'buffer',
  )
  shared.fill(0)
  return derived
}

function agree(ephemeralPublicKey: Buffer, privateKey: KeyObject): Buffer {
  try {
    const publicKey = createPublicKey({ key: ephemeralPublicKey, format: 'der', type: 'spki' })
    return diffieHellman({ privateKey, publicKey })
  } catch {
    throw new RefusedToken('wrong-key', 'its ephemeral key does not fit the key of the merchant')
  }
}

type Payment = Omit<OpenedToken, 'digest' | 'expiresAt'>

function readPayment(plain: Buffer): Payment {
  const fields = fieldsInText(plain.toString(), 'payment data')
  if (fields['paymentDataType'] !== '3DSecure') {
    throw new RefusedToken('unsupported', 'its payment data is not of the type 3DSecure')
  }
  return {
    instrument: readInstrument(fields),
    agreed: {
      amount: integerOf(fields, 'transactionAmount'),
      currencyNumber: textOf(fields, 'currencyCode', /^\d{1,3}$/).padStart(3, '0'),
    },
    cardholderName: optionalTextOf(fields, 'cardholderName'),
    assurance: null,
  }
}

function readInstrument(fields: Readonly<Record<string, unknown>>): OpenedInstrument {
  const payment = fieldsOf(fields['paymentData'], 'paymentData')
  const expires = textOf(fields, 'applicationExpirationDate', /^\d{2}(?:0[1-9]|1[0-2])\d{2}$/)
  return {
    kind: 'network-token',
    number: new Masked(textOf(fields, 'applicationPrimaryAccountNumber', /^\d{12,19}$/)),
    expirationDate: `${expires.slice(2, 4)}/${expires.slice(0, 2)}`,
    cryptogram: new Masked(textOf(payment, 'onlinePaymentCryptogram', /^[A-Za-z0-9+/]+={0,2}$/)),
    eci: optionalTextOf(payment, 'eciIndicator', /^\d{1,2}$/)?.padStart(2, '0') ?? null,
  }
}
