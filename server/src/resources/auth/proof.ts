import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { ApiError, type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'

type Proof = {
  readonly challenge_id?: string
  readonly passkey?: AuthenticationResponseJSON | RegistrationResponseJSON
  readonly password?: string
  readonly code?: string
}

/** A proof is a passkey, or a password with a code. */
export function refuseUnclearProof({ passkey, password, code, challenge_id }: Proof): void {
  if (passkey && (password !== undefined || code !== undefined)) {
    const message = 'send a passkey, or a password with a code, not both'
    throw errors.invalid(inBody('/passkey', 'value_error.conflict', message))
  }
  const wanted = passkey ? { challenge_id } : { password, code }
  const absent = Object.entries(wanted).filter(([, value]) => value === undefined)
  if (absent.length > 0) throw errors.invalid(...absent.map(([name]) => missing(name)))
}

export function missing(name: string): ErrorDetail {
  const message = 'is required: send a passkey with its challenge_id, or a password with a code'
  return inBody(`/${name}`, 'value_error.missing', message)
}

/** What was wrong is not said: the address, the password, the code, the passkey or the challenge. */
export function unproved(providerName?: string): ApiError {
  const elsewhere = providerName === undefined ? '' : `, or sign in with ${providerName}`
  const message = `no active user has proved to be who they are: check what you entered, and try again${elsewhere}`
  return new ApiError('unauthorized', {
    details: [inBody('', 'value_error.conflict', message)],
    headers: { 'www-authenticate': 'Bearer' },
  })
}

/** Used, old and guessed links get the same answer. */
export function noSuchLink(): ApiError {
  const message = 'this link cannot be used, or not any more: ask an administrator for a new one'
  return new ApiError('not_found', { details: [inBody('/token', 'value_error.not_found', message)] })
}

/** The user whose name was given. Undefined: there is no such user. What was typed is not kept: it may be a password in the wrong field. */
type Suspect = { readonly id: string; readonly name: string } | undefined

/** PCI DSS 10.2.1.4: the audit log has every failed sign-in, and every lock-out. */
export function recordFailure(context: Context, suspect: Suspect, isLockedNow = false): Promise<void> {
  const { id, name } = suspect ?? { id: 'unknown', name: 'Unknown user' }
  return inTransaction(context, async (tx) => {
    // Without a session, the person is not known.
    const actor = tx.actor.id === null ? { id: null, name: 'Sign-in' } : tx.actor
    const entry = { ...tx, actor, merchantAccountId: null }
    await auditLogs.record(entry, 'created', { type: 'failed-sign-in', id, name })
    if (isLockedNow) await auditLogs.record(entry, 'created', { type: 'lock-out', id, name })
  })
}
