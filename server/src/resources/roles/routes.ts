import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import { Strict } from '#platform/http/schemas.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { pageParameters } from '#platform/listing/pagination.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as links from '#resources/auth/links/store.ts'
import type { OperationNeeds } from '#resources/resource.ts'
import { isMore } from '#resources/users/gains-rights.ts'
import {
  refuseBeyond,
  refuseConfined,
  refuseUnchangeable,
  roleComplaints,
  takeFromHolders,
  takenName,
} from './check-role.ts'
import { RoleCreate, RoleDetails, Roles, RoleUpdate } from './schemas.ts'
import * as roles from './store.ts'

/** More would not be read by people any more. */
const ROLES_MAX = 100

const operation = operationsOf({ tag: 'Roles', concerns: 'instance', scopes: 'roles' })

type Needs = Pick<OperationNeeds, 'authenticator' | 'sessions'>

export function roleRoutes(needs: Needs): Operation[] {
  return [...readingRoutes, ...changingRoutes(needs)]
}

const readingRoutes: readonly Operation[] = [
  operation({
    id: 'list_roles',
    route: 'GET /roles',
    summary: 'List roles',
    description:
      'The roles that API key pairs and users can have, newest first. A call is allowed if both the role and the token allow it.',
    isList: true,
    query: Strict(pageParameters()),
    responses: { 200: Roles },
    handler: ({ context, query }) => roles.list(context, query),
  }),

  operation({
    id: 'get_role',
    route: 'GET /roles/:role_id',
    summary: 'Get role',
    responses: { 200: RoleDetails },
    handler: async ({ context, params }) => orNotFound(await roles.findDetails(context, params.role_id)),
  }),
]

function changingRoutes({ authenticator, sessions }: Needs): Operation[] {
  return [
    operation({
      id: 'create_role',
      route: 'POST /roles',
      summary: 'Create role',
      description:
        'A role of your own: any set of scopes that you have yourself. At most 100. The caller must reach all merchant accounts.',
      needsFreshProof: true,
      body: RoleCreate,
      check: ({ body }) => roleComplaints(body),
      errors: ['duplicate_record'],
      responses: { 201: RoleDetails },
      handler: ({ context, once, caller, body }) => createRole(context, once, caller, body),
    }),

    operation({
      id: 'update_role',
      route: 'PUT /roles/:role_id',
      summary: 'Update role',
      description:
        'Fields that are left out or null stay as they are. The change counts at once for all who have the role; in other processes ' +
        'within 5 seconds. Built-in roles, and roles that may do more than you, cannot be changed.',
      needsFreshProof: true,
      body: RoleUpdate,
      check: ({ body }) => roleComplaints(body),
      errors: ['duplicate_record'],
      responses: { 200: RoleDetails },
      handler: async ({ context, caller, params, body }) => {
        const role = await updateRole(context, caller, params.role_id, body)
        authenticator.forgetAll()
        sessions.forget()
        return role
      },
    }),

    operation({
      id: 'delete_role',
      route: 'DELETE /roles/:role_id',
      summary: 'Delete role',
      description:
        'Only a role of your own that no API key pair and no user has. Otherwise the answer is 409.',
      needsFreshProof: true,
      errors: ['duplicate_record'],
      responses: { 204: null },
      handler: ({ context, caller, params }) => deleteRole(context, caller, params.role_id),
    }),
  ]
}

async function createRole(
  context: Context,
  once: Once,
  caller: Caller,
  request: RoleCreate,
): Promise<Finished<RoleDetails>> {
  refuseConfined(reachOf(caller))
  refuseBeyond(caller, request.permissions.allow)
  if ((await roles.countCustom(context)) >= ROLES_MAX) {
    throw errors.refused(`delete a role first: there are ${ROLES_MAX} roles of your own already`)
  }
  try {
    return await inFinalTransaction(context, once, async (tx) => {
      const id = await roles.insert(tx, {
        name: request.name,
        description: request.description ?? '',
        permissions: request.permissions.allow,
        assignable_to: request.assignable_to ?? ['user', 'api-key-pair'],
      })
      const resource = { type: 'role', id, name: request.name }
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', resource)
      const saved = await roles.findDetails(tx, id)
      if (!saved) throw new Error('a new role is missing in its own transaction')
      return saved
    })
  } catch (error) {
    if (violatedUnique(error) !== 'roles_custom_name') throw error
    throw await takenName(context, request.name)
  }
}

/** The lock keeps the role from being granted meanwhile, and the references of its holders keep it from being removed. */
function deleteRole(context: Context, caller: Caller, id: string): Promise<void> {
  refuseConfined(reachOf(caller))
  return inTransaction(context, async (tx) => {
    const role = orNotFound(await roles.lock(tx, id))
    refuseUnchangeable(caller, role)
    const message = takeFromHolders(role.holders)
    if (message !== undefined) {
      const about = { location: 'path', pointer: '/role_id', type: 'value_error.conflict' } as const
      throw errors.duplicate(id, { ...about, message })
    }
    await roles.remove(tx, id)
    const resource = { type: 'role', id, name: role.name }
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'deleted', resource)
  })
}

/** Absent and null fields stay as they are. The change counts for all who have the role. */
async function updateRole(
  context: Context,
  caller: Caller,
  id: string,
  request: RoleUpdate,
): Promise<RoleDetails> {
  refuseConfined(reachOf(caller))
  if (request.permissions) refuseBeyond(caller, request.permissions.allow)
  try {
    return await inTransaction(context, async (tx) => {
      const before = orNotFound(await roles.lock(tx, id))
      refuseUnchangeable(caller, before)
      if (request.assignable_to) refuseToTakeAway(before, request.assignable_to)
      await roles.update(tx, id, changesIn(request))
      const after = orNotFound(await roles.findDetails(tx, id))
      // A link was made by a caller who may do all that its user could do. It must not lead to more.
      if (isMore(before.permissions.allow, after.permissions.allow)) await links.removeOfHolders(tx, id)
      const resource = { type: 'role', id, name: after.name }
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', resource)
      return after
    })
  } catch (error) {
    if (violatedUnique(error) !== 'roles_custom_name') throw error
    throw await takenName(context, request.name ?? '')
  }
}

function changesIn({ name, description, permissions, assignable_to }: RoleUpdate) {
  return {
    ...(name && { name }),
    ...(typeof description === 'string' && { description }),
    ...(permissions && { permissions: permissions.allow }),
    ...(assignable_to && { assignable_to }),
  }
}

/** Who has a role keeps it, so the role must stay one that they can have. */
function refuseToTakeAway({ id, holders }: RoleDetails, assignable: readonly string[]): void {
  const message = takeFromHolders({
    users: assignable.includes('user') ? 0 : holders.users,
    api_key_pairs: assignable.includes('api-key-pair') ? 0 : holders.api_key_pairs,
  })
  if (message === undefined) return
  throw errors.duplicate(id, inBody('/assignable_to', 'value_error.conflict', message))
}
