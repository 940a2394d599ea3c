import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import { earliest } from '#platform/database/earliest.ts'

/** When the next session, or something that it holds, is to be forgotten. */
export function nextDueAt(context: Context, paymentMs: number, rowMs: number): Promise<Date | null> {
  const now = context.clock().getTime()
  const expiring = (condition: string, keptMs: number) => sql`(
    select min(expires_at) from checkout_sessions
    where ${sql.raw(condition)} and expires_at > ${new Date(now - keptMs)}
  ) + ${sql.lit(keptMs)} * interval '1 millisecond'`
  const statement = sql<{ at: Date | null }>`select least(
    (select min(security_code_expires_at) from checkout_sessions where security_code_token is not null),
    ${expiring('method is not null and transaction_id is null', 0)},
    ${expiring('method is not null', paymentMs)},
    ${expiring('true', rowMs)}
  ) as at`
  return earliest(context, statement)
}
