import type { Caller } from '#platform/access/auth.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { inFinalTransaction } from '#platform/idempotency/once.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { refuseIfLinked } from '../oidc/refuse-linked.ts'
import { unproved } from '../proof.ts'
import { endOtherSessions } from '../sessions/end.ts'
import {
  appAddress,
  base32,
  macOfRecoveryCode,
  matchingStep,
  newRecoveryCodes,
  newSecret,
  openSecret,
  sealSecret,
} from './authenticator.ts'
import { hashPassword, refuseWeakPassword } from './hash.ts'
import { ChangedPassword, PasswordOptions, PasswordState, SetPassword } from './schemas.ts'
import * as passwords from './store.ts'

const operation = operationsOf({ tag: 'Sign-in', concerns: 'instance', isForUsers: true, scopes: 'users.me' })

export function passwordRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'get_password',
      route: 'GET /auth/password',
      summary: 'Get state of your password',
      description: 'Whether you have a password, and how many recovery codes are left.',
      responses: { 200: PasswordState },
      handler: ({ context, caller }) => passwords.stateOf(context, caller.id),
    }),

    operation({
      id: 'create_password_options',
      route: 'POST /auth/password/options',
      summary: 'Prepare new authenticator app',
      description:
        'A new key for an authenticator app. It counts once you set a password with a code of the app.',
      needsFreshProof: true,
      shownOnce: { authenticator: null },
      neverStored: true,
      responses: { 201: PasswordOptions },
      handler: async ({ context, caller, once }) => {
        const id = challenges.newChallengeId(context)
        const secret = newSecret()
        const sealedAuthenticator = sealSecret(needs.secrets, id, secret)
        const { host } = new URL(needs.publicUrl)
        return inFinalTransaction(context, once, async (tx) => {
          const challenge = { id, purpose: 'new-app', userId: caller.id, challenge: '' } as const
          await challenges.insert(tx, { ...challenge, sealedAuthenticator })
          const url = appAddress(secret, caller.session?.emailAddress ?? '', host)
          const authenticator = { secret: base32(secret), url }
          return { type: 'password-options', challenge_id: id, authenticator } as const
        })
      },
    }),

    operation({
      id: 'set_password',
      route: 'PUT /auth/password',
      summary: 'Set your password',
      description: 'Changes your password, or gives you one. All your other sessions end at once.',
      needsFreshProof: true,
      body: SetPassword,
      responses: { 200: ChangedPassword },
      handler: async ({ context, caller, body }) => {
        const changed = await setPassword(context, needs, caller, body)
        needs.sessions.forget()
        return changed
      },
    }),

    operation({
      id: 'delete_password',
      route: 'DELETE /auth/password',
      summary: 'Delete your password',
      description:
        'You then sign in with a passkey alone. Your only way to sign in cannot be deleted. All your other sessions end at once.',
      needsFreshProof: true,
      errors: ['not_found'],
      responses: { 204: null },
      handler: async ({ context, caller }) => {
        await removePassword(context, caller)
        needs.sessions.forget()
      },
    }),
  ]
}

/** Gives a user who is signed in a new password, or a first one. It ends all their other sessions. */
async function setPassword(
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
function removePassword(context: Context, caller: Caller): Promise<void> {
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
