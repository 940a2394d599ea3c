import { covers } from '#platform/access/auth.ts'
import type { User } from './schemas.ts'

type Rights = Pick<User, 'roles' | 'merchant_accounts'>

/** Whether a user may do more than before, or the same in more merchant accounts. */
export function gainsRights(before: Rights, after: Rights): boolean {
  if (isMore(permissionsOf(before), permissionsOf(after))) return true
  // None means all.
  if (before.merchant_accounts.length === 0) return false
  const accounts = new Set(before.merchant_accounts.map(({ id }) => id))
  return after.merchant_accounts.length === 0 || after.merchant_accounts.some(({ id }) => !accounts.has(id))
}

/** Whether something is allowed after that was not before. */
export function isMore(before: readonly string[], after: readonly string[]): boolean {
  const had = new Set(before)
  return after.some((permission) => !covers(had, permission))
}

function permissionsOf({ roles }: Rights): string[] {
  return roles.flatMap(({ permissions }) => permissions.allow)
}
