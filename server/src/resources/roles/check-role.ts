import { SCOPES } from '#domain/scopes.ts'
import type { Caller } from '#platform/access/auth.ts'
import type { Context } from '#platform/database/db.ts'
import { type ApiError, type ErrorDetail, errors, inBody } from '#platform/http/errors.ts'
import { nearestNames, suggestion } from '#platform/http/nearest-name.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Sound } from '#platform/http/validation.ts'
import type { RoleDetails, RoleUpdate } from './schemas.ts'
import * as roles from './store.ts'

const KNOWN: ReadonlySet<string> = new Set(['*.read', '*.write', ...SCOPES])

/** Checks of a request that a schema cannot express. */
export function roleComplaints({ permissions }: Sound<RoleUpdate>): ErrorDetail[] {
  return (permissions?.allow ?? []).flatMap((permission, index) => {
    if (permission === undefined || KNOWN.has(permission)) return []
    const near = suggestion(nearestNames(permission, SCOPES))
    const message = `use the scope of an operation, such as transactions.read${near}`
    return [inBody(`/permissions/allow/${index}`, 'value_error.not_found', message)]
  })
}

/** A role counts for keys and users of every merchant account. */
export function refuseConfined(callerReach: Reach): void {
  if (callerReach === 'all') return
  throw errors.forbidden({
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.conflict',
    message: 'use a caller for all merchant accounts: a role counts for all of them',
  })
}

/** A caller cannot allow more than it may do itself. */
export function refuseBeyond(caller: Caller, allow: readonly string[]): void {
  const beyond = allow.flatMap((permission, index) => {
    if (caller.may(permission)) return []
    const message = 'leave it out: you may not do this yourself'
    return [inBody(`/permissions/allow/${index}`, 'value_error.conflict', message)]
  })
  if (beyond.length > 0) throw errors.forbidden(...beyond)
}

/** Built-in roles belong to the service. A role that may do more than the caller is not the caller's to change. */
export function refuseUnchangeable(caller: Caller, role: RoleDetails): void {
  const about = { location: 'path', pointer: '/role_id', type: 'value_error.conflict' } as const
  if (!role.is_custom) {
    throw errors.forbidden({ ...about, message: 'make a role of your own: built-in roles cannot be changed' })
  }
  if (!role.permissions.allow.every((permission) => caller.may(permission))) {
    throw errors.forbidden({ ...about, message: 'this role may do more than you' })
  }
}

export async function takenName(context: Context, name: string): Promise<ApiError> {
  const twin = await roles.findCustomNamed(context, name)
  return errors.duplicate(twin, inBody('/name', 'value_error.duplicate', 'another role has this name'))
}

/** What to do about those who have a role. Undefined if there are none. */
export function takeFromHolders({ users, api_key_pairs }: RoleDetails['holders']): string | undefined {
  const parts = [
    ...(users > 0 ? [`${users} ${users === 1 ? 'user' : 'users'}`] : []),
    ...(api_key_pairs > 0 ? [`${api_key_pairs} API ${api_key_pairs === 1 ? 'key' : 'keys'}`] : []),
  ]
  if (parts.length === 0) return undefined
  return `take the role away first: ${parts.join(' and ')} ${users + api_key_pairs === 1 ? 'has' : 'have'} it`
}
