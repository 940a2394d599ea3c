import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { currentSpan } from '#platform/observability/trace.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as events from '#resources/events/store.ts'
import { attemptDelivery, type DeliverNeeds, type Parcel } from './attempt-delivery.ts'
import { Authorizer } from './authorize.ts'
import type { ClaimedDelivery, ParkedBecause, Result } from './deliveries/store.ts'
import * as deliveries from './deliveries/store.ts'
import { Lanes } from './lanes.ts'
import { Recorder } from './recorder.ts'
import type { StoredSubscription } from './store.ts'
import * as subscriptions from './store.ts'

const IDLE_MS = 100
const PAUSE_MS = 10

/** Sends due deliveries until it is stopped; then it finishes those that it has begun. */
export async function deliverDue(needs: DeliverNeeds, stopping: AbortSignal): Promise<void> {
  const { context } = needs
  const lanes = new Lanes()
  const tools = {
    recorder: new Recorder(async (results) => {
      await deliveries.record(context, results)
      // What was recorded must not be recorded again because of this.
      await subscriptions.noteHealth(context, results).catch((error: unknown) => {
        needs.logger.warn({ err: error }, 'whether receivers of webhooks work could not be noted')
      })
    }),
    authorizer: new Authorizer(needs.outgoing, context.clock),
  }
  const underway = new Set<Promise<void>>()
  const start = (parcel: Parcel) => {
    const { id } = parcel.subscription
    const leave = lanes.enter(id)
    const one = deliver(needs, tools, parcel)
      .then((result) => leave(result.outcome))
      .catch((error: unknown) => {
        // An error of ours, which must not delay other deliveries. It is retried when its lease ends.
        needs.logger.error({ err: error, webhookSubscriptionId: id }, 'a webhook could not be sent')
        leave(undefined)
      })
      .finally(() => underway.delete(one))
    underway.add(one)
  }
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping }).catch(() => {})
  try {
    while (!stopping.aborted) {
      const opening = lanes.opening()
      const parcels = await claim(needs, lanes)
      parcels.forEach(start)
      await pause(PAUSE_MS)
      // What is due may have found no room. Then it is sent as soon as there is some.
      if (parcels.length === 0) await Promise.race([opening, pause(IDLE_MS)])
    }
  } finally {
    await Promise.all(underway)
  }
}

/** Due deliveries, with everything needed to send them. */
async function claim(needs: DeliverNeeds, lanes: Lanes): Promise<Parcel[]> {
  const { context } = needs
  if (lanes.room() === 0) return []
  const claimed = await deliveries.claim(context, lanes.openings())
  if (claimed.length === 0) return []
  const [told, subscribers] = await Promise.all([
    events.findMany(
      context,
      claimed.map(({ id }) => id),
    ),
    subscriptions.findMany(
      context,
      claimed.map(({ subscription_id }) => subscription_id),
    ),
  ])
  const parcels: Parcel[] = []
  for (const delivery of claimed) {
    const event = told.get(delivery.id)
    const subscription = subscribers.get(delivery.subscription_id)
    if (!subscription || !event) continue
    const because = refusal(subscription)
    if (because) await park(needs, delivery, because)
    else parcels.push({ delivery, event, subscription })
  }
  return parcels
}

function refusal({ active, deleted_at }: StoredSubscription): ParkedBecause | undefined {
  if (deleted_at) return 'subscription_deleted'
  return active ? undefined : 'subscription_inactive'
}

async function park(needs: DeliverNeeds, delivery: ClaimedDelivery, because: ParkedBecause): Promise<void> {
  await deliveries.park(needs.context, delivery, because)
  needs.metrics.countDelivery('parked', because)
}

type Tools = { readonly recorder: Recorder; readonly authorizer: Authorizer }

async function deliver(
  needs: DeliverNeeds,
  { recorder, authorizer }: Tools,
  parcel: Parcel,
): Promise<Result> {
  const { context, metrics } = needs
  const { delivery, subscription } = parcel
  if (delivery.attempts === 1) {
    metrics.observeDeliveryLag((context.clock().getTime() - delivery.created_at.getTime()) / 1000)
  }
  const result = await traced(needs, parcel, () => attemptDelivery(needs, authorizer, parcel))
  await recorder.add(result)
  metrics.countDelivery(
    result.status === 'waiting' ? 'failed' : result.status,
    result.parked_because ?? undefined,
  )
  if (result.parked_because === 'subscription_inactive') await deactivate(context, subscription)
  return result
}

/** Sending goes on with the trace of what the event tells. The receiver's address is not in it: it may hold a secret. */
function traced({ tracer }: DeliverNeeds, parcel: Parcel, send: () => Promise<Result>): Promise<Result> {
  if (!tracer) return send()
  const { event, delivery } = parcel
  const attributes = {
    'http.request.method': 'POST',
    'switchyard.event': event.name,
    'switchyard.event_id': event.id,
    'switchyard.attempt': delivery.attempts,
  }
  return tracer.goOn(event.traceparent, { name: 'send a webhook', kind: 'client', attributes }, async () => {
    const result = await send()
    const span = currentSpan()
    span?.set({
      'switchyard.outcome': result.outcome,
      ...(result.response_status_code !== null && {
        'http.response.status_code': result.response_status_code,
      }),
    })
    if (result.outcome !== 'delivered') span?.fail()
    return result
  })
}

/**
 * The receiver answered that it is gone for good. If the subscription's URL has changed since, that was the
 * former receiver.
 */
function deactivate(context: Context, { id, url }: Pick<StoredSubscription, 'id' | 'url'>): Promise<void> {
  return inTransaction(context, async (tx) => {
    const subscription = await subscriptions.lock(tx, subscriptions.EVERYTHING, id)
    if (!subscription?.active || subscription.url !== url) return
    await subscriptions.update(tx, subscription, { active: false })
    await auditLogs.record({ ...tx, merchantAccountId: subscription.merchant_account_id }, 'updated', {
      type: 'webhook-subscription',
      id,
      name: subscription.url,
    })
  })
}
