import { sql } from 'kysely'
import type { Context, Scope } from '#platform/database/db.ts'
import { earliest } from '#platform/database/earliest.ts'
import { realTime } from '#platform/process/clock.ts'
import type { Attempt } from './columns.ts'

/** How many attempts at a service are undecided. */
export async function countOpenAt({ db, merchantAccountId }: Scope, serviceId: string): Promise<number> {
  const { open } = await db
    .selectFrom('attempts')
    .select((eb) => eb.fn.countAll<string>().as('open'))
    .where('merchant_account_id', '=', merchantAccountId)
    .where('service_id', '=', serviceId)
    .where('due_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(open)
}

type OpenGroup = Pick<Attempt, 'kind' | 'state'> & {
  readonly open: number
  readonly due: number
  /** When the oldest was recorded, in real time. */
  readonly since: Date
}

/** All undecided attempts, of every account. */
export async function countOpen({ db, clock }: Context): Promise<OpenGroup[]> {
  const { rows } = await sql<OpenGroup>`
    select kind, state, count(*)::int as open, min(coalesce(sent_at, created_at)) as since,
      count(*) filter (where ${isDue(clock(), realTime(clock))})::int as due
    from attempts where due_at is not null group by kind, state
  `.execute(db)
  return rows
}

/** The services that have attempts to take up, each found with one step along an index, however many attempts wait. */
export const SERVICES_WITH_OPEN = sql`
    services as (
      (select service_id as id from attempts where due_at is not null order by 1 limit 1)
      union all
      select (
        select service_id from attempts
        where due_at is not null and service_id > services.id order by 1 limit 1
      ) from services where services.id is not null
    )`

/** When the next attempt is due, of any account. */
export function nextDueAt(context: Context): Promise<Date | null> {
  const real = realTime(context.clock)
  const statement = sql<{ at: Date | null }>`
    with recursive ${SERVICES_WITH_OPEN}
    select min(next.due_at) as at from services cross join lateral (
      select due_at from attempts
      where service_id = services.id and due_at is not null and (state <> 'sent' or due_at <= ${real})
      order by due_at limit 1
    ) as next`
  return earliest(context, statement)
}

/** Both conditions, because an index knows only the first. */
export function isDue(now: Date, real: Date) {
  return sql`due_at <= ${now} and (state <> 'sent' or due_at <= ${real})`
}
