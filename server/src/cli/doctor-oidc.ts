import type { Context } from '#platform/database/db.ts'
import { IdentityProvider } from '#resources/auth/oidc/provider.ts'
import type { OidcSettings } from '#resources/auth/oidc/settings.ts'
import { returnAddress } from '#resources/auth/routes.ts'
import * as roles from '#resources/roles/store.ts'
import type { Config } from '../config.ts'
import { type Finding, ok, problem } from './finding.ts'
import { addressOf } from './own-address.ts'

/** Whether the identity provider answers and knows us. */
export async function checkProvider(config: Config, settings: OidcSettings): Promise<Finding> {
  const address = returnAddress(await addressOf(config))
  await new IdentityProvider(settings, address).probe()
  return ok('sign-in provider', `${settings.issuer} knows us; people come back to ${address}`)
}

/** A role that is not there gives nothing, and its users cannot sign in. */
export async function checkProviderRoles(context: Context, settings: OidcSettings): Promise<Finding> {
  const named = [...new Set([...settings.roles.values()].flat())]
  const found = await roles.findNamed(context, named)
  const usable = new Set(found.filter((role) => role.assignable_to.includes('user')).map(({ slug }) => slug))
  const missing = named.filter((slug) => !usable.has(slug))
  if (missing.length === 0) return ok('provider roles', `${named.length} roles of OIDC_ROLES are there`)
  return problem(
    'provider roles',
    `OIDC_ROLES names ${missing.join(', ')}, and users can have no such role`,
    'Use slugs of GET /roles.',
  )
}
