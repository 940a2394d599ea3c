import type { Caller } from '#platform/access/auth.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Context, inTransaction } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Resource } from '#resources/resource.ts'
import { findEvent, listEvents } from './list.ts'
import { Event, EventFilters, Events } from './schemas.ts'
import { showEvent } from './show.ts'
import * as events from './store.ts'

type Needs = { readonly secrets: Secrets; readonly instanceId: string; readonly environment: string }

const TAG = 'Events'

function eventRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_events',
      route: 'GET /events',
      tag: TAG,
      summary: 'List events',
      description:
        'Events as webhooks carry them, newest first. Events of the whole installation, such as those ' +
        'of API keys, are in the list of all merchant accounts (`*`), for keys that can reach all of them. Events of API ' +
        'keys also need `webhook-subscriptions.read` or `api-key-pairs.read`.',
      scope: 'events.read',
      orScope: 'webhook-subscriptions.read',
      concerns: 'merchant-account',
      isList: true,
      query: EventFilters,
      responses: { 200: Events },
      handler: async ({ context, caller, reach, query }) => {
        const sight = { reach, seesKeys: seesKeys(caller) }
        const page = await listEvents(context, needs.secrets, sight, query)
        return { ...page, items: page.items.map((row) => showEvent(row, needs)) }
      },
    }),

    operation({
      id: 'get_event',
      route: 'GET /events/:event_id',
      tag: TAG,
      summary: 'Get event',
      scope: 'events.read',
      orScope: 'webhook-subscriptions.read',
      concerns: 'merchant-account',
      params: Strict({ event_id: Uuid() }),
      responses: { 200: Event },
      handler: async ({ context, caller, reach, callerReach, params }) => {
        const sight = { reach, callerReach, seesKeys: seesKeys(caller) }
        const row = await findEvent(context, sight, params.event_id)
        if (!row) throw errors.notFound()
        return showEvent(row, needs)
      },
    }),
  ]
}

/** Roles that only read payments see events of payments, but not of API keys. */
function seesKeys(caller: Caller): boolean {
  return caller.may('webhook-subscriptions.read') || caller.may('api-key-pairs.read')
}

const BATCH = 1_000
const DAY_MS = 86_400_000

const eventJobs: Job<PurgeNeeds>[] = [
  {
    name: 'purge-old-events',
    everyMs: 60 * 60_000,
    run: ({ context, eventRetentionDays }, stopping) =>
      purgeOldEvents(context, { retentionDays: eventRetentionDays, stopping }),
    nextDueAt: ({ context, eventRetentionDays }) => nextPurgeAt(context, eventRetentionDays),
  },
]

export const eventResource: Resource = {
  operations: eventRoutes,
  jobs: eventJobs,
}

type PurgeNeeds = { readonly context: Context; readonly eventRetentionDays: number }

type Purge = { readonly retentionDays: number; readonly stopping: AbortSignal }

/** Removes events after their retention time, except those that a subscription could still get. */
export async function purgeOldEvents(context: Context, { retentionDays, stopping }: Purge): Promise<void> {
  const before = new Date(context.clock().getTime() - retentionDays * DAY_MS)
  let beyond: { readonly created_at: Date; readonly id: string } | null = null
  while (!stopping.aborted) {
    const from = beyond
    const old = await inTransaction(context, async (tx) => {
      const taken = await events.takeOld(tx, { before, beyond: from, limit: BATCH })
      await events.remove(
        tx,
        taken.filter(({ is_wanted }) => !is_wanted).map(({ id }) => id),
      )
      return taken
    })
    beyond = old.at(-1) ?? null
    if (old.length < BATCH) return
  }
}

/** When the next event gets too old. Those that are kept because a subscription could still get them do not count. */
async function nextPurgeAt(context: Context, retentionDays: number): Promise<Date | null> {
  const retentionMs = retentionDays * DAY_MS
  const oldest = await events.oldestSince(context, new Date(context.clock().getTime() - retentionMs))
  return oldest && new Date(oldest.getTime() + retentionMs)
}
