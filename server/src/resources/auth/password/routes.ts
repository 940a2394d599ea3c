import { type Operation, operation } from '#platform/http/operation.ts'
import { inFinalTransaction } from '#platform/idempotency/once.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { appAddress, base32, newSecret, sealSecret } from './authenticator.ts'
import { ChangedPassword, PasswordOptions, PasswordState, SetPassword } from './schemas.ts'
import { removePassword, setPassword } from './set.ts'
import * as passwords from './store.ts'

const TAG = 'Sign-in'

export function passwordRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'get_password',
      route: 'GET /auth/password',
      tag: TAG,
      summary: 'Get state of your password',
      description: 'Whether you have a password, and how many recovery codes are left.',
      scope: 'users.me.read',
      isForUsers: true,
      concerns: 'instance',
      responses: { 200: PasswordState },
      handler: ({ context, caller }) => passwords.stateOf(context, caller.id),
    }),

    operation({
      id: 'create_password_options',
      route: 'POST /auth/password/options',
      tag: TAG,
      summary: 'Prepare new authenticator app',
      description:
        'A new key for an authenticator app. It counts once you set a password with a code of the app.',
      scope: 'users.me.write',
      isForUsers: true,
      needsFreshProof: true,
      concerns: 'instance',
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
      tag: TAG,
      summary: 'Set your password',
      description: 'Changes your password, or gives you one. All your other sessions end at once.',
      scope: 'users.me.write',
      isForUsers: true,
      needsFreshProof: true,
      concerns: 'instance',
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
      tag: TAG,
      summary: 'Delete your password',
      description:
        'You then sign in with a passkey alone. Your only way to sign in cannot be deleted. All your other sessions end at once.',
      scope: 'users.me.write',
      isForUsers: true,
      needsFreshProof: true,
      concerns: 'instance',
      responses: { 204: null },
      handler: async ({ context, caller }) => {
        await removePassword(context, caller)
        needs.sessions.forget()
      },
    }),
  ]
}
