import { SCOPES } from '#domain/scopes.ts'
import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { freshUntil, type SessionReader } from '#platform/access/session-reader.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { refuseIfLinked } from '#resources/auth/oidc/refuse-linked.ts'
import * as identities from '#resources/auth/oidc/store.ts'
import * as passkeys from '#resources/auth/passkeys/store.ts'
import * as passwords from '#resources/auth/password/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import { refuseStrongerUser } from './check-roles.ts'
import { createUser } from './create.ts'
import { inviteAgain } from './invite-again.ts'
import {
  CreateUser,
  Invitation,
  InvitedUser,
  Me,
  UpdateMe,
  UpdateUser,
  User,
  UserFilters,
  Users,
} from './schemas.ts'
import * as users from './store.ts'
import { lastAdministrator, signOut, updateUser } from './update.ts'

const operation = operationsOf({ tag: 'Users', concerns: 'instance', scopes: 'users' })

type Needs = Surroundings & {
  readonly secrets: Secrets
  readonly publicUrl: string
  readonly sessions: SessionReader
}

export function userRoutes(needs: Needs): Operation[] {
  return [...readingRoutes(needs), ...invitingRoutes(needs), ...changingRoutes(needs)]
}

function readingRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'get_current_user',
      route: 'GET /users/me',
      summary: 'Get current user',
      description:
        'The user who is signed in: their roles, what they may do, and how long the session lasts.',
      scope: 'users.me.read',
      isForUsers: true,
      responses: { 200: Me },
      handler: ({ context, caller }) => showMe(context, caller, needs),
    }),

    operation({
      id: 'update_current_user',
      route: 'PUT /users/me',
      summary: 'Change your name',
      description: 'The audit log shows it from now on. Users of an identity provider change it there.',
      scope: 'users.me.write',
      isForUsers: true,
      body: UpdateMe,
      responses: { 200: Me },
      handler: async ({ context, caller, body }) => {
        await updateMe(context, caller, body)
        needs.sessions.forget()
        return showMe(context, caller, needs)
      },
    }),

    operation({
      id: 'list_users',
      route: 'GET /users',
      summary: 'List users',
      description: 'The users that you can see, newest first.',
      isList: true,
      query: UserFilters,
      responses: { 200: Users },
      handler: ({ context, callerReach, query }) => users.list(context, callerReach, query),
    }),

    operation({
      id: 'get_user',
      route: 'GET /users/:user_id',
      summary: 'Get user',
      responses: { 200: User },
      handler: async ({ context, callerReach, params }) =>
        orNotFound(await users.find(context, params.user_id, callerReach)),
    }),
  ]
}

function invitingRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'create_user',
      route: 'POST /users',
      summary: 'Invite user',
      description:
        'Makes a user and a link with which they sign in for the first time. You give only roles and merchant accounts that ' +
        'you have yourself. The link lasts three days.',
      needsFreshProof: true,
      body: CreateUser,
      shownOnce: { invitation_url: null },
      errors: ['duplicate_record'],
      responses: { 201: InvitedUser },
      handler: ({ context, once, caller, body }) =>
        createUser(context, needs, { caller, once, request: body }),
    }),

    operation({
      id: 'create_user_invitation',
      route: 'POST /users/:user_id/invitations',
      summary: 'Invite user again',
      description:
        'A new link in the place of the last one. For a user who is active and has lost every passkey, it lasts one day, ' +
        'and what they had before works until they use it.',
      needsFreshProof: true,
      shownOnce: { invitation_url: null },
      responses: { 201: Invitation },
      handler: ({ context, once, caller, params }) =>
        inviteAgain(context, needs, { caller, once, id: params.user_id }),
    }),
  ]
}

function changingRoutes({ sessions }: Needs): Operation[] {
  return [
    operation({
      id: 'update_user',
      route: 'PUT /users/:user_id',
      summary: 'Update user',
      description:
        'Fields that are left out or null stay as they are. The change counts at once, also where the user is signed in. ' +
        'The last active administrator cannot be disabled or restricted.',
      needsFreshProof: true,
      body: UpdateUser,
      responses: { 200: User },
      handler: async ({ context, caller, params, body }) => {
        const user = await updateUser(context, caller, params.user_id, body)
        sessions.forget()
        return user
      },
    }),

    operation({
      id: 'delete_user',
      route: 'DELETE /users/:user_id',
      summary: 'Delete user',
      description:
        'Signs the user out and deletes their passkeys and password for good. The audit log keeps their name. The last ' +
        'active administrator cannot be deleted.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: async ({ context, caller, params }) => {
        await deleteUser(context, caller, params.user_id)
        sessions.forget()
      },
    }),
  ]
}

type Surroundings = {
  readonly environment: string
  readonly sessions: { readonly idleMs: number }
}

/** Everything that a page needs to know about the user who is signed in. */
async function showMe(context: Context, caller: Caller, surroundings: Surroundings): Promise<Me> {
  const user = await users.find(context, caller.id)
  const { session } = caller
  if (!user || !session) throw errors.notFound()
  const {
    creator: _creator,
    created_at: _created,
    updated_at: _updated,
    last_signed_in_at: _last,
    ...shown
  } = user
  const isUnrestricted = caller.merchantAccountIds.length === 0
  return {
    ...shown,
    permissions: permissionsOf(
      caller,
      user.roles.flatMap(({ permissions }) => permissions.allow),
    ),
    merchant_accounts: isUnrestricted ? await merchantAccounts.allNames(context) : user.merchant_accounts,
    is_unrestricted: isUnrestricted,
    environment: surroundings.environment as Me['environment'],
    step_up_until: freshUntil(session, realTime(context.clock))?.toISOString() ?? null,
    idle_expires_at: new Date(session.lastUsedAt.getTime() + surroundings.sessions.idleMs).toISOString(),
    idle_seconds: surroundings.sessions.idleMs / 1000,
    expires_at: session.expiresAt.toISOString(),
  }
}

/** Roles may allow more than whole operations, such as the personal data in reports. */
function permissionsOf(caller: Caller, allowed: readonly string[]): string[] {
  const named = allowed.filter((permission) => !permission.startsWith('*'))
  const scopes = [...SCOPES, ...named].filter((scope) => caller.may(scope))
  return [...new Set(scopes)].sort((a, b) => (a < b ? -1 : 1))
}

/** What users may change about themselves: their name. The audit log has the old one in earlier entries. */
async function updateMe(context: Context, { id }: Caller, request: UpdateMe): Promise<void> {
  await refuseIfLinked(context, id)
  await inTransaction(context, async (tx) => {
    const name = request.name.trim()
    await users.update(tx, id, { name })
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', { type: 'user', id, name })
  })
}

/** The row stays, without all that the user could sign in with: the audit log names it. */
function deleteUser(context: Context, caller: Caller, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    const user = orNotFound(await users.lock(tx, id, reachOf(caller)))
    refuseStrongerUser(caller, user)
    const hadAdministrator = await users.hasAdministrator(tx)
    await users.update(tx, id, { status: 'deleted' })
    if (hadAdministrator && !(await users.hasAdministrator(tx))) throw lastAdministrator()
    await signOut(tx, id)
    await passkeys.removeOf(tx, id)
    await passwords.forgetOf(tx, id)
    await identities.removeOf(tx, id)
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', {
      type: 'user',
      id,
      name: user.name,
    })
  })
}
