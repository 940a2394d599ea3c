import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import * as users from '#resources/users/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { recordFailure, unproved } from '../proof.ts'
import type { SignedInSession } from '../schemas.ts'
import { type Browser, openSession } from '../sessions/begin.ts'
import { admit, decideGrant, type Grant, Overtaken } from './admit.ts'
import { proofTime, providerOf, readFromProvider } from './ask.ts'
import type { Claims } from './claims.ts'
import type { ProviderAnswer, VerifiedIdentity } from './provider.ts'
import { sealIdToken } from './sign-out.ts'
import * as identities from './store.ts'

type Given = ProviderAnswer & { readonly browser_key: string }

/** Signs a person in whom the identity provider has checked. */
export async function signInFromProvider(
  context: Context,
  needs: AuthNeeds,
  { browser_key: browserKey, ...answer }: Given,
  browser: Browser,
): Promise<SignedInSession> {
  const { settings } = providerOf(needs)
  await needs.failures.refuseIfReached(browser.address)
  let claims: Claims | undefined
  try {
    const told = await readFromProvider(context, needs, answer, { browserKey })
    if (!told) throw unproved()
    claims = told.claims
    const grant = await decideGrant(context, settings, claims)
    const opened = await openOnce(context, needs, { ...told, grant, browser })
    browser.giveSession(opened.token)
    return opened.session
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500
    if (isRefusal) await noteFailure(context, needs, claims, browser)
    throw error
  } finally {
    needs.sessions.forget()
  }
}

async function noteFailure(
  context: Context,
  { failures }: AuthNeeds,
  claims: Claims | undefined,
  { address }: Browser,
): Promise<void> {
  await failures.count(address)
  const userId = claims && (await identities.findUserId(context, claims))
  await recordFailure(context, userId === undefined ? undefined : await users.find(context, userId))
}

type Opening = VerifiedIdentity & { readonly grant: Grant; readonly browser: Browser }

async function openOnce(context: Context, needs: AuthNeeds, opening: Opening) {
  try {
    return await openFor(context, needs, opening)
  } catch (error) {
    if (!(error instanceof Overtaken) && violatedUnique(error) === undefined) throw error
    return openFor(context, needs, opening)
  }
}

function openFor(context: Context, needs: AuthNeeds, { claims, idToken, grant, browser }: Opening) {
  return inTransaction(context, async (tx) => {
    const { id, name, email_address } = await admit(tx, providerOf(needs).settings, claims, grant)
    const actor = { kind: 'user', id, name, thumbprint: null } as const
    const user = { id, name, email_address }
    const provedAt = proofTime(context, claims)
    const sealedIdToken = sealIdToken(needs, id, idToken)
    return openSession({ ...tx, actor }, needs, { user, method: 'oidc', provedAt, sealedIdToken, browser })
  })
}
