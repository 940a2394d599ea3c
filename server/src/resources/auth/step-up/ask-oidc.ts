import type { Context } from '#platform/db.ts'
import type { AuthNeeds } from '../needs.ts'
import { askAtProvider } from '../oidc/ask.ts'
import * as identities from '../oidc/store.ts'

type Asking = { readonly userId: string; readonly isOnly: boolean }

/** For a user of the identity provider. If it is away, other ways to prove it remain, unless it is the only one. */
export async function askOidc(
  context: Context,
  needs: AuthNeeds,
  { userId, isOnly }: Asking,
): Promise<{ readonly name: string; readonly authorization_url: string } | null> {
  const { oidc } = needs
  if (!oidc || !(await identities.isLinked(context, userId))) return null
  try {
    const { authorizationUrl } = await askAtProvider(context, needs, userId)
    return { name: oidc.settings.name, authorization_url: authorizationUrl }
  } catch (error) {
    if (isOnly) throw error
    return null
  }
}
