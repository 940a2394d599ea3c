import { sql } from 'kysely'
import { firstIdOf } from '#domain/ids.ts'
import type { Interval } from '#domain/interval.ts'
import type { Scope } from '#platform/database/db.ts'
import { UNDECIDED, UNPAID } from '../state.ts'

/** Values of which a payment must have one. Null: any. A value that is null stands for payments that have none. */
type Choice = readonly (string | null)[] | null

export type Choices = {
  readonly method: Choice
  readonly payment_method_bin: Choice
  readonly payment_method_scheme: Choice
  readonly payment_service_id: Choice
}

export type Decided = { readonly authorized: number; readonly decided: number }

const BIN_DIGITS = 6

/**
 * How many payments that were begun in a time are decided by now, and how many of them were authorized, for each of these
 * choices. Reads the rows of that time once, however many choices there are: ids begin with the time.
 */
export async function countDecided(
  { db, merchantAccountId }: Scope,
  { from, to }: Interval,
  asked: readonly Choices[],
): Promise<Decided[]> {
  // Payments are told apart only by what is asked about.
  const isAsked = (name: keyof Choices) => asked.some((choices) => choices[name] !== null)
  const { rows } = await sql<Alike>`
    select
      case when ${isAsked('method')} then method end as method,
      case when ${isAsked('payment_method_bin')} then left(payment_method_bin, ${sql.lit(BIN_DIGITS)}) end as payment_method_bin,
      case when ${isAsked('payment_method_scheme')} then payment_method_scheme end as payment_method_scheme,
      case when ${isAsked('payment_service_id')} then payment_service_id end as payment_service_id,
      count(*) filter (where status <> all(${UNPAID}))::integer as authorized,
      count(*)::integer as decided
    from transactions
    where merchant_account_id = ${merchantAccountId} and id >= ${firstIdOf(from)} and id < ${firstIdOf(to)}
      and status <> all(${UNDECIDED})
    group by 1, 2, 3, 4
  `.execute(db)
  return asked.map((choices) => sumOf(rows.filter((alike) => isChosen(alike, choices))))
}

/** Payments that are alike in what is asked about. */
type Alike = Decided & Readonly<Record<keyof Choices, string | null>>

function isChosen(alike: Alike, choices: Choices): boolean {
  const names = Object.keys(choices) as (keyof Choices)[]
  return names.every((name) => choices[name] === null || choices[name]?.includes(alike[name]))
}

function sumOf(rows: readonly Decided[]): Decided {
  const sum = (name: keyof Decided) => rows.reduce((all, row) => all + row[name], 0)
  return { authorized: sum('authorized'), decided: sum('decided') }
}
