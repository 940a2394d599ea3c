import { sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { earliest } from '#platform/database/sql.ts'
import type { Status } from '#resources/transactions/wire/transaction.ts'
import * as marks from './marks.ts'

/** A payment of the buyer that is not over: see `isOpen`. */
export async function findOpen(
  { db, merchantAccountId }: Scope,
  buyerId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('transactions')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('buyer_id', '=', buyerId)
    .where((eb) =>
      eb.or([
        eb('status', 'in', OPEN),
        eb('capturing_amount', '>', 0),
        eb('refunding_amount', '>', 0),
        eb.and([eb('status', '=', 'authorization_succeeded'), eb('amount', '>', 0)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

const OPEN: readonly Status[] = [
  'processing',
  'buyer_approval_pending',
  'authorization_void_pending',
  'capture_pending',
]

/** Payments of an account in a status that were created before a moment, oldest first. */
export async function olderInStatus(
  { db, merchantAccountId }: Scope,
  status: Status,
  { before, after, limit }: { readonly before: Date; readonly after: string | null; readonly limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('transaction_statuses')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('mark', '=', marks.markOf('status', status))
    .where('id', '<', sql<string>`${firstIdOf(before)}::uuid`)
    .where('id', '>', after ?? firstIdOf(new Date(0)))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** When a refused void is retried. Payments created before `createdAfter` hold nothing any more, and are ended. */
export type Again = { readonly triedBefore: Date; readonly createdAfter: Date }

/** Which of these hold money, as far as we know, of which no capture has begun. */
export async function expirableAmong(
  { db, merchantAccountId }: Scope,
  ids: readonly string[],
  { triedBefore, createdAfter }: Again,
): Promise<string[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('merchant_account_id', '=', merchantAccountId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'authorization_succeeded')
    // Gift cards alone hold nothing at a payment service. Their money goes back to them.
    .where(
      sql<boolean>`(authorized_amount > 0 or (payment_service_id is null and has_gift_card_redemptions))`,
    )
    .where(sql<boolean>`captured_amount + capturing_amount = 0`)
    .where(
      sql<boolean>`(error_code is distinct from 'expired_authorization'
        or updated_at <= ${triedBefore} or id < ${firstIdOf(createdAfter)}::uuid)`,
    )
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Statuses in which we may still have to release a hold or give back what gift cards paid. */
const HELD: readonly Status[] = [
  'processing',
  'authorization_succeeded',
  'authorization_void_pending',
  'capture_pending',
]
export const MARKS_WHILE_HELD = HELD.map((status) => marks.markOf('status', status))

/** How many unfinished payments hold money at a service. Those from before a moment hold none any more. */
export async function countHeldAt(
  { db, merchantAccountId }: Scope,
  paymentServiceId: string,
  createdAfter: Date,
): Promise<number> {
  const { held } = await db
    .selectFrom('transaction_statuses as mark')
    .innerJoin('transactions as payment', (join) =>
      join
        .onRef('payment.merchant_account_id', '=', 'mark.merchant_account_id')
        .onRef('payment.id', '=', 'mark.id'),
    )
    .select((eb) => eb.fn.countAll<string>().as('held'))
    .where('mark.merchant_account_id', '=', merchantAccountId)
    .where('mark.mark', 'in', MARKS_WHILE_HELD)
    .where('mark.id', '>', firstIdOf(createdAfter))
    .where('payment.payment_service_id', '=', paymentServiceId)
    .where('payment.authorized_amount', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(held)
}

/** When the next approval ends that a payment in this status waits for. Those that have ended do not count. */
export function nextApprovalEnd(context: Context, status: string): Promise<Date | null> {
  const end = sql`(payment.outcome ->> 'approval_expires_at')::timestamptz`
  const statement = sql<{ at: Date | null }>`
    select min(${end}) as at
    from merchant_accounts as account
    join transaction_statuses as mark on mark.merchant_account_id = account.id and mark.mark = ${marks.markOf('status', status)}
    join transactions as payment on payment.merchant_account_id = mark.merchant_account_id and payment.id = mark.id
    where ${end} > ${context.clock()}`
  return earliest(context, statement)
}

/** The id of the oldest payment in this status, of any account, that was created since a time. */
export async function oldestSince({ db }: Context, status: string, since: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select next.id from merchant_accounts as account cross join lateral (
      select id from transaction_statuses
      where merchant_account_id = account.id and mark = ${marks.markOf('status', status)} and id >= ${firstIdOf(since)}::uuid
      order by id limit 1
    ) as next
    order by next.id limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}

type Tried = {
  readonly status: string
  readonly errorCode: string
  readonly createdAfter: Date
  readonly changedAfter: Date
}

/** The earliest change, since a time, of a payment in this status with this error. */
export function nextChangeAfter(context: Context, tried: Tried): Promise<Date | null> {
  const statement = sql<{ at: Date | null }>`
    select min(payment.updated_at) as at
    from merchant_accounts as account
    join transaction_statuses as mark on mark.merchant_account_id = account.id
      and mark.mark = ${marks.markOf('status', tried.status)} and mark.id > ${firstIdOf(tried.createdAfter)}::uuid
    join transactions as payment on payment.merchant_account_id = mark.merchant_account_id and payment.id = mark.id
    where payment.error_code = ${tried.errorCode} and payment.updated_at > ${tried.changedAfter}`
  return earliest(context, statement)
}
