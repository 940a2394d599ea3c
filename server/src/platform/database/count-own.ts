import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tables, Tx } from './db.ts'
import { takeTurn } from './take-turn.ts'

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
  await takeTurn(scope, `count ${table}`, merchantAccountId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}
    where merchant_account_id = ${merchantAccountId} and ${condition}
  `.execute(db)
  return rows[0]?.count ?? 0
}
