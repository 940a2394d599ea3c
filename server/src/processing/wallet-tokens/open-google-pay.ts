import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hash,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import { Masked } from '#vault'
import {
  type Assurance,
  bytesOf,
  fieldsInText,
  fieldsOf,
  integerOf,
  type OpenedInstrument,
  type OpenedToken,
  optionalTextOf,
  RefusedToken,
  textOf,
  timeInMs,
} from './opened-token.ts'

/** The keys for which tokens may be encrypted, and whose they are. */
export type GoogleRecipient = {
  /** `gateway:` or `merchant:` and the name that Google knows the recipient by. */
  readonly recipientId: string
  /** The merchant that a gateway's token must name. Null if the recipient is the merchant itself. */
  readonly gatewayMerchantId: string | null
  /** A token does not say for which key it is. While keys are rotated there are several. */
  readonly privateKeys: readonly KeyObject[]
}

/** A root signing key of Google. */
export type GoogleRootKey = { readonly key: KeyObject; readonly expiresAt: Date | null }

/** Whom we trust, and the time. */
export type GoogleTrust = { readonly rootKeys: readonly GoogleRootKey[]; readonly now: Date }

const VERSION = 'ECv2'
const SENDER = 'Google'

/** A public key of P-256 without its point, which comes as 65 bytes. */
const POINT_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex')
const POINT_BYTES = 65

/** Verifies and opens a token of Google Pay, given as text or as an object. */
export function openGooglePay(given: unknown, recipient: GoogleRecipient, trust: GoogleTrust): OpenedToken {
  const token = typeof given === 'string' ? fieldsInText(given, 'text') : fieldsOf(given, 'token')
  if (textOf(token, 'protocolVersion') !== VERSION) {
    throw new RefusedToken('unsupported', `its protocolVersion is not ${VERSION}`)
  }
  const { keyExpiresAt, signedMessage } = verifyToken(token, recipient.recipientId, trust)
  const plain = decrypt(signedMessage, recipient.privateKeys)
  try {
    return readMessage(plain, recipient, { keyExpiresAt, now: trust.now })
  } finally {
    plain.fill(0)
  }
}

type Fields = Readonly<Record<string, unknown>>

/** A root key signs an intermediate key, which signs the message for one recipient. */
function verifyToken(token: Fields, recipientId: string, { rootKeys, now }: GoogleTrust) {
  const intermediate = fieldsOf(token['intermediateSigningKey'], 'intermediateSigningKey')
  const signedKey = textOf(intermediate, 'signedKey')
  const statement = signedBytes(SENDER, VERSION, signedKey)
  const current = rootKeys.filter(({ expiresAt }) => expiresAt === null || now < expiresAt)
  const isTrusted = signaturesOf(intermediate).some((signature) =>
    current.some(({ key }) => verify('sha256', statement, key, signature)),
  )
  if (!isTrusted) refuse('no root key of Google has signed its signing key')

  const named = fieldsInText(signedKey, 'signedKey')
  const keyExpiresAt = timeInMs(named, 'keyExpiration')
  if (keyExpiresAt <= now) throw new RefusedToken('expired', 'its signing key has expired')
  const signedMessage = textOf(token, 'signedMessage')
  const message = signedBytes(SENDER, recipientId, VERSION, signedMessage)
  if (!verify('sha256', message, publicKeyOf(bytesOf(named, 'keyValue')), bytesOf(token, 'signature'))) {
    refuse('it was changed, or made for another recipient')
  }
  return { keyExpiresAt, signedMessage }
}

const SIGNATURES_MAX = 10

function signaturesOf(intermediate: Fields): Buffer[] {
  const given = intermediate['signatures']
  if (!Array.isArray(given) || given.length > SIGNATURES_MAX)
    refuse('its signing key has no list of signatures')
  return (given as unknown[]).map((signature) => bytesOf({ signature }, 'signature'))
}

/** Each part with its length in front, so that two different lists of parts never give the same bytes. */
function signedBytes(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(bytes.length)
      return [length, bytes]
    }),
  )
}

