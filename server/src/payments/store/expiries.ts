import { sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Context } from '#platform/database/db.ts'
import { earliest } from '#platform/database/earliest.ts'
import * as marks from './marks.ts'

/** When the next approval ends that a payment in this status waits for. Those that have ended do not count. */
export function nextApprovalEnd(context: Context, status: string): Promise<Date | null> {
  const end = sql`(payment.outcome ->> 'approval_expires_at')::timestamptz`
  const statement = sql<{ at: Date | null }>`
    select min(${end}) as at
    from merchant_accounts as account
    join transaction_marks as mark on mark.merchant_account_id = account.id and mark.mark = ${marks.markOf('status', status)}
    join transactions as payment on payment.merchant_account_id = mark.merchant_account_id and payment.id = mark.id
    where ${end} > ${context.clock()}`
  return earliest(context, statement)
}

/** The id of the oldest payment in this status, of any account, that was created since a time. */
export async function oldestSince({ db }: Context, status: string, since: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select next.id from merchant_accounts as account cross join lateral (
      select id from transaction_marks
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
    join transaction_marks as mark on mark.merchant_account_id = account.id
      and mark.mark = ${marks.markOf('status', tried.status)} and mark.id > ${firstIdOf(tried.createdAfter)}::uuid
    join transactions as payment on payment.merchant_account_id = mark.merchant_account_id and payment.id = mark.id
    where payment.error_code = ${tried.errorCode} and payment.updated_at > ${tried.changedAfter}`
  return earliest(context, statement)
}
