import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type Context, inTransaction } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import * as users from '#resources/users/store.ts'
import * as lockOuts from '../lock-outs/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { checkPasskey } from '../passkeys/check.ts'
import * as passkeys from '../passkeys/store.ts'
import { checkPassword, macOfEmail } from '../password/check.ts'
import { missing, refuseUnclearProof, unproved } from '../proof.ts'
import { recordFailure } from '../record-failure.ts'
import type { SignedInSession } from '../schemas.ts'
import { type Browser, openSession } from './begin.ts'

type Given = {
  readonly challenge_id?: string
  readonly passkey?: AuthenticationResponseJSON
  readonly email_address?: string
  readonly password?: string
  readonly code?: string
}

/** Signs a user in, by a passkey or by a password with a code. */
export async function createSession(
  context: Context,
  needs: AuthNeeds,
  given: Given,
  browser: Browser,
): Promise<SignedInSession> {
  const { failures, secrets, party } = needs
  refuseUnclearProof(given)
  if (!given.passkey && given.email_address === undefined) throw errors.invalid(missing('email_address'))
  await failures.refuseIfReached(browser.address)
  const {
    passkey,
    challenge_id: challengeId = '',
    email_address: emailAddress = '',
    password = '',
    code = '',
  } = given
  const userId = passkey
    ? await checkPasskey(context, party, { purpose: 'sign-in', challengeId, response: passkey })
    : await checkPassword(context, secrets, { emailAddress, password, code })
  const user = userId === undefined ? undefined : await users.find(context, userId)
  if (user?.status !== 'active') {
    await failures.count(browser.address)
    await noteFailure(context, needs, given)
    throw unproved()
  }
  const { id, name, email_address } = user
  const actor = { kind: 'user', id, name, thumbprint: null } as const
  const method = passkey ? 'passkey' : 'password'
  const opened = await inTransaction({ ...context, actor }, (tx) =>
    openSession(tx, needs, { user: { id, name, email_address }, method, browser }),
  )
  browser.giveSession(opened.token)
  return opened.session
}

/** The same work whether or not there is such a user: the time must not tell. */
async function noteFailure(
  context: Context,
  { secrets }: AuthNeeds,
  { passkey, email_address: emailAddress = '' }: Given,
): Promise<void> {
  if (passkey) {
    const known = await passkeys.findActive(context, passkey.id)
    await recordFailure(context, known && (await users.find(context, known.user_id)))
    return
  }
  const suspect = await users.findByEmail(context, emailAddress)
  const isLocked = await lockOuts.isLocked(context, macOfEmail(secrets, emailAddress))
  await recordFailure(context, suspect, isLocked)
}
