import { type Generated, type Insertable, type Selectable, sql } from 'kysely'
import type { EventName } from '#domain/event-names.ts'
import { newId } from '#domain/ids.ts'
import { writeInOrder } from '#platform/database/brief-transaction.ts'
import type { Context, Place, Scope, Tables, Tx } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import { areMany, insertColumns, insertInto, insertRows } from '#platform/database/statements.ts'
import { currentTraceparent } from '#platform/observability/trace.ts'
import { FREE } from '#platform/queue/queue.ts'
import * as deliveries from '#resources/webhook-subscriptions/deliveries/store.ts'

declare module '#platform/database/db.ts' {
  interface Tables {
    events: {
      id: string
      merchant_account_id: string | null
      name: EventName
      target_type: string
      target_id: string
      target: Readonly<Record<string, unknown>>
      created_at: Date
      sequence: Generated<string>
      /** The trace of what happened, with which its deliveries go on. Null: it is not traced. */
      traceparent: string | null
    }
  }
}

export const COLUMNS = [
  'id',
  'merchant_account_id',
  'name',
  'target_type',
  'target_id',
  'target',
  'created_at',
  'sequence',
  'traceparent',
] as const

export type StoredEvent = Selectable<Tables['events']>

/** The resource of an event, as it is at that moment, without secrets. */
export type Target = { readonly type: string; readonly id: string } & Readonly<Record<string, unknown>>

type NewEvent = Insertable<Tables['events']>

/** Takes a `Tx`, so that a change, its event and the event's deliveries are stored together. */
export async function publish(tx: Place<Tx>, names: readonly EventName[], target: Target): Promise<void> {
  await publishAll(
    tx,
    names.map((name) => ({ name, target })),
  )
}

/** Events about many things, in one statement however many they are. */
export async function publishAll(
  tx: Place<Tx>,
  told: readonly { readonly name: EventName; readonly target: Target }[],
): Promise<void> {
  if (told.length === 0) return
  const now = tx.clock()
  await writeInOrder(
    tx,
    writeAll,
    told.map(({ name, target }) => newEvent(tx, { name, target, now })),
  )
}

/** For one subscription only. Returns the event's id. */
export async function publishTo(
  tx: Place<Tx>,
  subscriptionId: string,
  name: EventName,
  target: Target,
): Promise<string> {
  const told = newEvent(tx, { name, target, now: tx.clock() })
  await insertInto('events', told).execute(tx.db)
  await deliveries.insertFor(tx, subscriptionId, told)
  return told.id
}

