import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import type { Job } from '#platform/process/jobs.ts'
import { nextDueAt } from '#platform/queue/queue.ts'
import type { Resource } from '#resources/resource.ts'
import type { DeliverNeeds } from './attempt-delivery.ts'
import { deliverDue } from './deliver.ts'
import { webhookDeliveryRoutes } from './deliveries/routes.ts'
import { QUEUE } from './deliveries/store.ts'
import { endRotations } from './rotate-secret.ts'
import { webhookSubscriptionRoutes } from './routes.ts'
import * as subscriptions from './store.ts'

const webhookJobs: Job<DeliverNeeds>[] = [
  {
    name: 'deliver-webhooks',
    everyMs: 100,
    isEndless: true,
    run: deliverDue,
    nextDueAt: ({ context }) => nextDueAt(context, QUEUE),
  },
  {
    name: 'end-webhook-secret-rotations',
    everyMs: 60_000,
    run: ({ context, vault }) => endRotations(context, vault),
    nextDueAt: ({ context }) => subscriptions.nextEndOfRotation(context),
  },
]

const WAITING = 'switchyard_webhook_deliveries_waiting'
const FAILING = 'switchyard_webhook_failing_seconds'
const OVERDUE = 'switchyard_webhook_overdue_seconds'
/** A dead receiver may have more. Counting them all would take longer than sending some. */
const COUNTED_MAX = 100_000

export const deliveryReading: Reading<{ readonly context: Context }> = {
  name: 'webhooks',
  gauges: [
    { name: WAITING, help: 'Deliveries that wait to be sent, or sent again; counted up to 100000' },
    { name: FAILING, help: 'For how long the receiver that fails longest has taken nothing' },
    { name: OVERDUE, help: 'How long the delivery that should be sent next is late' },
  ],
  read: async ({ context }) => {
    const next = await nextDueAt(context, QUEUE)
    const failing = await subscriptions.failingSince(context)
    const since = (at: Date | null) => Math.max(0, at ? context.clock().getTime() - at.getTime() : 0) / 1000
    return [
      { gauge: WAITING, value: await countWaiting(context) },
      { gauge: FAILING, value: since(failing) },
      { gauge: OVERDUE, value: since(next) },
    ]
  },
}

export const webhookSubscriptionResource: Resource = {
  operations: (needs) => [...webhookSubscriptionRoutes(needs), ...webhookDeliveryRoutes],
  jobs: webhookJobs,
  readings: [deliveryReading],
}

async function countWaiting({ db }: Context): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from (select from webhook_deliveries where status = 'waiting' limit ${sql.lit(COUNTED_MAX)}) as waiting
  `.execute(db)
  return rows[0]?.count ?? 0
}
