import { type RawBuilder, sql } from 'kysely'
import type { Context, Scope, Tables, Tx } from './db.ts'

/** For `nextDueAt` of jobs: the time that a statement selects as `at`. */
export async function earliest(
  { db }: Pick<Context, 'db'>,
  statement: RawBuilder<{ readonly at: Date | null }>,
): Promise<Date | null> {
  const { rows } = await statement.execute(db)
  return rows[0]?.at ?? null
}

/** As `laterThan`, in a statement that changes a row which the caller has not read. */
export function nextUpdatedAt(now: Date): RawBuilder<Date> {
  return sql<Date>`greatest(updated_at + interval '1 millisecond', ${now}::timestamptz)`
}

/**
 * One transaction at a time for each name, until it ends. It locks no row and no table: readers and other writers do not
 * wait, and databases that only speak like PostgreSQL know it, unlike `lock table`.
 */
export async function advisoryLock({ db }: Context<Tx>, name: string, part = ''): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${name}), hashtext(${part}))`.execute(db)
}

/**
 * How many rows of a table an account has. The number holds until the transaction ends: of two concurrent creations, the second
 * counts after the first.
 */
export async function countOwn(
  scope: Scope<Tx>,
  table: keyof Tables,
  condition: RawBuilder<unknown> = sql`true`,
): Promise<number> {
  const { db, merchantAccountId } = scope
  await advisoryLock(scope, `count ${table}`, merchantAccountId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where merchant_account_id = ${merchantAccountId} and ${condition}
  `.execute(db)
  return rows[0]?.count ?? 0
}
