import { sql } from 'kysely'
import type { Scope } from '#platform/database/db.ts'
import type { Clock } from '#platform/process/clock.ts'

/** Why a payment stays in the database. */
export const REASONS = {
  open: 'are not finished: something is authorized, under way or in review',
  recent: 'changed in the last 180 days',
  unsettled: 'are captured, and no settlement has arrived yet',
  flagged: 'have a settlement that an operator should look at',
  uncounted: 'are not counted by the metrics explorer yet',
  erased: 'are of a buyer who is being erased',
  renewal: 'renew a payment that is still here',
} as const

export type Reason = keyof typeof REASONS

/** A payment of which nothing has changed for this long is not expected to change any more. */
const QUIET_MS = 180 * 86_400_000

const OPEN = sql`
  not (t.status in ('authorization_declined', 'authorization_failed', 'authorization_voided', 'capture_succeeded')
    or (t.status = 'authorization_succeeded' and t.amount = 0))
  or t.capturing_amount > 0 or t.refunding_amount > 0 or t.pending_review
  or exists (select from attempts as a
    where a.merchant_account_id = t.merchant_account_id and a.transaction_id = t.id
      and (a.due_at is not null or exists (select from attempt_orders as o where o.attempt_id = a.id)))
  or exists (select from disputes as d
    where d.merchant_account_id = t.merchant_account_id and d.transaction_id = t.id and d.answer ->> 'status' = 'processing')
  or exists (select from transaction_cards as c
    where c.merchant_account_id = t.merchant_account_id and c.transaction_id = t.id)
  or exists (select from gift_card_redemptions as r
    where r.merchant_account_id = t.merchant_account_id and r.transaction_id = t.id
      and (r.status = 'created' or r.refunding_amount > 0 or r.number_token is not null or r.pin_token is not null))`
/** Only services that report settlements are waited for. */
const UNSETTLED = sql`
  t.captured_amount > 0 and t.settled_currency is null
  and exists (select from payment_service_report_feeds as f
    where f.payment_service_id = t.payment_service_id and f.listed_at is not null)`
const FLAGGED = sql`
  exists (select from payment_service_report_lines as l
    where l.merchant_account_id = t.merchant_account_id and l.transaction_id = t.id and l.flag is not null)`
/** Facts of payments stay when payments go. They are written some minutes after a payment, and after a change of it. */
const UNCOUNTED = sql`
  not exists (select from payment_fact_progress as p
    where p.merchant_account_id = t.merchant_account_id and p.filled_to > t.id)
  or exists (select from payment_facts_pending as p
    where p.merchant_account_id = t.merchant_account_id and p.id = t.id)`
const ERASED = sql`
  exists (select from buyer_erasures as e
    where e.merchant_account_id = t.merchant_account_id and e.buyer_id = t.buyer_id)`
/** The older payment must not be renewed once more because the newer one cannot be seen. */
const RENEWAL = sql`
  exists (select from transactions as older
    where older.merchant_account_id = t.merchant_account_id and older.id = t.reauthorized_from_transaction_id)`

export type Looked = { readonly id: string; readonly reason: Reason | null }

type Range = { readonly from: string; readonly end: string; readonly limit: number }

/** The next payments of an account, oldest first, each with the reason why it has to stay. */
export async function lookAt(
  { db, clock, merchantAccountId }: Scope,
  { from, end, limit }: Range,
): Promise<Looked[]> {
  const { rows } = await sql<Looked>`
    select t.id, ${reasonBy(clock)} as reason
    from transactions as t
    where t.merchant_account_id = ${merchantAccountId} and t.id >= ${from}::uuid and t.id < ${end}::uuid
    order by t.id limit ${limit}
  `.execute(db)
  return rows
}

/** Whether none of these payments has to stay. */
export async function areReady(
  { db, clock, merchantAccountId }: Scope,
  ids: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select from transactions as t
    where t.merchant_account_id = ${merchantAccountId} and t.id = any(${ids}::uuid[])
      and ${reasonBy(clock)} is not null
    limit 1
  `.execute(db)
  return rows.length === 0
}

function reasonBy(clock: Clock) {
  const quietSince = new Date(clock().getTime() - QUIET_MS)
  return sql<Reason | null>`case
    when ${OPEN} then 'open'
    when t.updated_at > ${quietSince} then 'recent'
    when ${UNSETTLED} then 'unsettled'
    when ${FLAGGED} then 'flagged'
    when ${UNCOUNTED} then 'uncounted'
    when ${ERASED} then 'erased'
    when ${RENEWAL} then 'renewal'
  end`
}
