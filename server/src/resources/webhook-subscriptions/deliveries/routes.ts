import type { Context } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import * as attempts from '../attempts/store.ts'
import { replayOne } from '../replay.ts'
import { WebhookAttempts, WebhookDeliveries, WebhookDelivery, WebhookDeliveryFilters } from '../schemas.ts'
import type { Sight } from '../store.ts'
import * as subscriptions from '../store.ts'
import * as deliveries from './read.ts'
import { showAttempt, showDelivery } from './read.ts'
import type { StoredDelivery } from './store.ts'

const operation = operationsOf({ tag: 'Webhook deliveries', concerns: 'merchant-account', scopes: 'events' })

export const webhookDeliveryRoutes: readonly Operation[] = [
  operation({
    id: 'list_webhook_deliveries',
    route: 'GET /webhook-subscriptions/:subscription_id/deliveries',
    summary: 'List webhook deliveries',
    description: 'The deliveries of a subscription, sent or waiting, newest first.',
    orScope: 'webhook-subscriptions.read',
    query: WebhookDeliveryFilters,
    responses: { 200: WebhookDeliveries },
    handler: async (call) => {
      const { subscription_id } = call.params
      if (!(await subscriptions.find(call.context, call, subscription_id))) throw errors.notFound()
      const page = await deliveries.list(call.context, subscription_id, call.query)
      return { ...page, items: page.items.map(showDelivery) }
    },
  }),

  operation({
    id: 'get_webhook_delivery',
    route: 'GET /webhook-subscriptions/:subscription_id/deliveries/:delivery_id',
    summary: 'Get webhook delivery',
    orScope: 'webhook-subscriptions.read',
    responses: { 200: WebhookDelivery },
    handler: async (call) => showDelivery(await findDelivery(call.context, call, call.params)),
  }),

  operation({
    id: 'list_webhook_attempts',
    route: 'GET /webhook-subscriptions/:subscription_id/deliveries/:delivery_id/attempts',
    summary: 'List webhook delivery attempts',
    description: 'The last hundred attempts, newest first, each with the receiver’s answer.',
    orScope: 'webhook-subscriptions.read',
    responses: { 200: WebhookAttempts },
    handler: async (call) => {
      const { subscription_id, id } = await findDelivery(call.context, call, call.params)
      return { items: (await attempts.list(call.context, subscription_id, id)).map(showAttempt) }
    },
  }),

  operation({
    id: 'replay_webhook_delivery',
    route: 'POST /webhook-subscriptions/:subscription_id/deliveries/:delivery_id/replay',
    summary: 'Replay webhook delivery',
    description:
      'Sends an event again with the same id, and starts the retry schedule again. Also for an event that was never sent because ' +
      'the subscription was not active: `delivery_id` is the id of the event.',
    scope: 'webhook-subscriptions.write',
    orScope: 'webhook-deliveries.write',
    responses: { 200: WebhookDelivery },
    handler: (call) =>
      replayOne(
        call.context,
        call.once,
        { sight: call, id: call.params.subscription_id },
        call.params.delivery_id,
      ),
  }),
]

type Ids = { readonly subscription_id: string; readonly delivery_id: string }

async function findDelivery(
  context: Context,
  sight: Sight,
  { subscription_id, delivery_id }: Ids,
): Promise<StoredDelivery> {
  const subscription = await subscriptions.find(context, sight, subscription_id)
  return orNotFound(subscription && (await deliveries.find(context, subscription_id, delivery_id)))
}
