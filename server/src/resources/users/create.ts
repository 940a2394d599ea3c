import type { Caller } from '#platform/access/auth.ts'
import { reachOf } from '#platform/access/identify.ts'
import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { checkGrant } from '#resources/api-key-pairs/grant.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { type Installation, makeLink } from '#resources/auth/links/make.ts'
import { refuseAddOnsAlone } from './check-roles.ts'
import { mailLink } from './mail-link.ts'
import type { CreateUser, InvitedUser } from './schemas.ts'
import * as users from './store.ts'

type Asked = { readonly caller: Caller; readonly once: Once; readonly request: CreateUser }

/** Invites a user. The caller passes the link on. */
export async function createUser(
  context: Context,
  installation: Installation,
  { caller, once, request }: Asked,
): Promise<Finished<InvitedUser>> {
  const merchantAccountIds = request.merchant_account_ids ?? []
  const { role_ids, email_address: emailAddress } = request
  const wanted = { role_ids, merchant_account_ids: merchantAccountIds }
  const roleIds = await checkGrant(context, caller, wanted, 'user')
  await refuseAddOnsAlone(context, roleIds)
  const invited = { emailAddress, name: request.name.trim(), roleIds, merchantAccountIds }
  try {
    return await inFinalTransaction(context, once, (tx) => insertInvited(tx, installation, invited))
  } catch (error) {
    if (violatedUnique(error) !== 'users_email_address') throw error
    const twin = await users.findByEmail(context, emailAddress)
    const isVisible = twin && (await users.find(context, twin.id, reachOf(caller)))
    const message = 'a user has this e-mail address already'
    throw errors.duplicate(isVisible?.id, inBody('/email_address', 'value_error.duplicate', message))
  }
}

type Invited = Omit<users.NewUser, 'status'>

/** For the command line, which has no caller. */
export function inviteUser(
  context: Context,
  installation: Installation,
  invited: Invited,
): Promise<InvitedUser> {
  return inTransaction(context, (tx) => insertInvited(tx, installation, invited))
}

async function insertInvited(
  tx: Context<Tx>,
  installation: Installation,
  invited: Invited,
): Promise<InvitedUser> {
  const id = await users.insert(tx, { ...invited, status: 'pending' })
  await auditLogs.record({ ...tx, merchantAccountId: null }, 'created', {
    type: 'user',
    id,
    name: invited.name,
  })
  const link = await makeLink(tx, installation, { purpose: 'invitation', userId: id })
  const user = await users.find(tx, id)
  if (!user) throw new Error('a new user is missing in its own transaction')
  await mailLink(tx, installation, { user, link })
  return { ...user, invitation_url: link.url, invitation_expires_at: link.expiresAt.toISOString() }
}
