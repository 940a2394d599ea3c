import type { Context } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { sealAuthentication } from './read-authentication.ts'
import type { CreateWebhookSubscription, WebhookSubscription } from './schemas.ts'
import { newSecret, sealSecret } from './secrets.ts'
import { showSubscription } from './show.ts'
import * as subscriptions from './store.ts'

/** Each event is sent to all of them, so more would slow down the payments that cause events. */
export const SUBSCRIPTIONS_MAX = 100

export async function createSubscription(
  context: Context,
  once: Once,
  vault: Vault,
  { reach, request }: { readonly reach: Reach; readonly request: CreateWebhookSubscription },
): Promise<Finished<WebhookSubscription>> {
  const merchantAccountId = ownerIn(reach)
  return inFinalTransaction(context, once, async (tx) => {
    if ((await subscriptions.count(tx, merchantAccountId)) >= SUBSCRIPTIONS_MAX)
      throw tooMany(merchantAccountId)
    const owner = { merchant_account_id: merchantAccountId }
    const secret = newSecret()
    const sealed = request.authentication
      ? await sealAuthentication(tx, vault, owner, request.authentication)
      : { authentication: null, tokens: {} }
    const stored = await subscriptions.insert(tx, merchantAccountId, {
      active: request.active ?? true,
      url: request.url,
      authentication: sealed.authentication,
      events: eventsOf(request.events),
      secrets: { ...sealed.tokens, secret: await sealSecret(tx, vault, owner, secret) },
    })
    await auditLogs.record({ ...tx, merchantAccountId }, 'created', {
      type: 'webhook-subscription',
      id: stored.id,
      name: stored.url,
    })
    return showSubscription(stored, secret, tx.clock())
  })
}

/** Null: all of them. */
export function eventsOf(asked: readonly string[] | null | undefined): string[] | null {
  return asked ? [...new Set(asked)] : null
}

function tooMany(merchantAccountId: string | null): Error {
  const owner = merchantAccountId === null ? 'there are already' : 'this merchant account already has'
  const whose = merchantAccountId === null ? ' for all merchant accounts' : ''
  return errors.refused(
    `${owner} ${SUBSCRIPTIONS_MAX} webhook subscriptions${whose}, the most allowed; delete one first`,
  )
}

/** One account, or null for all. A key that reaches only some accounts must not get events of the others. */
function ownerIn(reach: Reach): string | null {
  if (reach === 'all') return null
  const [only, ...others] = reach
  if (only !== undefined && others.length === 0) return only
  throw errors.forbidden({
    location: 'header',
    pointer: '/x-service-merchant-account-id',
    type: 'value_error.conflict',
    message: 'name one merchant account, or use a key for all of them',
  })
}
