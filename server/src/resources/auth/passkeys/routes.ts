import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { inFinalTransaction } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from '../challenges/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { refuseIfLinked } from '../oidc/refuse-linked.ts'
import * as identities from '../oidc/store.ts'
import * as passwords from '../password/store.ts'
import { askToRegister } from './ceremony.ts'
import { createPasskey, showPasskey } from './create.ts'
import { CreatePasskey, Passkey, PasskeyOptions, Passkeys, UpdatePasskey } from './schemas.ts'
import * as passkeys from './store.ts'

const operation = operationsOf({ tag: 'Sign-in', concerns: 'instance', isForUsers: true, scopes: 'users.me' })

export function passkeyRoutes(needs: AuthNeeds): Operation[] {
  return [...addingRoutes(needs), ...keepingRoutes]
}

function addingRoutes(needs: AuthNeeds): Operation[] {
  return [
    operation({
      id: 'list_passkeys',
      route: 'GET /auth/passkeys',
      summary: 'List your passkeys',
      description: 'The passkeys with which you can sign in, newest first.',
      responses: { 200: Passkeys },
      handler: async ({ context, caller }) => {
        const found = await passkeys.listOf(context, caller.id)
        return { items: found.map(showPasskey) }
      },
    }),

    operation({
      id: 'create_passkey_options',
      route: 'POST /auth/passkeys/options',
      summary: 'Prepare another passkey',
      description: 'What a page needs to make a passkey. The challenge lasts ten minutes.',
      needsFreshProof: true,
      responses: { 201: PasskeyOptions },
      handler: async ({ context, caller, once }) => {
        await refuseIfLinked(context, caller.id)
        const known = await passkeys.listOf(context, caller.id)
        const owner = { id: caller.id, name: caller.name, emailAddress: caller.session?.emailAddress ?? '' }
        const passkey = needs.party && (await askToRegister(needs.party, owner, known))
        const id = challenges.newChallengeId(context)
        return inFinalTransaction(context, once, async (tx) => {
          const challenge = passkey?.challenge ?? ''
          await challenges.insert(tx, { id, purpose: 'add-passkey', userId: caller.id, challenge })
          return { type: 'passkey-options', challenge_id: id, passkey } as const
        })
      },
    }),

    operation({
      id: 'create_passkey',
      route: 'POST /auth/passkeys',
      summary: 'Add passkey',
      description: 'Adds a passkey of another device, so that losing one does not lock you out.',
      needsFreshProof: true,
      body: CreatePasskey,
      errors: ['duplicate_record'],
      responses: { 201: Passkey },
      handler: ({ context, caller, once, body }) =>
        createPasskey(context, needs.party, { caller, once, request: body }),
    }),
  ]
}

const keepingRoutes: readonly Operation[] = [
  operation({
    id: 'update_passkey',
    route: 'PUT /auth/passkeys/:passkey_id',
    summary: 'Rename passkey',
    body: UpdatePasskey,
    responses: { 200: Passkey },
    handler: async ({ context, caller, params, body }) => {
      const { passkey_id: id } = params
      return showPasskey(await renamePasskey(context, { userId: caller.id, id, name: body.name.trim() }))
    },
  }),

  operation({
    id: 'delete_passkey',
    route: 'DELETE /auth/passkeys/:passkey_id',
    summary: 'Delete passkey',
    description: 'The passkey no longer signs you in. Your only way to sign in cannot be deleted.',
    needsFreshProof: true,
    responses: { 204: null },
    handler: ({ context, caller, params }) => deletePasskey(context, caller.id, params.passkey_id),
  }),
]

/** The last way to sign in stays: without it, only an administrator could let the user in again. */
function deletePasskey(context: Context, userId: string, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    // In turn: two requests must not each delete the last but one.
    await users.lock(tx, userId)
    const removed = orNotFound(await passkeys.remove(tx, userId, id))
    const others = await passkeys.listOf(tx, userId)
    const hasOther = others.length > 0 || (await passwords.find(tx, userId)) !== undefined
    if (!hasOther && !(await identities.isLinked(tx, userId))) {
      throw errors.refused('add another passkey first: this is your only way to sign in')
    }
    const about = { type: 'passkey', id, name: removed.name }
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', about)
  })
}

type Renamed = { readonly userId: string; readonly id: string; readonly name: string }

function renamePasskey(context: Context, { userId, id, name }: Renamed): Promise<passkeys.StoredPasskey> {
  return inTransaction(context, async (tx) => {
    const renamed = orNotFound(await passkeys.rename(tx, { userId, id, name }))
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', { type: 'passkey', id, name })
    return renamed
  })
}
