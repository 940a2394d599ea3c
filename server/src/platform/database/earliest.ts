import type { RawBuilder } from 'kysely'
import type { Context } from './db.ts'

/** For `nextDueAt` of jobs: the time that a statement selects as `at`. */
export async function earliest(
  { db }: Pick<Context, 'db'>,
  statement: RawBuilder<{ readonly at: Date | null }>,
): Promise<Date | null> {
  const { rows } = await statement.execute(db)
  return rows[0]?.at ?? null
}
