import { randomBytes } from 'node:crypto'
import type { Context, Scope, Tx } from '#platform/database/db.ts'
import { Limiter } from '#platform/process/limiter.ts'
import { openFields, sealValue } from '#processing/service-accounts/fields.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import type { SecretTokens, StoredSubscription } from './store.ts'
import * as subscriptions from './store.ts'

const SECRET_BYTES = 64

export type OpenSecrets = Readonly<Partial<Record<keyof SecretTokens, string>>>

export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url')
}

type Owner = Pick<StoredSubscription, 'merchant_account_id'>

export function sealSecret(tx: Context<Tx>, vault: Vault, owner: Owner, value: string): Promise<string> {
  return sealValue({ ...tx, ...placeOf(owner) }, vault, 'webhook-secret', value)
}

export async function removeSecrets(
  tx: Context<Tx>,
  vault: Vault,
  owner: Owner,
  tokens: readonly (string | undefined)[],
): Promise<void> {
  for (const token of tokens) if (token !== undefined) await vault.remove(tx.db, placeOf(owner), token)
}

/**
 * An event may have a hundred subscriptions. Opening all secrets at once would take every database
 * connection.
 */
const OPENED_AT_ONCE = 2
const limiterOf = new WeakMap<Vault, Limiter>()

/**
 * All secrets of a subscription in the clear. They are cached for minutes, so that not every delivery asks
 * the vault.
 */
export function openSecrets(
  context: Context,
  vault: Vault,
  subscription: StoredSubscription,
): Promise<OpenSecrets> {
  const scope: Scope = { ...context, ...placeOf(subscription) }
  const limiter = limiterOf.get(vault) ?? new Limiter(OPENED_AT_ONCE)
  limiterOf.set(vault, limiter)
  return limiter.run(() =>
    openFields(scope, vault, toOpenable(subscription), {
      type: 'webhook-subscription',
      // The vault has a place for all accounts; the audit log has none.
      record: (tx, action, resource) =>
        auditLogs.record({ ...tx, merchantAccountId: subscription.merchant_account_id }, action, resource),
      find: async (_scope, id) => {
        const found = await subscriptions.find(context, subscriptions.EVERYTHING, id)
        return found && toOpenable(found)
      },
    }),
  )
}

/** The secrets that sign now, the newest first. */
export function signingSecrets(
  { former_secret_until }: StoredSubscription,
  { secret, former_secret }: OpenSecrets,
  now: Date,
): string[] {
  const isRotating = former_secret_until !== null && former_secret_until > now
  return [secret, isRotating ? former_secret : undefined].filter((value) => value !== undefined)
}

/** Secrets for all accounts have their own place in the vault, under a name that no account can have. */
function placeOf({ merchant_account_id }: Owner) {
  return { merchantAccountId: merchant_account_id ?? '*' }
}

function toOpenable(subscription: StoredSubscription) {
  const { id, url, updated_at, secrets } = subscription
  return { id, display_name: url, fields: {}, secrets: secrets as Record<string, string>, updated_at }
}
