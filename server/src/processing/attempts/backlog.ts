import { sql } from 'kysely'
import type { Context, Scope } from '#platform/database/db.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import * as queue from '#platform/queue/queue.ts'
import { type Attempt, COLUMNS } from './columns.ts'

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
      count(*) filter (where due_at <= ${clock()} and ${isNotOnItsWay(clock)})::int as due
    from attempts where due_at is not null group by kind, state
  `.execute(db)
  return rows
}

export const QUEUE: queue.Queue<Attempt> & queue.Lanes = {
  table: 'attempts',
  key: ['id'],
  columns: COLUMNS,
  open: sql`due_at is not null`,
  due: 'due_at',
  lane: { column: 'service_id', type: 'uuid' },
}

/** When the next attempt is due, of any account. */
export function nextDueAt(context: Context): Promise<Date | null> {
  return queue.nextDueAt(context, QUEUE, isNotOnItsWay(context.clock))
}

/** Besides that it is due. */
export function isNotOnItsWay(clock: Clock) {
  return sql`(state <> 'sent' or due_at <= ${realTime(clock)})`
}
