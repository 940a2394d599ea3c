import { type Generated, type Selectable, sql } from 'kysely'
import type { Context, Tables, Tx } from '#platform/database/db.ts'
import { areMany, arrayOf, Statement } from '#platform/database/statements.ts'
import type { UnreachableReason } from '#platform/outgoing/outgoing.ts'
import { type Lanes, type Queue, takeByTurns } from '#platform/queue/queue.ts'
import type { Outcome, WebhookDelivery } from '../schemas.ts'

type DeliveryStatus = WebhookDelivery['status']
export type ParkedBecause = NonNullable<WebhookDelivery['parked_because']>

declare module '#platform/database/db.ts' {
  interface Tables {
    webhook_deliveries: {
      subscription_id: string
      /** The id of the event. */
      id: string
      event_name: string
      status: DeliveryStatus
      next_attempt_at: Date | null
      /** Until when a process has it, in real time. */
      leased_until: Date | null
      /** The event was erased. What subscribers answer may repeat it, so it is not kept. */
      is_erased: Generated<boolean>
      attempts: number
      failures: number
      response_status_code: number | null
      outcome: Outcome | null
      parked_because: ParkedBecause | null
      delivered_at: Date | null
      created_at: Date
      updated_at: Date
    }
  }
}

export type StoredDelivery = Omit<Selectable<Tables['webhook_deliveries']>, 'leased_until' | 'is_erased'>

const NEW_COLUMNS = 'subscription_id, id, event_name, status, next_attempt_at, created_at, updated_at'

type ToldEvent = {
  readonly id: string
  readonly merchant_account_id?: string | null
  readonly name: string
  readonly created_at: Date
}

/** The names and groups by which a subscription may want an event. */
const NAMES = `array[event.name, split_part(event.name, '.', 1) || '.*']`
const INSERT = `insert into webhook_deliveries (${NEW_COLUMNS})
  select subscriber.id, event.id, event.name, 'waiting', event.at, event.at, event.at from `
const SUBSCRIBED = `
  join webhook_subscriptions as subscriber
    on subscriber.merchant_account_id is null or subscriber.merchant_account_id = event.account
  where subscriber.active and subscriber.deleted_at is null
    and (subscriber.events is null or subscriber.events && ${NAMES})`
const FEW = [
  `${INSERT} json_to_recordset(`,
  `::json) as event (id uuid, name text, at timestamptz, account text)${SUBSCRIBED}`,
]
const MANY = [
  `${INSERT} unnest(`,
  '::uuid[], ',
  '::text[], ',
  '::timestamptz[], ',
  `::text[]) as event (id, name, at, account)${SUBSCRIBED}`,
]

/** A statement that writes a delivery for every active subscription that wants the event. */
export function insertForSubscribers(told: readonly ToldEvent[]): Statement {
  return areMany(told) ? new Statement(MANY, inArrays(told)) : new Statement(FEW, [inJson(told)])
}

function inJson(told: readonly ToldEvent[]): string {
  return JSON.stringify(
    told.map(({ id, name, created_at, merchant_account_id }) => ({
      id,
      name,
      at: created_at,
      account: merchant_account_id,
    })),
  )
}

function inArrays(told: readonly ToldEvent[]) {
  return [
    arrayOf.uuid(told.map(({ id }) => id)),
    arrayOf.text(told.map(({ name }) => name)),
    arrayOf.timestamptz(told.map((event) => event.created_at)),
    arrayOf.text(told.map((event) => event.merchant_account_id ?? null)),
  ]
}

/** Whether a list of names and groups has an event's name. A subscription without a list wants all events. */
function wants(events: ReturnType<typeof sql>) {
  return sql`(${events} is null or ${events} && ${sql.raw(NAMES)})`
}

export async function insertFor(
  { db }: Context<Tx>,
  subscriptionId: string,
  { id, name, created_at }: ToldEvent,
): Promise<void> {
  await db
    .insertInto('webhook_deliveries')
    .values({
      subscription_id: subscriptionId,
      id,
      event_name: name,
      status: 'waiting',
      next_attempt_at: created_at,
      leased_until: null,
      attempts: 0,
      failures: 0,
      response_status_code: null,
      outcome: null,
      parked_because: null,
      delivered_at: null,
      created_at,
      updated_at: created_at,
    })
    .execute()
}

export type ClaimedDelivery = Pick<
  StoredDelivery,
  'subscription_id' | 'id' | 'attempts' | 'failures' | 'created_at'
>

export type Claim = {
  readonly limit: number
  /** At most this many for a subscription. */
  readonly width: number
  /** Subscriptions that can take fewer now. */
  readonly narrow: ReadonlyMap<string, number>
}

