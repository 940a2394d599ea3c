import { sql } from 'kysely'
import type { Job } from '../process/jobs.ts'
import { FREE } from '../queue/queue.ts'
import type { Context } from './db.ts'
import { earliest } from './sql.ts'

const DAY_MS = 86_400_000
const EVERY_MS = 10 * 60_000

/** Rows that are kept for some days, and then removed in batches. */
type Retention<Needs> = {
  readonly name: string
  /** As the operator says. */
  readonly days: (needs: Needs) => number
  readonly batch: number
  /** Removes some rows from before that time, at most a batch. Returns how many. */
  readonly removeOld: (context: Context, before: Date, limit: number) => Promise<number>
  /** The time of the oldest row. Without it, a sandbox whose clock is moved does not stop for them. */
  readonly oldest?: (context: Context) => Promise<Date | null>
  /** How long a sandbox whose clock is moved lets old rows gather. */
  readonly gatherMs?: number
}

/** The job that removes what is too old. Several processes may run it at once. */
export function retentionJob<Needs extends { readonly context: Context }>(
  retention: Retention<Needs>,
): Job<Needs> {
  const { name, batch, days, removeOld, oldest, gatherMs = 1 } = retention
  return {
    name,
    everyMs: EVERY_MS,
    run: async (needs, stopping) => {
      const { context } = needs
      const before = new Date(context.clock().getTime() - days(needs) * DAY_MS)
      while (!stopping.aborted) {
        if ((await removeOld(context, before, batch)) < batch) return
      }
    },
    nextDueAt: async (needs) => {
      const at = (await oldest?.(needs.context)) ?? null
      return at && new Date(at.getTime() + days(needs) * DAY_MS + gatherMs)
    },
  }
}

type Aging = {
  readonly table: string
  /** The columns of its primary key. */
  readonly key: readonly string[]
  /** The time by which a row is old. An index begins with it. */
  readonly column: string
}

/** What a retention needs of a table whose rows have a time. */
export function oldRows({
  table,
  key,
  column,
}: Aging): Required<Pick<Retention<never>, 'removeOld' | 'oldest'>> {
  const [rows, at] = [sql.table(table), sql.ref(column)]
  const columns = sql.join(key.map((name) => sql.ref(name)))
  const isOld = sql.join(
    key.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`old.${name}`)}`),
    sql` and `,
  )
  return {
    removeOld: async ({ db }, before, limit) => {
      const { numAffectedRows } = await sql`
        delete from ${rows} using (
          select ${columns} from ${rows} where ${at} < ${before} order by ${at} limit ${limit} ${FREE}
        ) as old
        where ${isOld}
      `.execute(db)
      return Number(numAffectedRows ?? 0)
    },
    oldest: (context) => earliest(context, sql`select min(${at}) as at from ${rows}`),
  }
}
