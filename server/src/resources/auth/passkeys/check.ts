import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '#platform/database/db.ts'
import * as challenges from '../challenges/store.ts'
import { type RelyingParty, readSignature } from './ceremony.ts'
import * as passkeys from './store.ts'

type Answer = {
  readonly purpose: 'sign-in' | 'prove'
  readonly challengeId: string
  readonly response: AuthenticationResponseJSON
}

/** Whether a passkey of an active user has signed the challenge. Returns the user's id. */
export async function checkPasskey(
  context: Context,
  party: RelyingParty | null,
  { purpose, challengeId, response }: Answer,
): Promise<string | undefined> {
  const asked = await challenges.take(context, challengeId, purpose)
  const passkey = await passkeys.findActive(context, response.id)
  if (!asked || !passkey || !party) return undefined
  const isOther = asked.user_id !== null && asked.user_id !== passkey.user_id
  const counter = await readSignature(party, asked.challenge, passkey, response)
  if (counter === undefined || isOther) return undefined
  await passkeys.noteUse(context, passkey.id, counter)
  return passkey.user_id
}
