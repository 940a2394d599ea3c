import { violatedUnique } from '#platform/database-errors.ts'
import { type Context, inTransaction } from '#platform/db.ts'
import type { AuthNeeds } from '../needs.ts'
import { unproved } from '../proof.ts'
import type { SignedInSession } from '../schemas.ts'
import { type Browser, openSession } from '../sessions/begin.ts'
import { admit, decideGrant } from './admit.ts'
import { proofTime, providerOf, readFromProvider } from './ask.ts'
import type { Claims } from './claims.ts'
import type { Grant } from './grant.ts'
import type { ProviderAnswer } from './provider.ts'

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
  const claims = await readFromProvider(context, needs, answer, { browserKey })
  if (!claims) {
    await needs.failures.count(browser.address)
    throw unproved()
  }
  const grant = await decideGrant(context, settings, claims).finally(() => needs.sessions.forget())
  const open = () => openFor(context, needs, { claims, grant, browser })
  const opened = await open().catch((error: unknown) => {
    // Another first sign-in of the same person was faster. Now there is a user to find.
    if (violatedUnique(error) === undefined) throw error
    return open()
  })
  needs.sessions.forget()
  browser.giveSession(opened.token)
  return opened.session
}

type Opening = { readonly claims: Claims; readonly grant: Grant; readonly browser: Browser }

function openFor(context: Context, needs: AuthNeeds, { claims, grant, browser }: Opening) {
  return inTransaction(context, async (tx) => {
    const { id, name, email_address } = await admit(tx, providerOf(needs).settings, claims, grant)
    const actor = { kind: 'user', id, name, thumbprint: null } as const
    const user = { id, name, email_address }
    const provedAt = proofTime(context, claims)
    return openSession({ ...tx, actor }, needs, { user, method: 'oidc', provedAt, browser })
  })
}
