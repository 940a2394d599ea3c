import type { Caller } from '#platform/access/auth.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Context } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as users from '#resources/users/store.ts'
import * as challenges from '../challenges/store.ts'
import { refuseIfLinked } from '../oidc/refuse-linked.ts'
import { type RelyingParty, readRegistration } from './ceremony.ts'
import type { CreatePasskey, Passkey } from './schemas.ts'
import * as passkeys from './store.ts'

type Asked = { readonly caller: Caller; readonly once: Once; readonly request: CreatePasskey }

/** Another passkey for a user who is signed in. */
export async function createPasskey(
  context: Context,
  party: RelyingParty | null,
  { caller, once, request }: Asked,
): Promise<Finished<Passkey>> {
  const asked = await challenges.take(context, request.challenge_id, 'add-passkey')
  const isOwn = asked?.user_id === caller.id
  const passkey = asked && isOwn && party && (await readRegistration(party, asked.challenge, request.passkey))
  if (!passkey) {
    const message = 'is no answer to this challenge: ask for new options, and try again'
    throw errors.invalid(inBody('/passkey', 'value_error.conflict', message))
  }
  try {
    return await inFinalTransaction(context, once, async (tx) => {
      await users.lock(tx, caller.id)
      await refuseIfLinked(tx, caller.id)
      const stored = await passkeys.insert(tx, caller.id, {
        ...passkey,
        name: request.passkey_name ?? 'Passkey',
      })
      const about = { type: 'passkey', id: stored.id, name: stored.name }
      await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', about)
      return showPasskey(stored)
    })
  } catch (error) {
    throw explainTwin(error)
  }
}

/** Ids of passkeys are random, but a device may send any. */
export function explainTwin(error: unknown): unknown {
  if (violatedUnique(error) !== 'user_passkeys_credential_id') return error
  const message = 'this passkey is already registered: make a new one'
  return errors.duplicate(undefined, inBody('/passkey', 'value_error.duplicate', message))
}

export function showPasskey({ id, name, created_at, last_used_at }: passkeys.StoredPasskey): Passkey {
  return {
    type: 'passkey',
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}
