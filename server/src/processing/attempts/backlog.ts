import { sql } from 'kysely'
import type { Context, Scope } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import { realTime } from '#platform/process/clock.ts'
import { type Attempt, isNotOnItsWay } from './store.ts'

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
async function countOpen({ db, clock }: Context): Promise<OpenGroup[]> {
  const { rows } = await sql<OpenGroup>`
    select kind, state, count(*)::int as open, min(coalesce(sent_at, created_at)) as since,
      count(*) filter (where due_at <= ${clock()} and ${isNotOnItsWay(clock)})::int as due
    from attempts where due_at is not null group by kind, state
  `.execute(db)
  return rows
}

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

const OPEN = 'switchyard_attempts_open'
const OLDEST = 'switchyard_attempts_oldest_seconds'
const DUE = 'switchyard_attempts_due'

/** Attempts that no answer has decided. */
export const attemptReading: Reading<{ readonly context: Context }> = {
  name: 'attempts',
  gauges: [
    { name: OPEN, help: 'Undecided attempts at services', labels: ['act', 'state'] },
    { name: OLDEST, help: 'How long the oldest undecided attempt is open', labels: ['act', 'state'] },
    { name: DUE, help: 'Undecided attempts that wait for the job: it is time to ask about them' },
  ],
  read: async ({ context }) => {
    const found = await countOpen(context)
    const now = realTime(context.clock).getTime()
    const due = found.reduce((sum, group) => sum + group.due, 0)
    return [
      { gauge: DUE, value: due },
      ...found.flatMap(({ kind, state, open, since }) => {
        const labels = { act: kind, state }
        const age = Math.max(0, now - since.getTime()) / 1000
        return [
          { gauge: OPEN, labels, value: open },
          { gauge: OLDEST, labels, value: age },
        ]
      }),
    ]
  },
}
