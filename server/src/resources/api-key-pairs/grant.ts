import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import type { Context } from '#platform/database/db.ts'
import { type ApiError, type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type { Role } from '#resources/roles/schemas.ts'
import * as roles from '#resources/roles/store.ts'
import type { ApiKeyPair } from './schemas.ts'

type Assignee = Role['assignable_to'][number]

type Wanted = {
  readonly role_ids?: readonly string[] | null | undefined
  readonly merchant_account_ids?: readonly string[] | null | undefined
}

/**
 * A caller cannot grant more than it has, neither permissions nor merchant accounts. Returns the ids of the
 * wanted roles, which may be named by slug.
 */
export async function checkGrant(
  context: Context,
  caller: Caller,
  wanted: Wanted,
  assignee: Assignee = 'api-key-pair',
): Promise<string[]> {
  const { role_ids, merchant_account_ids } = wanted
  const named = await findRoles(context, role_ids ?? [])
  const unknown = [
    ...unknownRoles(named, assignee),
    ...(merchant_account_ids ? await unknownAccounts(context, caller, merchant_account_ids) : []),
  ]
  if (unknown.length > 0) throw errors.invalid(...unknown)

  const beyond = [
    ...rolesBeyond(caller, named),
    ...(merchant_account_ids ? accountsBeyond(caller, merchant_account_ids) : []),
  ]
  if (beyond.length > 0) throw errors.forbidden(...beyond)
  return [...new Set(named.flatMap((role) => role?.id ?? []))]
}

/** A key may be changed only by a key that can do everything it can. */
export function refuseStrongerKey(caller: Caller, pair: ApiKeyPair): void {
  if (!pair.roles.every((role) => covers(caller, role))) {
    throw errors.forbidden({
      location: 'path',
      pointer: '/api_key_pair_id',
      type: 'value_error.conflict',
      message: 'use a key with more permissions: this key may do more than yours',
    })
  }
}

/** A role of your own can be deleted between the check and the grant. */
export function roleIsGone(): ApiError {
  return errors.invalid(inBody('/role_ids', 'value_error.not_found', 'a role was deleted: see GET /roles'))
}

/** One result for each name, in the same order. */
async function findRoles(context: Context, names: readonly string[]): Promise<(Role | undefined)[]> {
  const known = await roles.findNamed(context, names)
  return names.map((name) => known.find(({ id, slug }) => slug === name || id === name.toLowerCase()))
}

function unknownRoles(named: readonly (Role | undefined)[], assignee: Assignee): ErrorDetail[] {
  return named.flatMap((role, index) => {
    if (role?.assignable_to.includes(assignee)) return []
    const message = role
      ? `use another role: this one is not for ${assignee === 'user' ? 'users' : 'API keys'}`
      : 'see GET /roles for the ids and slugs: there is no such role'
    return [inBody(`/role_ids/${index}`, 'value_error.not_found', message)]
  })
}

async function unknownAccounts(
  context: Context,
  caller: Caller,
  ids: readonly string[],
): Promise<ErrorDetail[]> {
  const reach = reachOf(caller)
  const known = await merchantAccounts.existing(context, ids)
  return ids.flatMap((id, index) => {
    const isKnown = known.has(id) && (reach === 'all' || reach.includes(id))
    const pointer = `/merchant_account_ids/${index}`
    return isKnown ? [] : [inBody(pointer, 'value_error.not_found', 'there is no such merchant account')]
  })
}

function rolesBeyond(caller: Caller, named: readonly (Role | undefined)[]): ErrorDetail[] {
  return named.flatMap((role, index) => {
    if (!role || covers(caller, role)) return []
    return [
      inBody(`/role_ids/${index}`, 'value_error.conflict', 'this role may do more than your token and key'),
    ]
  })
}

function accountsBeyond(caller: Caller, ids: readonly string[]): ErrorDetail[] {
  if (ids.length > 0 || reachOf(caller) === 'all') return []
  const message = 'name the merchant accounts to grant: your key is restricted to some'
  return [inBody('/merchant_account_ids', 'value_error.conflict', message)]
}

export function covers(caller: Caller, role: Pick<Role, 'permissions'>): boolean {
  return role.permissions.allow.every((permission) => caller.may(permission))
}
