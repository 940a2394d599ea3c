import type { Context } from '#platform/database/db.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as roles from '#resources/roles/store.ts'
import type { Claims } from './claims.ts'
import type { OidcSettings } from './settings.ts'

/** What the provider's claims let a person do here. */
export type Grant = {
  readonly roleIds: readonly string[]
  /** Empty means all. Undefined: the provider does not say. */
  readonly merchantAccountIds: readonly string[] | undefined
}

/** Null: nothing. A claim that names no role or no account of ours must never mean all of them. */
export async function grantOf(
  context: Context,
  settings: OidcSettings,
  claims: Claims,
): Promise<Grant | null> {
  const slugs = new Set(claims.groups.flatMap((group) => settings.roles.get(group) ?? []))
  const found = await roles.findNamed(context, [...slugs])
  const usable = found.filter(({ assignable_to }) => assignable_to.includes('user'))
  if (!usable.some((role) => role.is_standalone_assignable)) return null
  const roleIds = usable.map(({ id }) => id)
  if (settings.accountsClaim === null) return { roleIds, merchantAccountIds: undefined }
  const named = claims.accounts ?? []
  if (named.includes('*')) return { roleIds, merchantAccountIds: [] }
  const known = new Set((await merchantAccounts.allNames(context)).map(({ id }) => id))
  const merchantAccountIds = [...new Set(named)].filter((id) => known.has(id))
  return merchantAccountIds.length === 0 ? null : { roleIds, merchantAccountIds }
}
