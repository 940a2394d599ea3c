import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import * as users from '#resources/users/store.ts'
import * as lockOuts from '../lock-outs/store.ts'
import { macOfRecoveryCode, matchingStep, openSecret } from './authenticator.ts'
import { isPassword } from './hash.ts'
import * as passwords from './store.ts'

type Given = { readonly emailAddress: string; readonly password: string; readonly code: string }

/**
 * Whether this is the password and a code of an active user. Which of the three is wrong, the answer does not
 * tell, nor the time it takes. Returns the user's id.
 */
export async function checkPassword(
  context: Context,
  secrets: Secrets,
  { emailAddress, password, code }: Given,
): Promise<string | undefined> {
  const emailMac = macOfEmail(secrets, emailAddress)
  const lockedUntil = await lockOuts.countTry(context, emailMac)
  if (lockedUntil) throw lockedOut(lockedUntil, realTime(context.clock))
  const userId = await users.findActiveId(context, emailAddress)
  const stored = userId === undefined ? undefined : await passwords.find(context, userId)
  const isRight = await isPassword(password, stored?.hash)
  if (!isRight || !stored || userId === undefined) return undefined
  if (!(await useCode(context, secrets, { userId, code, stored }))) return undefined
  await lockOuts.clear(context, emailMac)
  return userId
}

type Coded = { readonly userId: string; readonly code: string; readonly stored: passwords.StoredPassword }

async function useCode(
  context: Context,
  secrets: Secrets,
  { userId, code, stored }: Coded,
): Promise<boolean> {
  const secret = openSecret(secrets, userId, stored.sealed_authenticator)
  const step = matchingStep(secret, code.replaceAll(/\s/g, ''), realTime(context.clock))
  if (step !== undefined) return passwords.useStep(context, userId, step)
  return passwords.useRecoveryCode(context, userId, macOfRecoveryCode(secrets, userId, code))
}

/** Addresses differ only by their letters' case for people, so they do for us. */
export function macOfEmail(secrets: Secrets, emailAddress: string): Buffer {
  return secrets.mac('user-email', emailAddress.toLowerCase())
}

function lockedOut(until: Date, now: Date) {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return errors.tooManyRequests(seconds, 'failed sign-ins with this e-mail address')
}
