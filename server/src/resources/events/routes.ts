import type { Caller } from '#platform/access/auth.ts'
import { type Context, type Db, inTransaction } from '#platform/database/db.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, type Reach } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { firstMsOf, lastMsOf } from '#platform/listing/bounds.ts'
import { eachAccount } from '#platform/listing/branches.ts'
import { paginate, paginateAccounts, walkEach } from '#platform/listing/by-age.ts'
import { type Collection, turnPage } from '#platform/listing/pagination.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Resource } from '#resources/resource.ts'
import { Event, EventFilters, Events } from './schemas.ts'
import { showEvent } from './show.ts'
import * as events from './store.ts'
import { COLUMNS, type StoredEvent } from './store.ts'

type Needs = { readonly instanceId: string; readonly environment: string }

const operation = operationsOf({ tag: 'Events', scope: 'events.read', concerns: 'merchant-account' })

function eventRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'list_events',
      route: 'GET /events',
      summary: 'List events',
      description:
        'Events as webhooks carry them, newest first. Events of the whole installation, such as those ' +
        'of API keys, are in the list of all merchant accounts (`*`), for keys that can reach all of them. Events of API ' +
        'keys also need `webhook-subscriptions.read` or `api-key-pairs.read`.',
      orScope: 'webhook-subscriptions.read',
      isList: true,
      query: EventFilters,
      responses: { 200: Events },
      handler: async ({ context, caller, reach, query }) => {
        const sight = { reach, seesKeys: seesKeys(caller) }
        const page = await listEvents(context, sight, query)
        return { ...page, items: page.items.map((row) => showEvent(row, needs)) }
      },
    }),

    operation({
      id: 'get_event',
      route: 'GET /events/:event_id',
      summary: 'Get event',
      orScope: 'webhook-subscriptions.read',
      params: Strict({ event_id: Uuid() }),
      responses: { 200: Event },
      handler: async ({ context, caller, reach, callerReach, params }) => {
        const sight = { reach, callerReach, seesKeys: seesKeys(caller) }
        return showEvent(orNotFound(await findEvent(context, sight, params.event_id)), needs)
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

/** Which accounts' events the caller may see, and whether those of API keys are included. */
type Sight = { readonly reach: Reach; readonly seesKeys: boolean }

/**
 * Newest first. Each filter has its own way to the rows. Events of the whole installation are in the list of
 * all accounts.
 */
export function listEvents(
  { db, mac }: Context,
  { reach, seesKeys }: Sight,
  { name, target_id, created_at_gte, created_at_lte, ...page }: EventFilters,
): Promise<Collection<StoredEvent>> {
  const list = { name: 'events', table: 'events', page, mac } as const
  const asIs = (row: StoredEvent) => row
  let query = select(db, seesKeys)
  if (created_at_gte !== undefined) {
    query = query.where('events.created_at', '>=', new Date(firstMsOf(created_at_gte, 'created_at_gte')))
  }
  if (created_at_lte !== undefined) {
    query = query.where('events.created_at', '<=', new Date(lastMsOf(created_at_lte, 'created_at_lte')))
  }
  if (name !== undefined) query = query.where('events.name', '=', name)
  if (target_id !== undefined) {
    query = query.where('events.target_id', '=', target_id)
    // A resource has few events. They are found before other filters apply.
    const visible = reach === 'all' ? query : query.where('events.merchant_account_id', 'in', reach)
    return paginate({ ...list, query: visible }, asIs)
  }
  if (name !== undefined && reach === 'all') {
    // One walk for each account: a single walk by age would read everything to find a rare name.
    const each = { merchant_account_id: eachAccount(reach) }
    const walks = { db, table: 'events', query, each, hasInstallation: true } as const
    return turnPage(list, (slice) => walkEach<StoredEvent>(walks, slice).execute(), asIs)
  }
  return paginateAccounts({ ...list, query }, { db, reach }, asIs)
}

/** Events of the whole installation are visible to keys that can reach every account. */
function findEvent(
  { db }: Context,
  { reach, callerReach, seesKeys }: Sight & { readonly callerReach: Reach },
  id: string,
): Promise<StoredEvent | undefined> {
  const query = select(db, seesKeys).where('events.id', '=', id)
  if (reach === 'all') return query.executeTakeFirst()
  return query
    .where((eb) => {
      const own = eb('events.merchant_account_id', 'in', reach)
      return callerReach === 'all' ? eb.or([own, eb('events.merchant_account_id', 'is', null)]) : own
    })
    .executeTakeFirst()
}

function select(db: Db, seesKeys: boolean) {
  const query = db.selectFrom('events').select(COLUMNS)
  return seesKeys ? query : query.where('events.target_type', '<>', 'api-key-pair')
}
