import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type Installation, makeLink } from '#resources/auth/links/make.ts'
import { refuseStrongerUser } from './check-roles.ts'
import { mailLink } from './mail-link.ts'
import type { Invitation, User } from './schemas.ts'
import * as users from './store.ts'

type Asked = { readonly caller: Caller; readonly once: Once; readonly id: string }

/** A new link for an invited user, or for one who has lost every passkey. It takes the place of earlier ones. */
export function inviteAgain(
  context: Context,
  installation: Installation,
  { caller, once, id }: Asked,
): Promise<Finished<Invitation>> {
  return inFinalTransaction(context, once, async (tx) => {
    const user = orNotFound(await users.lock(tx, id, reachOf(caller)))
    refuseStrongerUser(caller, user)
    // A link would let a person in again whom the provider lets in no more.
    if (user.has_oidc) {
      throw errors.refused(
        'this user signs in at the identity provider: restore their access there, or run switchyard users reset on the machine',
      )
    }
    return makeInvitation(tx, installation, user)
  })
}

/** For the command line, which has no caller. */
export function resetUser(context: Context, installation: Installation, id: string): Promise<Invitation> {
  return inTransaction(context, async (tx) =>
    makeInvitation(tx, installation, orNotFound(await users.lock(tx, id))),
  )
}

async function makeInvitation(tx: Context<Tx>, installation: Installation, user: User): Promise<Invitation> {
  if (user.status === 'disabled') throw errors.refused('make the user active first')
  const purpose = user.status === 'pending' ? 'invitation' : 'reset'
  const link = await makeLink(tx, installation, { purpose, userId: user.id })
  await mailLink(tx, installation, { user, link })
  const { url, expiresAt } = link
  const about = { type: 'user', id: user.id, name: user.name }
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'updated', about)
  return { type: 'invitation', invitation_url: url, invitation_expires_at: expiresAt.toISOString() }
}
