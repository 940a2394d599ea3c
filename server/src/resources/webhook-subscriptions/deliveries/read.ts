import { sql } from 'kysely'
import type { Context, Db } from '#platform/database/db.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { StoredAttempt } from '../attempts/store.ts'
import type { WebhookAttempts, WebhookDelivery, WebhookDeliveryFilters } from '../schemas.ts'
import type { StoredDelivery } from './store.ts'

const COLUMNS = [
  'subscription_id',
  'id',
  'event_name',
  'status',
  'next_attempt_at',
  'attempts',
  'failures',
  'response_status_code',
  'outcome',
  'parked_because',
  'delivered_at',
  'created_at',
  'updated_at',
] as const

export function find(
  { db }: Context,
  subscriptionId: string,
  id: string,
): Promise<StoredDelivery | undefined> {
  return select(db).where('subscription_id', '=', subscriptionId).where('id', '=', id).executeTakeFirst()
}

/** Newest first. Ids of events begin with their time, so the key gives the order. */
export function list(
  { db, mac }: Context,
  subscriptionId: string,
  { status, event_id: eventIds, ...page }: WebhookDeliveryFilters,
): Promise<Collection<StoredDelivery>> {
  let query = select(db).where('subscription_id', '=', subscriptionId)
  if (eventIds) query = query.where('id', '=', sql<string>`any(${eventIds}::uuid[])`)
  // A literal, so that the planner sees which index fits: those of waiting and parked deliveries hold nothing
  // else.
  if (status) query = query.where('status', '=', sql.lit(status))
  const list = {
    name: `webhook-deliveries ${subscriptionId}`,
    page,
    mac,
    table: 'webhook_deliveries',
  } as const
  return paginate({ ...list, query, key: ['id'] }, (row) => row)
}

function select(db: Db) {
  return db.selectFrom('webhook_deliveries').select(COLUMNS)
}

export function showDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    type: 'webhook-delivery',
    id: row.id,
    webhook_subscription_id: row.subscription_id,
    event_name: row.event_name,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    outcome: row.outcome,
    response_status_code: row.response_status_code,
    parked_because: row.parked_because,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function showAttempt(row: StoredAttempt): WebhookAttempts['items'][number] {
  return { type: 'webhook-attempt', ...row, created_at: row.created_at.toISOString() }
}