export const QUEUE: Queue<ClaimedDelivery> & Lanes & { readonly leaseMs: number } = {
  table: 'webhook_deliveries',
  key: ['subscription_id', 'id'],
  columns: ['subscription_id', 'id', 'attempts', 'failures', 'created_at'],
  open: sql`status = 'waiting'`,
  due: 'next_attempt_at',
  lane: { column: 'subscription_id', type: 'uuid' },
  // After this time, an attempt whose process died is made again. Longer than any attempt takes.
  leaseMs: 30_000,
}

/** Takes due deliveries. Each subscription has its own queue, so that a long one does not delay the others. */
export function claim(context: Context, { limit, width, narrow }: Claim): Promise<ClaimedDelivery[]> {
  const again = new Date(context.clock().getTime() + QUEUE.leaseMs)
  const set = sql`attempts = attempts + 1, next_attempt_at = ${again}`
  return takeByTurns(context, QUEUE, { limit, width, narrow, set })
}

/** The outcome of an attempt, and what follows. */
export type Result = {
  readonly subscription_id: string
  readonly id: string
  /** The number of the attempt. */
  readonly number: number
  readonly outcome: Outcome
  readonly reason: UnreachableReason | null
  readonly response_status_code: number | null
  readonly response_body: string | null
  readonly duration_ms: number
  readonly began_at: Date
  readonly status: DeliveryStatus
  readonly next_attempt_at: Date | null
  readonly parked_because: ParkedBecause | null
}

/**
 * Records the outcomes of attempts, many in one statement. An attempt that was given up as lost, and made
 * again by another process, is kept in the list of attempts and changes nothing else.
 *
 * `sent` waits for an erasure that marks the deliveries, and finds each by its key. The change joins it, so that each row is
 * locked first: PostgreSQL locks no row that the same statement has changed.
 */
export async function record({ db, clock }: Context, results: readonly Result[]): Promise<void> {
  const now = clock()
  await sql`
    with result as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as result (
        subscription_id uuid, id uuid, number int, outcome text, reason text, response_status_code int, response_body text,
        duration_ms int, began_at timestamptz, status text, next_attempt_at timestamptz, parked_because text
      )
    ),
    sent as materialized (
      select result.*, delivery.is_erased
      from (select * from result order by subscription_id, id) as result
      cross join lateral (
        select is_erased from webhook_deliveries
        where subscription_id = result.subscription_id and id = result.id
        for no key update
      ) as delivery
    ),
    noted as (
      insert into webhook_attempts
        (subscription_id, delivery_id, number, outcome, reason, response_status_code, response_body, duration_ms, created_at)
      select
        subscription_id, id, number, outcome, reason, response_status_code,
        case when not is_erased then response_body end, duration_ms, began_at
      from sent
      on conflict do nothing
    )
    update webhook_deliveries as delivery
    set
      status = sent.status,
      next_attempt_at = sent.next_attempt_at,
      leased_until = null,
      failures = delivery.failures + case sent.outcome when 'delivered' then 0 else 1 end,
      outcome = sent.outcome,
      response_status_code = sent.response_status_code,
      parked_because = sent.parked_because,
      delivered_at = case sent.status when 'delivered' then ${now}::timestamptz end,
      updated_at = ${now}
    from sent
    where delivery.subscription_id = sent.subscription_id and delivery.id = sent.id
      and delivery.attempts = sent.number and delivery.status = 'waiting'
  `.execute(db)
}

/** Parks, without an attempt, a claimed delivery for a subscription that is deleted or inactive. */
export async function park(
  { db, clock }: Context,
  { subscription_id, id, attempts }: ClaimedDelivery,
  because: ParkedBecause,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({
      status: 'parked',
      parked_because: because,
      next_attempt_at: null,
      leased_until: null,
      attempts: attempts - 1,
      updated_at: clock(),
    })
    .where('subscription_id', '=', subscription_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'waiting')
    .execute()
}

type Range = {
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly isParkedOnly: boolean
  readonly limit: number
}

type Queued = { readonly count: number; readonly last: Date | null }

type Replayed = {
  readonly id: string
  readonly merchant_account_id: string | null
  readonly events: readonly string[] | null
}

/**
 * Queues events of a subscription's account again, the oldest first, also those that were never sent because
 * it was not active, but none that it does not want now. Waiting deliveries stay as they are. Test events can only be sent again one by one.
 */
