import type { Caller } from '#platform/access/auth.ts'
import type { Context } from '#platform/database/db.ts'
import type { AuthNeeds } from '../needs.ts'
import { endSession } from '../sessions/end.ts'
import * as sessions from '../sessions/store.ts'

const PURPOSE = 'oidc-id-token'
/** A provider may put much into its token. It stands in an address later, and servers refuse long ones. */
const ID_TOKEN_MAX = 4096

/** Only its user can be signed out with it. */
export function sealIdToken(
  { secrets }: Pick<AuthNeeds, 'secrets'>,
  userId: string,
  idToken: string,
): Buffer | null {
  return idToken.length > ID_TOKEN_MAX ? null : secrets.seal(PURPOSE, userId, idToken)
}

/**
 * Ends the session here, whatever the provider says, and tells where the browser signs out there. Null: the provider cannot be
 * asked to.
 */
export async function signOutEverywhere(
  context: Context,
  { secrets, oidc }: Pick<AuthNeeds, 'secrets' | 'oidc'>,
  { id: userId, tokenId: sessionId }: Caller,
): Promise<string | null> {
  const sealed = await sessions.findIdToken(context, userId, sessionId)
  await endSession(context, userId, sessionId)
  if (!oidc) return null
  return oidc.addressToLeave(sealed && secrets.open(PURPOSE, userId, sealed))
}
