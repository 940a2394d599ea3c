import type { Context } from '#platform/database/db.ts'
import { showCreator } from '#resources/api-key-pairs/show-creator.ts'
import type { Vault } from '#vault'
import { MASK, type StoredAuthentication, type WebhookSubscription } from './schemas.ts'
import { openSecrets } from './secrets.ts'
import type { StoredSubscription } from './store.ts'

/** A subscription as the API shows it: with the secret that receivers need, without our own credentials. */
export async function openSubscription(
  context: Context,
  vault: Vault,
  row: StoredSubscription,
): Promise<WebhookSubscription> {
  const { secret } = await openSecrets(context, vault, row)
  return showSubscription(row, secret, context.clock())
}

export function showSubscription(
  row: StoredSubscription,
  secret: string | undefined,
  now: Date,
): WebhookSubscription {
  return {
    type: 'webhook-subscription',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    active: row.active,
    url: row.url,
    authentication: row.authentication && showAuthentication(row.authentication),
    secret: secret ?? null,
    creator: showCreator(row),
    events: row.events,
    rotating: row.former_secret_until !== null && row.former_secret_until > now,
    failing_since: row.failing_since?.toISOString() ?? null,
    last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
  }
}

function showAuthentication(stored: StoredAuthentication) {
  const { kind } = stored
  return {
    type: 'webhook-authentication' as const,
    ...stored,
    ...(kind !== 'basic' && { client_secret: MASK as typeof MASK }),
    ...(kind !== 'oauth_client_credentials' && { password: MASK as typeof MASK }),
  }
}
