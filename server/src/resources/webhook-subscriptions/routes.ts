import { EVENT_NAMES } from '#domain/event-names.ts'
import { freshUntil } from '#platform/access/session-reader.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { type ErrorDetail, inBody, orNotFound } from '#platform/http/errors.ts'
import { nearestNames, suggestion } from '#platform/http/nearest-name.ts'
import { type Call, type Operation, operationsOf } from '#platform/http/operation.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Outgoing } from '#platform/outgoing/outgoing.ts'
import { realTime } from '#platform/process/clock.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import type { Vault } from '#vault'
import { createSubscription } from './create.ts'
import * as deliveries from './deliveries/read.ts'
import { showDelivery } from './deliveries/read.ts'
import { complaintsAboutAuthentication, complaintsAboutMasks } from './read-authentication.ts'
import { replayComplaints, replayMany, requireActive } from './replay.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  CreateWebhookSubscription,
  ReplayWebhooks,
  RotateWebhookSecret,
  UpdateWebhookSubscription,
  WebhookDelivery,
  WebhookReplay,
  WebhookSubscription,
  WebhookSubscriptionFilters,
  WebhookSubscriptions,
} from './schemas.ts'
import { removeSecrets } from './secrets.ts'
import { openSubscription, showSubscription } from './show.ts'
import type { Sight } from './store.ts'
import * as subscriptions from './store.ts'
import { updateSubscription } from './update.ts'

const operation = operationsOf({ concerns: 'merchant-account', scopes: 'webhook-subscriptions' })

/** Every event, and every group of events with the same beginning: `transaction.*`. */
const GROUPS = [...new Set(EVENT_NAMES.map((name) => `${name.slice(0, name.indexOf('.'))}.*`))]
const CHOICES: readonly string[] = [...EVENT_NAMES, ...GROUPS]

/** In the spelling that similar names are searched with. */
const BY_WORDS = new Map(CHOICES.map((name) => [name.replace('.*', '').replaceAll(/[.-]/g, '_'), name]))

const TAG = 'Webhook subscriptions'
const DELIVERIES = 'Webhook deliveries'

type Needs = {
  readonly vault: Vault
  readonly outgoing: Pick<Outgoing, 'complaintAbout'>
}

export function webhookSubscriptionRoutes(needs: Needs): Operation[] {
  return [...collectionRoutes(needs), ...itemRoutes(needs), ...sendRoutes]
}

function collectionRoutes({ vault, outgoing }: Needs): Operation[] {
  return [
    operation({
      id: 'list_webhook_subscriptions',
      route: 'GET /webhook-subscriptions',
      tag: TAG,
      summary: 'List webhook subscriptions',
      description:
        'Newest first. A key for all merchant accounts also sees the subscriptions that are for all of them. `secret` is null for a ' +
        'caller without `webhook-subscriptions.read`, and for a user whose last proof is older than ten minutes.',
      orScope: 'webhook-deliveries.read',
      isList: true,
      isAudited: true,
      query: WebhookSubscriptionFilters,
      responses: { 200: WebhookSubscriptions },
      handler: async (call) => {
        const page = await subscriptions.list(call.context, call, call.query)
        const items = page.items.map((row) => lookAt(call, vault, row))
        return { ...page, items: await Promise.all(items) }
      },
    }),

    operation({
      id: 'create_webhook_subscription',
      route: 'POST /webhook-subscriptions',
      tag: TAG,
      summary: 'Create webhook subscription',
      description:
        'Every event of the merchant account is sent to the URL, or only those that `events` names, signed with the secret. ' +
        'With `*` as merchant account, the events of all accounts are.',
      needsFreshProof: true,
      isForAll: true,
      body: CreateWebhookSubscription,
      check: ({ body }, about) => [
        ...subscriptionComplaints(body, about, outgoing),
        ...(body.authentication ? complaintsAboutMasks(body.authentication, undefined) : []),
      ],
      shownOnce: { secret: null },
      responses: { 201: WebhookSubscription },
      handler: (call) =>
        createSubscription(call.context, call.once, vault, { reach: call.reach, request: call.body }),
    }),
  ]
}

function itemRoutes({ vault, outgoing }: Needs): Operation[] {
  return [
    operation({
      id: 'get_webhook_subscription',
      route: 'GET /webhook-subscriptions/:subscription_id',
      tag: TAG,
      summary: 'Get webhook subscription',
      description:
        '`secret` is null for a caller without `webhook-subscriptions.read`, and for a user whose last proof is older than ten minutes.',
      orScope: 'webhook-deliveries.read',
      responses: { 200: WebhookSubscription },
      handler: async (call) => {
        const row = orNotFound(await subscriptions.find(call.context, call, call.params.subscription_id))
        return lookAt(call, vault, row)
      },
    }),

    operation({
      id: 'update_webhook_subscription',
      route: 'PUT /webhook-subscriptions/:subscription_id',
      tag: TAG,
      summary: 'Update webhook subscription',
      description:
        'Fields that are left out stay as they are; a null `authentication` is removed, and null `events` mean all. While the subscription is not active, nothing is sent: ' +
        'due deliveries are parked. They can be replayed later, and so can events that happen meanwhile. A `url` or `token_url` of ' +
        'another origin needs the password or client secret again: a stored one is not sent to a new origin. `secret` ' +
        'is null for a token without `webhook-subscriptions.read`.',
      needsFreshProof: true,
      body: UpdateWebhookSubscription,
      check: ({ body }, about) => subscriptionComplaints(body, about, outgoing),
      responses: { 200: WebhookSubscription },
      handler: (call) => updateSubscription(call.context, vault, aimOf(call), call.body),
    }),

    operation({
      id: 'delete_webhook_subscription',
      route: 'DELETE /webhook-subscriptions/:subscription_id',
      tag: TAG,
      summary: 'Delete webhook subscription',
      description: 'Nothing more is sent, and its secrets are removed from the vault.',
      needsFreshProof: true,
      responses: { 204: null },
      handler: (call) => deleteSubscription(call.context, vault, call, call.params.subscription_id),
    }),

    operation({
      id: 'rotate_webhook_subscription_secret',
      route: 'POST /webhook-subscriptions/:subscription_id/rotate-secret',
      tag: TAG,
      summary: 'Rotate webhook subscription secret',
      description:
        'A new secret signs from now on. For `delta` minutes the former one also signs, and `rotating` is true. ' +
        'A second rotation meanwhile removes the oldest of the three. `secret` is null for a token without ' +
        '`webhook-subscriptions.read`.',
      needsFreshProof: true,
      body: RotateWebhookSecret,
      isBodyOptional: true,
      shownOnce: { secret: null },
      responses: { 200: WebhookSubscription },
      handler: (call) =>
        rotateSecret(call.context, call.once, vault, { ...aimOf(call), request: call.body ?? {} }),
    }),
  ]
}

