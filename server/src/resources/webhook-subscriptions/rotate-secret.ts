import { type Context, inTransaction } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import type { RotateWebhookSecret, WebhookSubscription } from './schemas.ts'
import { newSecret, removeSecrets, sealSecret } from './secrets.ts'
import { showSubscription } from './show.ts'
import * as subscriptions from './store.ts'
import type { Aim } from './update.ts'

const MINUTE_MS = 60_000

/** A new secret signs from now on. The former one also signs for a while; an older one is removed. */
export function rotateSecret(
  context: Context,
  once: Once,
  vault: Vault,
  { sight, id, mayRead, request: { delta } }: Aim & { readonly request: RotateWebhookSecret },
): Promise<Finished<WebhookSubscription>> {
  return inFinalTransaction(context, once, async (tx) => {
    const before = orNotFound(await subscriptions.lock(tx, sight, id))
    const minutes = delta ?? 0
    const { secret: former, former_secret: dropped, ...others } = before.secrets
    await removeSecrets(tx, vault, before, minutes > 0 ? [dropped] : [dropped, former])

    const secret = newSecret()
    const after = await subscriptions.update(tx, before, {
      secrets: {
        ...others,
        secret: await sealSecret(tx, vault, before, secret),
        ...(minutes > 0 && former && { former_secret: former }),
      },
      former_secret_until: minutes > 0 ? new Date(tx.clock().getTime() + minutes * MINUTE_MS) : null,
    })
    await auditLogs.record({ ...tx, merchantAccountId: after.merchant_account_id }, 'updated', {
      type: 'webhook-subscription',
      id,
      name: after.url,
    })
    return showSubscription(after, mayRead ? secret : undefined, tx.clock())
  })
}

/** Removes former secrets that no longer sign from the vault. */
export async function endRotations(context: Context, vault: Vault): Promise<void> {
  for (const id of await subscriptions.listEndedRotations(context)) {
    await inTransaction(context, async (tx) => {
      const before = await subscriptions.lock(tx, subscriptions.EVERYTHING, id)
      const until = before?.former_secret_until
      if (!before || !until || until > tx.clock()) return
      const { former_secret, ...secrets } = before.secrets
      await removeSecrets(tx, vault, before, [former_secret])
      await subscriptions.update(tx, before, { secrets, former_secret_until: null })
    })
  }
}