export async function queueAgain(
  { db, clock }: Context<Tx>,
  subscription: Replayed,
  { since, until, isParkedOnly, limit }: Range,
): Promise<Queued> {
  const now = clock()
  const { id, merchant_account_id, events } = subscription
  const conditions = [
    sql`event.name <> 'webhook-subscription.test'`,
    sql`delivery.status is distinct from 'waiting'`,
    ...(merchant_account_id === null ? [] : [sql`event.merchant_account_id = ${merchant_account_id}`]),
    ...(events === null ? [] : [wants(sql`${events}::text[]`)]),
    ...(since ? [sql`event.created_at >= ${since}`] : []),
    ...(until ? [sql`event.created_at < ${until}`] : []),
    ...(isParkedOnly ? [sql`delivery.status = 'parked'`] : []),
    ...(merchant_account_id === null && !isParkedOnly ? [sql`event.created_at > '-infinity'`] : []),
  ]
  const { rows } = await sql<{ count: string; last: Date | null }>`
    with chosen as (
      select event.id, event.name, event.created_at
      from events as event
      ${sql.raw(isParkedOnly ? 'join' : 'left join')} webhook_deliveries as delivery
        on delivery.subscription_id = ${id} and delivery.id = event.id
      where ${sql.join(conditions, sql` and `)}
      order by event.created_at, event.id
      limit ${limit}
      for share of event
    ),
    queued as (${queue(id, sql`chosen`, now)})
    select count(*) as count, max(created_at) as last from chosen
  `.execute(db)
  return { count: Number(rows[0]?.count ?? 0), last: rows[0]?.last ?? null }
}

/** Queues one event, if the subscription has received it or would receive it now. */
export async function queueOneAgain(
  { db, clock }: Context<Tx>,
  subscription: Replayed,
  eventId: string,
): Promise<void> {
  const { id, merchant_account_id, events } = subscription
  const isOwn =
    merchant_account_id === null ? sql`true` : sql`event.merchant_account_id = ${merchant_account_id}`
  await sql`
    with chosen as (
      select event.id, event.name, event.created_at from events as event
      where event.id = ${eventId} and (
        (${isOwn} and event.name <> 'webhook-subscription.test' and ${wants(sql`${events}::text[]`)})
        or exists (select from webhook_deliveries where subscription_id = ${id} and id = ${eventId})
      )
      for share of event
    )
    ${queue(id, sql`chosen`, clock())}
  `.execute(db)
}

/** Starts the retry schedule again. The number of attempts continues. */
function queue(subscriptionId: string, chosen: ReturnType<typeof sql>, now: Date) {
  return sql`
    insert into webhook_deliveries as delivery (${sql.raw(NEW_COLUMNS)})
    select ${subscriptionId}::uuid, id, name, 'waiting', ${now}::timestamptz, created_at, ${now}::timestamptz
    from ${chosen}
    on conflict (subscription_id, id) do update set
      status = 'waiting', next_attempt_at = excluded.next_attempt_at, failures = 0,
      parked_because = null, delivered_at = null, updated_at = excluded.updated_at
    where delivery.status <> 'waiting'`
}

/** Takes out what subscribers answered to these events, and what they will answer: it may repeat them. */
export async function forgetBodies({ db }: Context<Tx>, eventIds: readonly string[]): Promise<void> {
  // First the deliveries: each attempt that is recorded from here on waits, and then sees the mark.
  await sql`
    with told as (
      select delivery.subscription_id, delivery.id
      from webhook_subscriptions as subscription
      join webhook_deliveries as delivery on delivery.subscription_id = subscription.id
      where delivery.id = any(${eventIds}::uuid[])
      order by delivery.subscription_id, delivery.id
      for no key update of delivery
    )
    update webhook_deliveries as delivery set is_erased = true from told
    where delivery.subscription_id = told.subscription_id and delivery.id = told.id
  `.execute(db)
  await sql`
    update webhook_attempts as attempt set response_body = null
    from webhook_subscriptions as subscription
    where attempt.subscription_id = subscription.id and attempt.delivery_id = any(${eventIds}::uuid[])
  `.execute(db)
}

/**
 * For purged events. Goes through the subscriptions that may have got them, because there is no index by event alone. Attempts
 * are deleted, too.
 */
export async function removeOfEvents({ db }: Context<Tx>, eventIds: readonly string[]): Promise<void> {
  await sql`
    with old as (select id, merchant_account_id from events where id = any(${eventIds}::uuid[])),
    told as (
      select subscription.id as subscription_id, old.id
      from old join webhook_subscriptions as subscription using (merchant_account_id)
      union all
      select subscription.id, old.id
      from old cross join webhook_subscriptions as subscription where subscription.merchant_account_id is null
    )
    delete from webhook_deliveries as delivery using told
    where delivery.subscription_id = told.subscription_id and delivery.id = told.id
  `.execute(db)
}
