import {
  createCipheriv,
  createECDH,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import {
  INTERMEDIATE_CERTIFICATE,
  pointOf,
  ROOT_CERTIFICATE,
  SIGNER_CERTIFICATE,
  SIGNER_KEY,
  toSpki,
} from './authority.ts'

export type AppleTokenOrder = {
  /** The public half of the merchant's payment processing key, in PEM. */
  readonly publicKey: string
  readonly merchantIdentifier: string
  readonly number: string
  /** MM/YY */
  readonly expirationDate: string
  readonly amount: number
  /** ISO 4217's number. */
  readonly currencyNumber: string
  /** In base64. Random if it is left out. */
  readonly cryptogram?: string
  readonly now: Date
}

/** Makes a token as a phone with Apple Pay does, signed by the test authority. */
export function makeAppleToken(order: AppleTokenOrder): object {
  const merchantKey = createPublicKey(order.publicKey)
  const ephemeral = createECDH('prime256v1')
  ephemeral.generateKeys()
  const ephemeralPublicKey = toSpki(ephemeral.getPublicKey())
  const shared = ephemeral.computeSecret(pointOf(merchantKey))
  const data = seal(keyFrom(shared, order.merchantIdentifier), paymentOf(order))
  const transactionId = randomBytes(32)
  const signature = signDetached(Buffer.concat([ephemeralPublicKey, data, transactionId]), order.now)
  return {
    version: 'EC_v1',
    data: data.toString('base64'),
    signature: signature.toString('base64'),
    header: {
      ephemeralPublicKey: ephemeralPublicKey.toString('base64'),
      publicKeyHash: sha256(spkiOf(merchantKey)).toString('base64'),
      transactionId: transactionId.toString('hex'),
    },
  }
}

/** What a sandbox trusts beside Apple's root. */
export function appleTestRoot(): X509Certificate {
  return new X509Certificate(Buffer.from(ROOT_CERTIFICATE, 'base64'))
}

function paymentOf({ number, expirationDate, amount, currencyNumber, cryptogram }: AppleTokenOrder): string {
  const [month, year] = expirationDate.split('/')
  return JSON.stringify({
    applicationPrimaryAccountNumber: number,
    applicationExpirationDate: `${year}${month}28`,
    currencyCode: currencyNumber,
    transactionAmount: amount,
    deviceManufacturerIdentifier: '040010030273',
    paymentDataType: '3DSecure',
    paymentData: {
      onlinePaymentCryptogram: cryptogram ?? randomBytes(20).toString('base64'),
      eciIndicator: '7',
    },
  })
}

function keyFrom(shared: Buffer, merchantIdentifier: string): Buffer {
  const digest = createHash('sha256')
  digest.update(Buffer.from('00000001', 'hex')).update(shared)
  digest
    .update(Buffer.from([13]))
    .update('id-aes256-GCM')
    .update('Apple')
  return digest.update(sha256(Buffer.from(merchantIdentifier))).digest()
}

function seal(key: Buffer, text: string): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** A detached signature in the form of RFC 5652, with the certificates below the root. */
function signDetached(message: Buffer, now: Date): Buffer {
  const key = createPrivateKey({ key: Buffer.from(SIGNER_KEY, 'base64'), format: 'der', type: 'pkcs8' })
  const [signer, intermediate] = [SIGNER_CERTIFICATE, INTERMEDIATE_CERTIFICATE].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer]
  const sha256Name = element(0x30, oid('608648016503040201'))
  const attributes = [
    element(0x30, oid('2a864886f70d010903'), element(0x31, oid('2a864886f70d010701'))),
    element(0x30, oid('2a864886f70d010904'), element(0x31, element(0x04, sha256(message)))),
    element(0x30, oid('2a864886f70d010905'), element(0x31, element(0x17, Buffer.from(shortTime(now))))),
  ]
  const signature = sign('sha256', element(0x31, ...attributes), key)
  const signerInfo = element(
    0x30,
    number(1),
    element(0x30, issuerOf(signer), number(SERIAL_OF_SIGNER)),
    sha256Name,
    element(0xa0, ...attributes),
    element(0x30, oid('2a8648ce3d040302')),
    element(0x04, signature),
  )
  const signed = element(
    0x30,
    number(1),
    element(0x31, sha256Name),
    element(0x30, oid('2a864886f70d010701')),
    element(0xa0, signer, intermediate),
    element(0x31, signerInfo),
  )
  return element(0x30, oid('2a864886f70d010702'), element(0xa0, signed))
}

const SERIAL_OF_SIGNER = 3

/** The issuer follows version, serial number and algorithm, whose lengths do not change. */
function issuerOf(certificate: Buffer): Buffer {
  const start = certificate.indexOf(Buffer.from('300a06082a8648ce3d040302', 'hex')) + 12
  return certificate.subarray(start, start + 2 + (certificate[start + 1] ?? 0))
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function oid(hex: string): Buffer {
  return element(0x06, Buffer.from(hex, 'hex'))
}

function number(value: number): Buffer {
  return element(0x02, Buffer.from([value]))
}

function shortTime(now: Date): string {
  return `${now.toISOString().slice(2, 19).replaceAll(/\D/g, '')}Z`
}

function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' })
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
