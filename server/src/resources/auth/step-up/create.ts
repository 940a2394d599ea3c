import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Caller } from '#platform/auth.ts'
import type { Context } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { freshUntil } from '#platform/fresh-proof.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { checkPasskey } from '../passkeys/check.ts'
import { checkPassword } from '../passwords/check.ts'
import { refuseUnclearProof, unproved } from '../proof.ts'
import * as sessions from '../sessions/store.ts'

type Given = {
  readonly challenge_id?: string
  readonly passkey?: AuthenticationResponseJSON
  readonly password?: string
  readonly code?: string
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
  refuseUnclearProof(given)
  await needs.failures.refuseIfReached(address)
  const { passkey, challenge_id: challengeId = '', password = '', code = '' } = given
  const userId = passkey
    ? await checkPasskey(context, needs.party, { purpose: 'prove', challengeId, response: passkey })
    : await checkPassword(context, needs.secrets, { emailAddress: session.emailAddress, password, code })
  if (userId !== caller.id) {
    await needs.failures.count(address)
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