/** ECIES: a key agreed on, HKDF, and a check of the encrypted bytes before they are decrypted. */
function decrypt(signedMessage: string, privateKeys: readonly KeyObject[]): Buffer {
  const fields = fieldsInText(signedMessage, 'signedMessage')
  const encrypted = bytesOf(fields, 'encryptedMessage')
  const point = bytesOf(fields, 'ephemeralPublicKey')
  const tag = bytesOf(fields, 'tag')
  if (point.length !== POINT_BYTES) refuse('its ephemeralPublicKey is not a point of P-256')
  const ephemeral = publicKeyOf(Buffer.concat([POINT_PREFIX, point]))
  for (const privateKey of privateKeys) {
    const shared = diffieHellman({ privateKey, publicKey: ephemeral })
    const secret = Buffer.concat([point, shared])
    const derived = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(32), SENDER, 64))
    const cipherKey = derived.subarray(0, 32)
    const expected = createHmac('sha256', derived.subarray(32)).update(encrypted).digest()
    const isMeant = tag.length === expected.length && timingSafeEqual(tag, expected)
    const plain = isMeant ? decipher(encrypted, cipherKey) : null
    for (const bytes of [shared, secret, derived]) bytes.fill(0)
    if (plain) return plain
  }
  throw new RefusedToken('wrong-key', 'it was made for another key')
}

function decipher(encrypted: Buffer, cipherKey: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-ctr', cipherKey, Buffer.alloc(16))
  return Buffer.concat([cipher.update(encrypted), cipher.final()])
}

function publicKeyOf(bytes: Buffer): KeyObject {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Not a key at all: refused like a key of another curve.
  }
  return refuse('a key in it is not a key of P-256')
}

type Times = { readonly keyExpiresAt: Date; readonly now: Date }

function readMessage(plain: Buffer, { gatewayMerchantId }: GoogleRecipient, times: Times): OpenedToken {
  const message = fieldsInText(plain.toString(), 'message')
  const messageExpiresAt = timeInMs(message, 'messageExpiration')
  if (messageExpiresAt <= times.now) {
    throw new RefusedToken(
      'expired',
      'it has expired: let the buyer approve again, and send the new one at once',
    )
  }
  if (gatewayMerchantId !== null && message['gatewayMerchantId'] !== gatewayMerchantId) {
    throw new RefusedToken('other-merchant', 'it names another merchant')
  }
  if (message['paymentMethod'] !== 'CARD') throw new RefusedToken('unsupported', 'it does not hold a card')
  const details = fieldsOf(message['paymentMethodDetails'], 'paymentMethodDetails')
  const { keyExpiresAt } = times
  return {
    instrument: readInstrument(details),
    digest: hash('sha256', `google:${textOf(message, 'messageId', /./)}`),
    // Whichever comes first ends it.
    expiresAt: new Date(Math.min(messageExpiresAt.getTime(), keyExpiresAt.getTime())),
    agreed: null,
    cardholderName: null,
    assurance: readAssurance(details['assuranceDetails']),
  }
}

function readInstrument(details: Fields): OpenedInstrument {
  const number = new Masked(textOf(details, 'pan', /^\d{12,19}$/))
  const month = integerOf(details, 'expirationMonth')
  const year = integerOf(details, 'expirationYear')
  if (month < 1 || month > 12 || year < 2000 || year > 2099) {
    throw new RefusedToken('unreadable', 'its expiration date is no month')
  }
  const expirationDate = `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`
  switch (details['authMethod']) {
    case 'PAN_ONLY':
      return { kind: 'card', number, expirationDate }
    case 'CRYPTOGRAM_3DS':
      return {
        kind: 'network-token',
        number,
        expirationDate,
        cryptogram: new Masked(textOf(details, 'cryptogram', /^[A-Za-z0-9+/]+={0,2}$/)),
        eci: optionalTextOf(details, 'eciIndicator', /^\d{1,2}$/)?.padStart(2, '0') ?? null,
      }
    default:
      throw new RefusedToken('unsupported', 'its authMethod is neither PAN_ONLY nor CRYPTOGRAM_3DS')
  }
}

function readAssurance(given: unknown): Assurance | null {
  if (given === undefined || given === null) return null
  const fields = fieldsOf(given, 'assuranceDetails')
  return {
    isAccountVerified: booleanOf(fields['accountVerified']),
    isCardHolderAuthenticated: booleanOf(fields['cardHolderAuthenticated']),
  }
}

function booleanOf(value: unknown): boolean | null {
  return typeof value === 'boolean' ? value : null
}

function refuse(reason: string): never {
  throw new RefusedToken('wrong-signature', reason)
}
