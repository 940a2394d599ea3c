import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'

const STEP_SECONDS = 30
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const SECRET_BYTES = 20
const RECOVERY_CODES = 10

export function newSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** `bound` is the user or, before there is one, the challenge. */
export function sealSecret(secrets: Secrets, bound: string, secret: Buffer): Buffer {
  return secrets.seal('user-authenticator', bound, secret.toString('base64'))
}

export function openSecret(secrets: Secrets, bound: string, sealed: Buffer): Buffer {
  return Buffer.from(secrets.open('user-authenticator', bound, sealed), 'base64')
}

/** What an authenticator app reads from a QR code. */
export function appAddress(secret: Buffer, emailAddress: string, host: string): string {
  const label = encodeURIComponent(`Switchyard ${host}:${emailAddress}`)
  const query = new URLSearchParams({ secret: base32(secret), issuer: `Switchyard ${host}` })
  return `otpauth://totp/${label}?${query}`
}

/** 80 bits each, in groups that people can copy from paper. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    (base32(randomBytes(10)).match(/.{4}/g) ?? []).join('-').toLowerCase(),
  )
}

export function macOfRecoveryCode(secrets: Secrets, userId: string, code: string): Buffer {
  return secrets.mac('user-recovery-code', `${userId} ${code.toLowerCase().replaceAll(/[^a-z2-7]/g, '')}`)
}

/** RFC 6238 with SHA-1, which is what authenticator apps do. */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export function stepOf(now: Date): number {
  return Math.floor(now.getTime() / 1000 / STEP_SECONDS)
}

/** The step whose code this is: now, or one step before or after, as clocks differ. */
export function matchingStep(secret: Buffer, code: string, now: Date): number | undefined {
  const current = stepOf(now)
  const matches = [current - 1, current, current + 1].filter((step) => isSame(codeAt(secret, step), code))
  return matches.at(-1)
}

function isSame(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** As people type it into an app. */
export function base32(bytes: Buffer): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
