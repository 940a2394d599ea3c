import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import { earliest } from '#platform/database/earliest.ts'

/** When the next delivery is due, to any subscription. */
export function nextDueAt(context: Context): Promise<Date | null> {
  const statement = sql<{ at: Date | null }>`
    with recursive queues (id) as (
      (select subscription_id from webhook_deliveries where status = 'waiting' order by 1 limit 1)
      union all
      select (
        select subscription_id from webhook_deliveries
        where status = 'waiting' and subscription_id > queues.id order by 1 limit 1
      ) from queues where queues.id is not null
    )
    select min(next.next_attempt_at) as at from queues cross join lateral (
      select next_attempt_at from webhook_deliveries
      where status = 'waiting' and subscription_id = queues.id order by next_attempt_at limit 1
    ) as next`
  return earliest(context, statement)
}