export async function findMany(
  { db }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent>> {
  const rows = await db
    .selectFrom('events')
    .select(COLUMNS)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Events of an account with these names, the oldest first, beyond one of them and up to a time. */
export async function listNamed(
  { db, merchantAccountId }: Scope,
  given: {
    readonly names: readonly EventName[]
    readonly beyond: { readonly told_at: Date; readonly told_id: string }
    readonly until: Date
    readonly limit: number
  },
): Promise<StoredEvent[]> {
  const { names, beyond, until, limit } = given
  return db
    .selectFrom('events')
    .select(COLUMNS)
    .where('merchant_account_id', '=', merchantAccountId)
    .where(sql<boolean>`(created_at, id) > (${beyond.told_at}, ${beyond.told_id})`)
    .where('created_at', '<=', until)
    .where('name', 'in', names)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

type Position = { readonly created_at: Date; readonly id: string }

/** When the oldest event since a time happened. */
export function oldestSince(context: Context, since: Date): Promise<Date | null> {
  return earliest(
    context,
    sql`select min(created_at) as at from events where created_at > '-infinity' and created_at >= ${since}`,
  )
}

/**
 * Takes old events, the oldest first, from a position on. An event is still needed while a subscription waits
 * for it, or could have it sent again because it never arrived.
 */
export async function takeOld(
  { db }: Context<Tx>,
  {
    before,
    beyond,
    limit,
  }: { readonly before: Date; readonly beyond: Position | null; readonly limit: number },
): Promise<(Position & { readonly is_wanted: boolean })[]> {
  const isBeyond = beyond ? sql`(created_at, id) > (${beyond.created_at}, ${beyond.id})` : sql`true`
  const { rows } = await sql<Position & { readonly is_wanted: boolean }>`
    with old as (
      select id, created_at, merchant_account_id from events
      where created_at > '-infinity' and created_at < ${before} and ${isBeyond}
      order by created_at, id
      limit ${sql.lit(limit)}
      ${FREE}
    )
    select old.id, old.created_at, open.id is not null as is_wanted
    from old left join lateral (
      select delivery.id
      from (
        select id from webhook_subscriptions
        where merchant_account_id = old.merchant_account_id and deleted_at is null
        union all
        select id from webhook_subscriptions where merchant_account_id is null and deleted_at is null
      ) as subscription
      join webhook_deliveries as delivery on delivery.subscription_id = subscription.id and delivery.id = old.id
      where delivery.status in ('waiting', 'parked')
      limit 1
    ) as open on true
    order by old.created_at, old.id
  `.execute(db)
  return rows
}

/** Removes events and their deliveries. */
export async function remove(tx: Context<Tx>, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await deliveries.removeOfEvents(tx, ids)
  await tx.db.deleteFrom('events').where('id', 'in', ids).execute()
}

/** What an event still tells of a resource whose buyer was erased. Everything else is taken out. */
const FACTS = [
  ...['type', 'id', 'merchant_account_id', 'transaction_id', 'payment_service_id', 'method', 'scheme'],
  ...['status', 'intent', 'amount', 'currency', 'authorized_amount', 'captured_amount', 'refunded_amount'],
  ...['settled', 'settled_amount', 'settled_currency', 'error_code', 'created_at', 'updated_at'],
]

/** Leaves only facts in the events about these resources, and nothing of what subscribers answered. */
export async function keepFacts(tx: Scope<Tx>, targetIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update events set target = (
      select jsonb_object_agg(key, value) from jsonb_each(target) where key = any(${FACTS}::text[])
    )
    where target_id = any(${targetIds}::uuid[]) and merchant_account_id = ${tx.merchantAccountId}
    returning id
  `.execute(tx.db)
  if (rows.length === 0) return
  await deliveries.forgetBodies(
    tx,
    rows.map(({ id }) => id),
  )
}

/** The oldest first. For `switchyard listen`: an event may become visible a moment after later ones. */
export function listSince(
  { db }: Context,
  { since, merchantAccountId, limit }: Listening,
): Promise<StoredEvent[]> {
  const query = db
    .selectFrom('events')
    .select(COLUMNS)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  return merchantAccountId === undefined
    ? query.where('created_at', '>', sql<Date>`'-infinity'`).execute()
    : query.where('merchant_account_id', '=', merchantAccountId).execute()
}

type Listening = {
  readonly since: Date
  readonly merchantAccountId: string | undefined
  readonly limit: number
}

type PublishedChange = { readonly name: EventName; readonly target: Target; readonly now: Date }

function newEvent({ merchantAccountId }: Place<Tx>, { name, target, now }: PublishedChange): NewEvent {
  return {
    id: newId(now.getTime()),
    merchant_account_id: merchantAccountId,
    name,
    target_type: target.type,
    target_id: target.id,
    target,
    created_at: now,
    traceparent: currentTraceparent(),
  }
}

/** Events have numbers, and readers see them in that order. */
function writeAll(told: readonly NewEvent[]) {
  return [
    areMany(told) ? insertMany(told) : insertRows('events', told),
    deliveries.insertForSubscribers(told),
  ]
}

function insertMany(told: readonly NewEvent[]) {
  return insertColumns('events', {
    same: {},
    each: {
      id: ['uuid', told.map(({ id }) => id)],
      merchant_account_id: ['text', told.map((event) => event.merchant_account_id ?? null)],
      name: ['text', told.map(({ name }) => name)],
      target_type: ['text', told.map((event) => event.target_type)],
      target_id: ['uuid', told.map((event) => event.target_id)],
      target: ['jsonb', told.map(({ target }) => target)],
      created_at: ['timestamptz', told.map((event) => event.created_at)],
      traceparent: ['text', told.map(({ traceparent }) => traceparent ?? null)],
    },
  })
}
