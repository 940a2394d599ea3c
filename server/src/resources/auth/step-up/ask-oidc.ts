import type { Context } from '#platform/database/db.ts'
import type { AuthNeeds } from '../needs.ts'
import { askAtProvider } from '../oidc/ask.ts'
import * as identities from '../oidc/store.ts'

/** For a user of the identity provider, who has no other way to prove who they are. */
export async function askOidc(
  context: Context,
  needs: AuthNeeds,
  userId: string,
): Promise<{ readonly name: string; readonly authorization_url: string } | null> {
  const { oidc } = needs
  if (!oidc || !(await identities.isLinked(context, userId))) return null
  const { authorizationUrl } = await askAtProvider(context, needs, userId)
  return { name: oidc.settings.name, authorization_url: authorizationUrl }
}
