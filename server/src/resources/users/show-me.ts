import { SCOPES } from '#domain/scopes.ts'
import type { Caller } from '#platform/access/auth.ts'
import { freshUntil } from '#platform/access/fresh-proof.ts'
import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { realTime } from '#platform/process/clock.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type { Me } from './schemas.ts'
import * as users from './store.ts'

export type Surroundings = {
  readonly environment: string
  readonly sessions: { readonly idleMs: number }
}

/** Everything that a page needs to know about the user who is signed in. */
export async function showMe(context: Context, caller: Caller, surroundings: Surroundings): Promise<Me> {
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
