import { randomBytes } from 'node:crypto'
import type { Secrets } from '#platform/access/secrets.ts'
import { base32 } from './time-code.ts'

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
