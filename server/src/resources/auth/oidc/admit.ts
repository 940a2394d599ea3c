import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { type ApiError, errors, inBody } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as roles from '#resources/roles/store.ts'
import { gainsRights } from '#resources/users/gains-rights.ts'
import type { User } from '#resources/users/schemas.ts'
import * as users from '#resources/users/store.ts'
import { signOut } from '#resources/users/update.ts'
import * as links from '../links/store.ts'
import * as passkeys from '../passkeys/store.ts'
import * as passwords from '../password/store.ts'
import type { Claims } from './claims.ts'
import type { OidcSettings } from './settings.ts'
import * as identities from './store.ts'

/** Another first sign-in of the same person was faster. Now there is a user to find. */
export class Overtaken extends Error {}

/** The provider decides what a user may do, at each sign-in: also that it is nothing any more. */
export async function decideGrant(context: Context, settings: OidcSettings, claims: Claims): Promise<Grant> {
  const grant = await grantOf(context, settings, claims)
  if (grant) return grant
  await inTransaction(actingFor(context, settings), (tx) => takeRolesAway(tx, claims))
  throw refused(
    `ask an administrator of ${settings.name} for a role: your account there gives you none in this dashboard`,
  )
}

async function takeRolesAway(tx: Context<Tx>, claims: Claims): Promise<void> {
  const userId = await identities.findUserId(tx, claims)
  const user = userId === undefined ? undefined : await users.lock(tx, userId)
  if (!user) return
  await signOut(tx, user.id)
  if (user.roles.length === 0) return
  await users.update(tx, user.id, { role_ids: [] })
  await record(tx, 'updated', user)
}

/** Finds the user whom the provider names, or makes one, as the provider describes them now. */
export async function admit(
  context: Context<Tx>,
  settings: OidcSettings,
  claims: Claims,
  grant: Grant,
): Promise<User> {
  const tx = actingFor(context, settings)
  const userId = await identities.findUserId(tx, claims)
  const known = userId === undefined ? await link(tx, settings, claims) : await users.lock(tx, userId)
  if (!known) return insert(tx, settings, claims, grant)
  if (known.status === 'disabled')
    throw refused('ask an administrator of this dashboard: you cannot sign in here')
  const user = await update(tx, known, claims, grant)
  if (userId === undefined) await forgetProofs(tx, user.id)
  return found(tx, user.id)
}

/**
 * Until now the address alone said whose user this is, and another person may have accepted the invitation. What they chose then must not
 * open what the provider gives, now or later, nor what it takes away again.
 */
async function forgetProofs(tx: Context<Tx>, userId: string): Promise<void> {
  await signOut(tx, userId)
  await passkeys.removeOf(tx, userId)
  await passwords.forgetOf(tx, userId)
}

/**
 * A user who was invited here, or signed in another way until now. The address alone ties them to the person at the provider, so
 * the provider must have checked it; and a user who already has an identity keeps that one.
 */
async function link(tx: Context<Tx>, { name }: OidcSettings, claims: Claims): Promise<User | undefined> {
  const { emailAddress, isEmailVerified } = claims
  if (emailAddress === null)
    throw refused(`have ${name} send your e-mail address: it did not, or sent none that can be one`)
  // Otherwise a person could take any free address, and its owner would be refused from then on.
  if (!isEmailVerified) {
    throw refused(
      `verify your e-mail address at ${name} first, then sign in again. If it is verified, an administrator has ${name} send email_verified`,
    )
  }
  const found = await users.findByEmail(tx, emailAddress)
  const twin = found && (await users.lock(tx, found.id))
  if (!twin) return undefined
  if ((await identities.findUserId(tx, claims)) === twin.id) throw new Overtaken()
  if (await identities.isLinked(tx, twin.id))
    throw refused('ask an administrator of this dashboard: another user has your e-mail address')
  if (twin.status !== 'disabled') await identities.insert(tx, twin.id, claims)
  return twin
}

async function insert(
  tx: Context<Tx>,
  { name: providerName }: OidcSettings,
  claims: Claims,
  { roleIds, merchantAccountIds = [] }: Grant,
): Promise<User> {
  const { emailAddress, name } = claims
  if (emailAddress === null) throw new Error(`${providerName} named no e-mail address`)
  const id = await users.insert(tx, {
    emailAddress,
    name: name ?? emailAddress,
    status: 'active',
    roleIds,
    merchantAccountIds,
  })
  await identities.insert(tx, id, claims)
  const user = await found(tx, id)
  await record(tx, 'created', user)
  return user
}

async function update(tx: Context<Tx>, before: User, claims: Claims, grant: Grant): Promise<User> {
  await users.update(tx, before.id, {
    name: claims.name,
    email_address: await newAddress(tx, before, claims),
    status: 'active',
    role_ids: grant.roleIds,
    merchant_account_ids: grant.merchantAccountIds,
  })
  const after = await found(tx, before.id)
  // An invitation that was not accepted is of no use any more. And no link leads to more than when it was made.
  if (before.status === 'pending' || gainsRights(before, after)) await links.removeOf(tx, before.id)
  if (!isSame(before, after)) await record(tx, 'updated', after)
  return after
}

/** Only an address that the provider has checked, and that no other user has. */
async function newAddress(tx: Context<Tx>, { id }: User, claims: Claims): Promise<string | null> {
  if (claims.emailAddress === null || !claims.isEmailVerified) return null
  const holder = await users.findByEmail(tx, claims.emailAddress)
  return holder && holder.id !== id ? null : claims.emailAddress
}

function isSame(before: User, after: User): boolean {
  const told = ({ updated_at: _at, ...user }: User) => JSON.stringify(user)
  return told(before) === told(after)
}

async function found(tx: Context<Tx>, id: string): Promise<User> {
  const user = await users.find(tx, id)
  if (!user) throw new Error('a user is missing in its own transaction')
  return user
}

function record(tx: Context<Tx>, action: 'created' | 'updated', { id, name }: User): Promise<void> {
  return auditLogs.record({ ...tx, merchantAccountId: null }, action, { type: 'user', id, name })
}

/** The audit log names the provider as the one who made the change. */
function actingFor<Handle extends Context>(context: Handle, { name }: OidcSettings): Handle {
  return { ...context, actor: { id: null, name: `Sign-in with ${name}` } }
}

function refused(message: string): ApiError {
  return errors.forbidden(inBody('/code', 'value_error.conflict', message))
}

/** What the provider's claims let a person do here. */
export type Grant = {
  readonly roleIds: readonly string[]
  /** Empty means all. Undefined: the provider does not say. */
  readonly merchantAccountIds: readonly string[] | undefined
}

/** Null: nothing. A claim that names no role or no account of ours must never mean all of them. */
async function grantOf(context: Context, settings: OidcSettings, claims: Claims): Promise<Grant | null> {
  const slugs = new Set(claims.groups.flatMap((group) => settings.roles.get(group) ?? []))
  const found = await roles.findNamed(context, [...slugs])
  const usable = found.filter(({ assignable_to }) => assignable_to.includes('user'))
  if (!usable.some((role) => role.is_standalone_assignable)) return null
  const roleIds = usable.map(({ id }) => id)
  if (settings.accountsClaim === null) return { roleIds, merchantAccountIds: undefined }
  const named = claims.accounts ?? []
  if (named.includes('*')) return { roleIds, merchantAccountIds: [] }
  const known = new Set((await merchantAccounts.allNames(context)).map(({ id }) => id))
  const merchantAccountIds = [...new Set(named)].filter((id) => known.has(id))
  return merchantAccountIds.length === 0 ? null : { roleIds, merchantAccountIds }
}
