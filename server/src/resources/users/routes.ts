import type { Secrets } from '#platform/access/secrets.ts'
import type { SessionReader } from '#platform/access/session-reader.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { createUser } from './create.ts'
import { deleteUser } from './delete.ts'
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
import { type Surroundings, showMe } from './show-me.ts'
import * as users from './store.ts'
import { updateUser } from './update.ts'
import { updateMe } from './update-me.ts'

const Path = Strict({ user_id: Uuid() })
const TAG = 'Users'

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
      tag: TAG,
      summary: 'Get current user',
      description:
        'The user who is signed in: their roles, what they may do, and how long the session lasts.',
      scope: 'users.me.read',
      isForUsers: true,
      concerns: 'instance',
      responses: { 200: Me },
      handler: ({ context, caller }) => showMe(context, caller, needs),
    }),

    operation({
      id: 'update_current_user',
      route: 'PUT /users/me',
      tag: TAG,
      summary: 'Change your name',
      description: 'The audit log shows it from now on. Users of an identity provider change it there.',
      scope: 'users.me.write',
      isForUsers: true,
      concerns: 'instance',
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
      tag: TAG,
      summary: 'List users',
      description: 'The users that you can see, newest first.',
      scope: 'users.read',
      concerns: 'instance',
      isList: true,
      query: UserFilters,
      responses: { 200: Users },
      handler: ({ context, callerReach, query }) => users.list(context, needs.secrets, callerReach, query),
    }),

    operation({
      id: 'get_user',
      route: 'GET /users/:user_id',
      tag: TAG,
      summary: 'Get user',
      scope: 'users.read',
      concerns: 'instance',
      params: Path,
      responses: { 200: User },
      handler: async ({ context, callerReach, params }) => {
        const user = await users.find(context, params.user_id, callerReach)
        if (!user) throw errors.notFound()
        return user
      },
    }),
  ]
}

function invitingRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'create_user',
      route: 'POST /users',
      tag: TAG,
      summary: 'Invite user',
      description:
        'Makes a user and a link with which they sign in for the first time. You give only roles and merchant accounts that ' +
        'you have yourself. The link lasts three days.',
      scope: 'users.write',
      needsFreshProof: true,
      concerns: 'instance',
      body: CreateUser,
      shownOnce: { invitation_url: null },
      responses: { 201: InvitedUser },
      handler: ({ context, once, caller, body }) =>
        createUser(context, needs, { caller, once, request: body }),
    }),

    operation({
      id: 'create_user_invitation',
      route: 'POST /users/:user_id/invitations',
      tag: TAG,
      summary: 'Invite user again',
      description:
        'A new link in the place of the last one. For a user who is active and has lost every passkey, it lasts one day, ' +
        'and what they had before works until they use it.',
      scope: 'users.write',
      needsFreshProof: true,
      concerns: 'instance',
      params: Path,
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
      tag: TAG,
      summary: 'Update user',
      description:
        'Fields that are left out or null stay as they are. The change counts at once, also where the user is signed in. ' +
        'The last active administrator cannot be disabled or restricted.',
      scope: 'users.write',
      needsFreshProof: true,
      concerns: 'instance',
      params: Path,
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
      tag: TAG,
      summary: 'Delete user',
      description:
        'Signs the user out and deletes their passkeys and password for good. The audit log keeps their name. The last ' +
        'active administrator cannot be deleted.',
      scope: 'users.write',
      needsFreshProof: true,
      concerns: 'instance',
      params: Path,
      responses: { 204: null },
      handler: async ({ context, caller, params }) => {
        await deleteUser(context, caller, params.user_id)
        sessions.forget()
      },
    }),
  ]
}
