import { sql } from 'kysely'
import type { Context } from '#platform/database/db.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Attempt } from './store.ts'

/** A provider that tells by itself does so within minutes, and tries again for hours if we are away. */
const TOLD_WITHIN_MS = 24 * 3_600_000

/** Open attempts that no inquiry can resolve any more, over all accounts. */
export type Unresolvable = {
  /** The provider may have forgotten the idempotency key, so the order must not be sent again. */
  readonly forgotten: Found
  /** The provider cannot be asked, and has not told the outcome within a day. */
  readonly untold: Found
}

export type Found = { readonly count: number; readonly oldest: Shown | null }
type Shown = Pick<Attempt, 'id' | 'kind' | 'transaction_id' | 'merchant_account_id' | 'created_at'>
const SHOWN = sql.raw(
  'attempts.id, attempts.kind, attempts.transaction_id, attempts.merchant_account_id, attempts.created_at',
)

/** `silentServiceIds` are the services whose providers cannot be asked. */
export async function findUnresolvable(
  { db, clock }: Context,
  silentServiceIds: readonly string[],
): Promise<Unresolvable> {
  const now = realTime(clock)
  const forgotten = await sql<Row>`
    select ${SHOWN}, count(*) over ()::int as count
    from attempt_orders join attempts on attempts.id = attempt_orders.attempt_id
    where attempt_orders.order_until <= ${now} and attempts.due_at is not null
    order by attempt_orders.order_until, attempts.id limit 1
  `.execute(db)
  const until = new Date(now.getTime() - TOLD_WITHIN_MS)
  const untold = await sql<Row>`
    select ${SHOWN}, count(*) over ()::int as count from attempts
    where service_id = any(${silentServiceIds}::uuid[]) and due_at is not null and state = 'unknown'
      and coalesce(sent_at, created_at) <= ${until}
    order by created_at, id limit 1
  `.execute(db)
  return { forgotten: foundIn(forgotten.rows), untold: foundIn(untold.rows) }
}

type Row = Shown & { readonly count: number }

function foundIn([oldest]: readonly Row[]): Found {
  if (!oldest) return { count: 0, oldest: null }
  const { count, ...shown } = oldest
  return { count, oldest: shown }
}
