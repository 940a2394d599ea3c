import { createPrivateKey, createPublicKey, hash, type KeyObject, X509Certificate } from 'node:crypto'
import { type ErrorDetail, inBody } from '#platform/http/errors.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { CreateDigitalWalletKey, KeyPurpose } from './schemas.ts'
import type { Certified } from './store.ts'

const RSA_BITS_MIN = 2048
/** Each session at Apple signs with the key, and the time for it grows with the cube of its length. */
const RSA_BITS_MAX = 4096

export type PublicHalf = { readonly public_key: string; readonly public_key_hash: string }

/** Complains about everything in a request that can be judged without the wallet. */
export function complaintsAboutKey(request: Sound<CreateDigitalWalletKey>, now: Date): ErrorDetail[] {
  const {
    purpose,
    certificate = null,
    private_key: privateKey = null,
    recipient_id: recipient = null,
  } = request
  if (purpose === undefined) return []
  if (purpose === 'google-payment') {
    return [
      ...(certificate === null ? [] : [extra('/certificate', 'Google Pay has keys without certificates')]),
      ...(recipient === null && !('recipient_id' in request && request.recipient_id === undefined)
        ? [inBody('/recipient_id', 'value_error.missing', 'name the recipient, such as gateway:switchyard')]
        : []),
      ...(privateKey === null ? [] : keyComplaints(purpose, privateKey)),
    ]
  }
  return [
    ...(recipient === null ? [] : [extra('/recipient_id', 'only keys of Google Pay have a recipient')]),
    ...pairComplaints(purpose, { certificate, privateKey }, now),
  ]
}

type Pair = { readonly certificate: string | null; readonly privateKey: string | null }

function pairComplaints(purpose: KeyPurpose, { certificate, privateKey }: Pair, now: Date): ErrorDetail[] {
  if (certificate === null && privateKey === null) return []
  if (certificate === null)
    return [inBody('/certificate', 'value_error.missing', 'send the certificate of the key, too')]
  if (privateKey === null)
    return [inBody('/private_key', 'value_error.missing', 'send the private key of the certificate, too')]
  const complaints = [
    ...certificateComplaints(purpose, certificate, now),
    ...keyComplaints(purpose, privateKey),
  ]
  if (complaints.length > 0) return complaints
  const fits = readCertificate(certificate)?.checkPrivateKey(createPrivateKey(privateKey))
  return fits ? [] : [inBody('/private_key', 'value_error.conflict', 'is not the key of this certificate')]
}

/** Why a certificate cannot be used. */
export function certificateComplaints(purpose: KeyPurpose, text: string, now: Date): ErrorDetail[] {
  const complain = (type: ErrorDetail['type'], message: string) => [inBody('/certificate', type, message)]
  const certificate = readCertificate(text)
  if (!certificate)
    return complain(
      'value_error.str.regex',
      'is not one certificate in PEM. Convert Apple’s file: openssl x509 -inform der -in apple.cer',
    )
  const { from, until } = validityOf(certificate)
  if (until <= now) return complain('value_error.expired', 'has expired: renew it at Apple')
  if (from > now) return complain('value_error.conflict', 'is not valid yet')
  const misfit = misfitOf(purpose, certificate.publicKey)
  if (misfit) return complain('value_error.conflict', misfit)
  if (merchantIdentifierOf(certificate) === undefined)
    return complain(
      'value_error.conflict',
      'names no merchant: use a certificate that Apple issued for a merchant id',
    )
  return []
}

function keyComplaints(purpose: KeyPurpose, text: string): ErrorDetail[] {
  const complain = (type: ErrorDetail['type'], message: string) => [inBody('/private_key', type, message)]
  const key = readPrivateKey(text)
  if (!key)
    return complain('value_error.str.regex', 'is not a private key in PEM, or a passphrase protects it')
  const misfit = misfitOf(purpose, createPublicKey(key))
  return misfit ? complain('value_error.conflict', misfit) : []
}

/** Why a key cannot serve its purpose. Apple and Google use P-256; TLS at Apple takes RSA, too. */
function misfitOf(purpose: KeyPurpose, { asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject) {
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails ?? {}
  if (type === 'ec' && namedCurve === 'prime256v1') return undefined
  if (purpose !== 'apple-merchant-identity') return 'has no EC key on the curve P-256: make another one'
  if (type === 'rsa' && modulusLength >= RSA_BITS_MIN && modulusLength <= RSA_BITS_MAX) return undefined
  return `has neither an RSA key of ${RSA_BITS_MIN} to ${RSA_BITS_MAX} bits, nor an EC key on the curve P-256`
}

/** What is kept of a certificate that has passed the checks. */
export function describeCertificate(text: string): Certified {
  const certificate = readCertificate(text)
  const merchantIdentifier = certificate && merchantIdentifierOf(certificate)
  if (!merchantIdentifier) throw new Error('a certificate was not checked')
  return {
    certificate: certificate.toString(),
    serial_number: certificate.serialNumber,
    merchant_identifier: merchantIdentifier,
    expires_at: validityOf(certificate).until,
  }
}

export function describePublicKey(key: KeyObject): PublicHalf {
  const der = key.export({ type: 'spki', format: 'der' })
  return {
    public_key: key.export({ type: 'spki', format: 'pem' }).toString(),
    public_key_hash: hash('sha256', der, 'base64'),
  }
}

/** Whether a certificate is for a stored public key. */
export function isFor(text: string, { public_key_hash }: PublicHalf): boolean {
  const certificate = readCertificate(text)
  return (
    certificate !== undefined && describePublicKey(certificate.publicKey).public_key_hash === public_key_hash
  )
}

function readCertificate(text: string): X509Certificate | undefined {
  // Of several certificates, the parser would read the first in silence.
  if (text.match(/-----BEGIN [^-]+-----/g)?.join() !== '-----BEGIN CERTIFICATE-----') return undefined
  try {
    const certificate = new X509Certificate(text)
    return isReadable(certificate) ? certificate : undefined
  } catch {
    return undefined
  }
}

/** Node decodes these parts when they are asked for. A key of an unknown algorithm throws, a wrong date is not a time. */
function isReadable(certificate: X509Certificate): boolean {
  const { from, until } = validityOf(certificate)
  return (
    certificate.publicKey.type === 'public' && ![from, until].some((date) => Number.isNaN(date.getTime()))
  )
}

/** Read from text: for a date that does not exist, Node's `validToDate` answers with whatever its memory held. */
function validityOf({ validFrom, validTo }: X509Certificate) {
  return { from: new Date(validFrom), until: new Date(validTo) }
}

function readPrivateKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    // The error might repeat a part of the key.
    return undefined
  }
}

const MERCHANT_IDENTIFIER = /^UID=([\w.-]{1,255})$/m

/** Apple writes the merchant’s identifier into the user id of the subject. */
function merchantIdentifierOf({ subject }: X509Certificate): string | undefined {
  return MERCHANT_IDENTIFIER.exec(subject)?.[1]
}

function extra(pointer: string, reason: string): ErrorDetail {
  return inBody(pointer, 'value_error.extra', `leave it out: ${reason}`)
}
