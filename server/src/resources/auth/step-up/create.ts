import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Caller } from '#platform/access/auth.ts'
import { freshUntil } from '#platform/access/session-reader.ts'
import type { Context } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as lockOuts from '../lock-outs/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { decideGrant } from '../oidc/admit.ts'
import { providerOf, readFromProvider } from '../oidc/ask.ts'
import type { ProviderAnswer } from '../oidc/provider.ts'
import * as identities from '../oidc/store.ts'
import { checkPasskey } from '../passkeys/ceremony.ts'
import { checkPassword, macOfEmail } from '../password/check.ts'
import { recordFailure, refuseUnclearProof, unproved } from '../proof.ts'
import * as sessions from '../sessions/store.ts'

type Given = {
  readonly challenge_id?: string
  readonly passkey?: AuthenticationResponseJSON
  readonly password?: string
  readonly code?: string
  readonly oidc?: ProviderAnswer
}
type Asked = { readonly caller: Caller; readonly once: Once; readonly given: Given; readonly address: string }

/** The user of a session proves again who they are. Failures count as those of a sign-in do. */
export async function stepUp(
  context: Context,
  needs: AuthNeeds,
  { caller, once, given, address }: Asked,
): Promise<Finished<{ type: 'step-up'; step_up_until: string }>> {
  const { session } = caller
  if (!session) throw errors.notFound()
  refuseUnclearStepUp(given)
  await needs.failures.refuseIfReached(address)
  const userId = await checkProof(context, needs, { given, session })
  if (userId !== caller.id) {
    await needs.failures.count(address)
    const isLocked =
      given.password !== undefined &&
      (await lockOuts.isLocked(context, macOfEmail(needs.secrets, session.emailAddress)))
    await recordFailure(context, caller, isLocked)
    throw unproved()
  }
  const finished = await inFinalTransaction(context, once, async (tx) => {
    const provedAt = await sessions.prove(tx, session.sessionId)
    const about = { type: 'user-session', id: session.sessionId, name: caller.name }
    await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', about)
    const until = freshUntil({ provedAt }, provedAt) ?? provedAt
    return { type: 'step-up', step_up_until: until.toISOString() } as const
  })
  needs.sessions.forget()
  return finished
}

function refuseUnclearStepUp({ oidc, ...others }: Given): void {
  if (!oidc) {
    refuseUnclearProof(others)
    return
  }
  if (Object.keys(others).length === 0) return
  const message = 'send the answer of the identity provider alone, or a passkey, or a password with a code'
  throw errors.invalid(inBody('/oidc', 'value_error.conflict', message))
}

type Checked = { readonly given: Given; readonly session: NonNullable<Caller['session']> }

async function checkProof(
  context: Context,
  needs: AuthNeeds,
  { given, session }: Checked,
): Promise<string | undefined> {
  const { passkey, challenge_id: challengeId = '', password = '', code = '', oidc } = given
  if (oidc) {
    const told = await readFromProvider(context, needs, oidc, { userId: session.userId })
    const userId = told && (await identities.findUserId(context, told.claims))
    // It may give them nothing any more. Then their sessions have ended.
    if (told && userId === session.userId) {
      const { settings } = providerOf(needs)
      await decideGrant(context, settings, told.claims).finally(() => needs.sessions.forget())
    }
    return userId
  }
  if (passkey) return checkPasskey(context, needs.party, { purpose: 'prove', challengeId, response: passkey })
  return checkPassword(context, needs.secrets, { emailAddress: session.emailAddress, password, code })
}
