import type { Caller } from '#platform/access/auth.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { refuseIfLinked } from '../oidc/refuse-linked.ts'
import { unproved } from '../proof.ts'
import { endOtherSessions } from '../sessions/end.ts'
import { macOfRecoveryCode, matchingStep, newRecoveryCodes, openSecret, sealSecret } from './authenticator.ts'
import { hashPassword, refuseWeakPassword } from './hash.ts'
import type { ChangedPassword, SetPassword } from './schemas.ts'
import * as passwords from './store.ts'

/** Gives a user who is signed in a new password, or a first one. It ends all their other sessions. */
export async function setPassword(
  context: Context,
  { secrets }: AuthNeeds,
  caller: Caller,
  request: SetPassword,
): Promise<ChangedPassword> {
  const { emailAddress = '' } = caller.session ?? {}
  await refuseWeakPassword(context, { password: request.password, userId: caller.id, emailAddress })
  const app = await readApp(context, { secrets }, caller, request)
  const hash = await hashPassword(request.password)
  const recoveryCodes = app ? newRecoveryCodes() : null
  const changedAt = await inTransaction(context, async (tx) => {
    // In turn: another request must not delete the last passkey meanwhile, nor the password that is changed.
    await users.lock(tx, caller.id)
    await refuseIfLinked(tx, caller.id)
    if (app) {
      await passwords.removeOf(tx, caller.id)
      await passwords.insert(tx, caller.id, {
        hash,
        sealedAuthenticator: sealSecret(secrets, caller.id, app.secret),
        lastStep: app.step,
        recoveryMacs: (recoveryCodes ?? []).map((code) => macOfRecoveryCode(secrets, caller.id, code)),
      })
    } else if (!(await passwords.changeHash(tx, caller.id, hash))) throw noAppYet()
    await record(tx, caller, 'updated')
    await endOtherSessions(tx, caller)
    return realTime(tx.clock)
  })
  return { type: 'password', changed_at: changedAt.toISOString(), recovery_codes: recoveryCodes }
}

type App = { readonly secret: Buffer; readonly step: number }

/** The authenticator app that goes with the password from now on. Undefined: the one that the user has. */
async function readApp(
  context: Context,
  { secrets }: Pick<AuthNeeds, 'secrets'>,
  caller: Caller,
  { challenge_id: challengeId, code }: SetPassword,
): Promise<App | undefined> {
  if (challengeId === undefined && code === undefined) return undefined
  if (challengeId === undefined || code === undefined) {
    const name = challengeId === undefined ? 'challenge_id' : 'code'
    throw errors.invalid(inBody(`/${name}`, 'value_error.missing', 'is required: send both, or neither'))
  }
  const asked = await challenges.find(context, challengeId, 'new-app')
  if (asked?.user_id !== caller.id || !asked.sealed_authenticator) throw unproved()
  const secret = openSecret(secrets, challengeId, asked.sealed_authenticator)
  const step = matchingStep(secret, code.replaceAll(/\s/g, ''), realTime(context.clock))
  if (step === undefined) throw wrongCode()
  return { secret, step }
}

/** A user without a passkey keeps the password: it is the only way to sign in. */
export function removePassword(context: Context, caller: Caller): Promise<void> {
  return inTransaction(context, async (tx) => {
    const user = await users.lock(tx, caller.id)
    if (!(await passwords.find(tx, caller.id))) throw errors.notFound()
    if (!user?.has_passkey) {
      throw errors.refused('add a passkey first: the password is your only way to sign in')
    }
    await passwords.removeOf(tx, caller.id)
    await record(tx, caller, 'deleted')
    await endOtherSessions(tx, caller)
  })
}

function record(tx: Context<Tx>, { id, name }: Caller, action: 'updated' | 'deleted'): Promise<void> {
  return auditLogs.record({ ...tx, merchantAccountId: null }, action, { type: 'password', id, name })
}

function noAppYet() {
  const message = 'is required: a first password needs an authenticator app. Call POST /auth/password/options'
  return errors.invalid(inBody('/challenge_id', 'value_error.missing', message))
}

function wrongCode() {
  const message =
    'is not the code that the app shows now: wait for the next one, and check the clock of the phone'
  return errors.invalid(inBody('/code', 'value_error.conflict', message))
}
