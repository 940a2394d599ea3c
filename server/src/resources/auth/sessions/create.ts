import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { ApiError, errors } from '#platform/http/errors.ts'
import * as users from '#resources/users/store.ts'
import * as lockOuts from '../lock-outs/store.ts'
import type { AuthNeeds } from '../needs.ts'
import { signInThere } from '../oidc/refuse-linked.ts'
import { checkPasskey } from '../passkeys/ceremony.ts'
import * as passkeys from '../passkeys/store.ts'
import { checkPassword, macOfEmail } from '../password/check.ts'
import { missing, recordFailure, refuseUnclearProof, unproved } from '../proof.ts'
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
  try {
    if (userId === undefined) throw unproved(needs.oidc?.settings.name)
    const method = passkey ? 'passkey' : 'password'
    const opened = await inTransaction(context, (tx) => openFor(tx, needs, { userId, method, browser }))
    browser.giveSession(opened.token)
    return opened.session
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await failures.count(browser.address)
    await noteFailure(context, needs, given)
    throw error
  }
}

type Opening = {
  readonly userId: string
  readonly method: 'passkey' | 'password'
  readonly browser: Browser
}

/** In turn with a first sign-in at the identity provider, which takes passkeys and passwords away. */
async function openFor(tx: Context<Tx>, needs: AuthNeeds, { userId, method, browser }: Opening) {
  const user = await users.lock(tx, userId)
  if (user?.status !== 'active') throw unproved(needs.oidc?.settings.name)
  if (user.has_oidc) throw signInThere(needs)
  const { id, name, email_address } = user
  const actor = { kind: 'user', id, name, thumbprint: null } as const
  return openSession({ ...tx, actor }, needs, { user: { id, name, email_address }, method, browser })
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
