import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { type ErrorDetail, errors, orNotFound } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Vault } from '#vault'
import { eventsOf } from './create.ts'
import { complaintsAboutAddress, complaintsAboutMasks, sealAuthentication } from './read-authentication.ts'
import type { UpdateWebhookSubscription, WebhookSubscription } from './schemas.ts'
import { removeSecrets } from './secrets.ts'
import { openSubscription, showSubscription } from './show.ts'
import type { Sight, StoredSubscription } from './store.ts'
import * as subscriptions from './store.ts'

export type Aim = {
  readonly sight: Sight
  readonly id: string
  /** Whether the caller may see the signing secret. */
  readonly mayRead: boolean
}

/**
 * Absent settings stay. A null authentication is removed, and null events mean all. A null URL or switch stays, because it cannot be
 * empty.
 */
export async function updateSubscription(
  context: Context,
  vault: Vault,
  { sight, id, mayRead }: Aim,
  request: UpdateWebhookSubscription,
): Promise<WebhookSubscription> {
  const after = await inTransaction(context, async (tx) => {
    const before = orNotFound(await subscriptions.lock(tx, sight, id))
    const complaints = complaintsAbout(before, request)
    if (complaints.length > 0) throw errors.invalid(...complaints)

    const changed = await subscriptions.update(tx, before, {
      active: request.active ?? before.active,
      url: request.url ?? before.url,
      ...(request.events !== undefined && { events: eventsOf(request.events) }),
      ...(request.authentication !== undefined && (await authenticationChanges(tx, vault, before, request))),
    })
    await auditLogs.record({ ...tx, merchantAccountId: changed.merchant_account_id }, 'updated', {
      type: 'webhook-subscription',
      id,
      name: changed.url,
    })
    return changed
  })
  return mayRead
    ? openSubscription(context, vault, after)
    : showSubscription(after, undefined, context.clock())
}

function complaintsAbout(
  before: StoredSubscription,
  { url, authentication }: UpdateWebhookSubscription,
): ErrorDetail[] {
  return [
    ...(authentication ? complaintsAboutMasks(authentication, before) : []),
    ...complaintsAboutAddress(before, url ?? before.url, authentication),
  ]
}

/** Removes secrets that are no longer used from the vault. */
async function authenticationChanges(
  tx: Context<Tx>,
  vault: Vault,
  before: StoredSubscription,
  { authentication }: UpdateWebhookSubscription,
): Promise<Pick<StoredSubscription, 'authentication' | 'secrets'>> {
  const { password, client_secret, ...signing } = before.secrets
  const sealed = authentication
    ? await sealAuthentication(tx, vault, before, authentication)
    : { authentication: null, tokens: {} }
  const kept = Object.values(sealed.tokens)
  const unused = [password, client_secret].filter((token) => token !== undefined && !kept.includes(token))
  await removeSecrets(tx, vault, before, unused)
  return { authentication: sealed.authentication, secrets: { ...signing, ...sealed.tokens } }
}
