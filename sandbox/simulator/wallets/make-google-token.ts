import {
  createCipheriv,
  createECDH,
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto'
import { GOOGLE_ROOT_KEY, pointOf } from './authority.ts'

export type GoogleTokenOrder = {
  /** The public half of the recipient's key, in PEM. */
  readonly publicKey: string
  readonly recipientId: string
  readonly gatewayMerchantId: string | null
  /** `PAN_ONLY`: the number of the card itself. `CRYPTOGRAM_3DS`: a number of the device with a proof. */
  readonly authMethod: 'PAN_ONLY' | 'CRYPTOGRAM_3DS'
  readonly number: string
  /** MM/YY */
  readonly expirationDate: string
  /** In base64. Random if it is left out. */
  readonly cryptogram?: string
  readonly now: Date
}

const HOUR_MS = 3_600_000

/** Makes a token as Google Pay does, signed by the test authority. It expires after an hour. */
export function makeGoogleToken(order: GoogleTokenOrder): object {
  const expiration = String(order.now.getTime() + HOUR_MS)
  const signing = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const keyValue = signing.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const signedKey = JSON.stringify({ keyValue, keyExpiration: expiration })
  const signedMessage = JSON.stringify(encrypt(order.publicKey, messageOf(order, expiration)))
  return {
    protocolVersion: 'ECv2',
    signature: signParts(signing.privateKey, ['Google', order.recipientId, 'ECv2', signedMessage]),
    intermediateSigningKey: {
      signedKey,
      signatures: [signParts(rootKey(), ['Google', 'ECv2', signedKey])],
    },
    signedMessage,
  }
}

/** What a sandbox trusts in the place of Google's root signing keys. */
export function googleTestKey(): KeyObject {
  return createPublicKey(rootKey())
}

function rootKey(): KeyObject {
  return createPrivateKey({ key: Buffer.from(GOOGLE_ROOT_KEY, 'base64'), format: 'der', type: 'pkcs8' })
}

function messageOf(order: GoogleTokenOrder, messageExpiration: string): string {
  const { authMethod, number, expirationDate, gatewayMerchantId } = order
  const [month, year] = expirationDate.split('/')
  return JSON.stringify({
    messageExpiration,
    messageId: randomUUID(),
    ...(gatewayMerchantId !== null && { gatewayMerchantId }),
    paymentMethod: 'CARD',
    paymentMethodDetails: {
      pan: number,
      expirationMonth: Number(month),
      expirationYear: 2000 + Number(year),
      authMethod,
      assuranceDetails: { cardHolderAuthenticated: authMethod !== 'PAN_ONLY', accountVerified: true },
      ...(authMethod === 'CRYPTOGRAM_3DS' && {
        cryptogram: order.cryptogram ?? randomBytes(20).toString('base64'),
        eciIndicator: '05',
      }),
    },
  })
}

function encrypt(publicKey: string, text: string): object {
  const ephemeral = createECDH('prime256v1')
  const point = ephemeral.generateKeys()
  const shared = ephemeral.computeSecret(pointOf(createPublicKey(publicKey)))
  const { cipherKey, macKey } = expand(Buffer.concat([point, shared]))
  const cipher = createCipheriv('aes-256-ctr', cipherKey, Buffer.alloc(16))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return {
    encryptedMessage: encrypted.toString('base64'),
    ephemeralPublicKey: point.toString('base64'),
    tag: hmac(macKey, encrypted).toString('base64'),
  }
}

/** HKDF (RFC 5869) with SHA-256, step by step: an empty salt, and two blocks. */
function expand(secret: Buffer): { readonly cipherKey: Buffer; readonly macKey: Buffer } {
  const info = Buffer.from('Google')
  const extracted = hmac(Buffer.alloc(32), secret)
  const cipherKey = hmac(extracted, Buffer.concat([info, Buffer.from([1])]))
  return { cipherKey, macKey: hmac(extracted, Buffer.concat([cipherKey, info, Buffer.from([2])])) }
}

function hmac(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest()
}

function signParts(key: KeyObject, parts: readonly string[]): string {
  const text = parts.map((part) => {
    const size = Buffer.byteLength(part)
    return Buffer.concat([Buffer.from(Uint32Array.of(size).buffer), Buffer.from(part)])
  })
  return sign('sha256', Buffer.concat(text), key).toString('base64')
}
