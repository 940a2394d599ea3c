import { sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Interval } from '#domain/interval.ts'
import type { Scope } from '#platform/db.ts'
import { UNDECIDED, UNPAID } from './state.ts'

/** Values of which a payment must have one. Null: any. A value that is null stands for payments that have none. */
type Choice = readonly (string | null)[] | null

export type Choices = {
  readonly method: Choice
  readonly payment_method_bin: Choice
  readonly payment_method_scheme: Choice
  readonly payment_service_id: Choice
}

const BIN_DIGITS = 6

/**
 * How many payments that were begun in a time are decided by now, and how many of them were authorized. Reads only the
 * rows of that time: ids begin with it.
 */
export async function countDecided(
  { db, merchantAccountId }: Scope,
  { from, to }: Interval,
  choices: Choices,
): Promise<{ readonly authorized: number; readonly decided: number }> {
  const conditions = [
    isOneOf(sql`method`, choices.method),
    isOneOf(sql`left(payment_method_bin, ${sql.lit(BIN_DIGITS)})`, choices.payment_method_bin),
    isOneOf(sql`payment_method_scheme`, choices.payment_method_scheme),
    isOneOf(sql`payment_service_id::text`, choices.payment_service_id),
  ].flat()
  const { rows } = await sql<{ authorized: number; decided: number }>`
    select count(*) filter (where status <> all(${UNPAID}))::integer as authorized, count(*)::integer as decided
    from transactions
    where merchant_account_id = ${merchantAccountId} and id >= ${firstIdOf(from)} and id < ${firstIdOf(to)}
      and status <> all(${UNDECIDED})
      ${conditions.length === 0 ? sql`` : sql`and ${sql.join(conditions, sql` and `)}`}
  `.execute(db)
  return rows[0] ?? { authorized: 0, decided: 0 }
}

/** Written so that no index of the column fits: the rows of the time are few, those with the value may be many. */
function isOneOf(column: ReturnType<typeof sql>, values: Choice) {
  if (values === null) return []
  const known = values.filter((value) => value !== null)
  return [sql`coalesce(${column} = any(${known}::text[]), ${values.includes(null)})`]
}