const sendRoutes: readonly Operation[] = [
  operation({
    id: 'send_test_webhook',
    route: 'POST /webhook-subscriptions/:subscription_id/test',
    tag: DELIVERIES,
    summary: 'Send test event',
    description:
      'Sends an event `webhook-subscription.test` to this subscription only. It is signed, sent and retried like all others.',
    responses: { 201: WebhookDelivery },
    handler: (call) => sendTestEvent(call.context, call.once, call, call.params.subscription_id),
  }),

  operation({
    id: 'replay_webhooks',
    route: 'POST /webhook-subscriptions/:subscription_id/replay',
    tag: DELIVERIES,
    summary: 'Replay webhook deliveries',
    description:
      'Sends all events since a time, or only those that were given up (`status` `parked`). Waiting deliveries are not ' +
      'sent twice.',
    orScope: 'webhook-deliveries.write',
    body: ReplayWebhooks,
    check: ({ body }, about) => replayComplaints(body, about),
    responses: { 200: WebhookReplay },
    handler: (call) => replayMany(call.context, call.once, aimOf(call), call.body),
  }),
]

/** The secret would let a thief of an open browser send events in our name. */
async function lookAt({ caller, context }: Call, vault: Vault, row: subscriptions.StoredSubscription) {
  const { session } = caller
  const isProved = session === null || freshUntil(session, realTime(context.clock)) !== undefined
  if (isProved && caller.may('webhook-subscriptions.read')) return openSubscription(context, vault, row)
  return showSubscription(row, undefined, context.clock())
}

function aimOf(call: Call<{ readonly subscription_id: string }>) {
  const mayRead = call.caller.may('webhook-subscriptions.read')
  return { sight: call, id: call.params.subscription_id, mayRead }
}

/** Checks a subscription by itself: its URL, the names of events, and fields that its kind of authentication does not have. */
function subscriptionComplaints(
  { url, authentication, events }: Sound<UpdateWebhookSubscription>,
  { isRight }: About,
  { complaintAbout }: Pick<Outgoing, 'complaintAbout'>,
): ErrorDetail[] {
  const aboutUrl = url ? complaintAbout(url) : undefined
  const isJudged = authentication && isRight('/authentication/kind')
  return [
    ...(aboutUrl ? [inBody('/url', 'value_error.url', aboutUrl)] : []),
    ...(events ? eventComplaints(events) : []),
    ...(isJudged ? complaintsAboutAuthentication(authentication, complaintAbout) : []),
  ]
}

/** Names that no event has, each with the most similar one that there is. */
export function eventComplaints(events: readonly (string | undefined)[]): ErrorDetail[] {
  return events.flatMap((name, index) => {
    if (name === undefined || CHOICES.includes(name)) return []
    const near = nearestNames(name, [...BY_WORDS.keys()]).flatMap((words) => BY_WORDS.get(words) ?? [])
    const message = `use the name of an event, or a group such as transaction.*${suggestion(near)}`
    return [inBody(`/events/${index}`, 'type_error.enum', message)]
  })
}

/** Waiting deliveries are parked when they are due. One that is being sent arrives, and is recorded. */
function deleteSubscription(context: Context, vault: Vault, sight: Sight, id: string): Promise<void> {
  return inTransaction(context, async (tx) => {
    const subscription = orNotFound(await subscriptions.lock(tx, sight, id))
    await removeSecrets(tx, vault, subscription, Object.values(subscription.secrets))
    await subscriptions.markDeleted(tx, subscription)
    await auditLogs.record({ ...tx, merchantAccountId: subscription.merchant_account_id }, 'deleted', {
      type: 'webhook-subscription',
      id,
      name: subscription.url,
    })
  })
}

/** An event without a cause, for this subscription only. It is delivered like all events. */
async function sendTestEvent(
  context: Context,
  once: Once,
  sight: Sight,
  id: string,
): Promise<Finished<WebhookDelivery>> {
  return inFinalTransaction(context, once, async (tx) => {
    const subscription = requireActive(await subscriptions.find(tx, sight, id))
    const { merchant_account_id, url, active } = subscription
    const target = { type: 'webhook-subscription', id, merchant_account_id, url, active }
    const place = { ...tx, merchantAccountId: merchant_account_id }
    await auditLogs.record(place, 'updated', { type: 'webhook-subscription', id, name: 'test event' })
    const eventId = await events.publishTo(place, id, 'webhook-subscription.test', target)
    const delivery = await deliveries.find(tx, id, eventId)
    if (!delivery) throw new Error('the delivery is missing')
    return showDelivery(delivery)
  })
}
