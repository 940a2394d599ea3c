import { type RawBuilder, sql } from 'kysely'
import type { Reach } from '../http/operation.ts'

const known = new Map<string, RawBuilder<unknown>>()

/** A table or a column of ours, as in `buyers.id`. Written once, because the statement of a list names twenty. */
export function named(name: string): RawBuilder<unknown> {
  const written = known.get(name) ?? sql.raw(`"${name.replaceAll('.', '"."')}"`)
  known.set(name, written)
  return written
}

/**
 * A value that the planner does not see. A walk has only one index to choose, so the value would not improve
 * the plan, but PostgreSQL would plan the statement again for every value, which takes longer than finding a
 * page.
 */
export function hidden<Value>(value: Value, type: string): RawBuilder<Value> {
  return sql<Value>`(select ${value}::${sql.raw(type)})`
}

export function anyOf(values: readonly unknown[], type: string): RawBuilder<unknown> {
  return sql`any(${hidden([...values], `${type}[]`)}::${sql.raw(type)}[])`
}

/**
 * Values that need an index walk each: one walk over several values could not follow the order of the list.
 * `value` is the value of a walk, and `from` the set that it comes from.
 */
export type Branch = { readonly value: RawBuilder<unknown>; readonly from?: RawBuilder<unknown> }

export function eachAccount(reach: Reach): Branch {
  const value = named('account.id')
  if (reach === 'all') return { value, from: sql`merchant_accounts as account` }
  // A single value needs no join, so PostgreSQL keeps its plan.
  if (reach.length === 1) return { value: hidden(reach[0], 'text') }
  return { value, from: sql`unnest(${hidden([...reach], 'text[]')}) as account (id)` }
}

export function eachValue(values: readonly unknown[], type: string): Branch {
  if (values.length === 1) return { value: hidden(values[0], type) }
  return {
    value: named('wanted.value'),
    from: sql`unnest(${hidden([...values], `${type}[]`)}) as wanted (value)`,
  }
}

/**
 * The walks for all combinations of values, as `found`. Undefined for a single combination: then the walk
 * alone is enough.
 */
export function across(
  branches: readonly Branch[],
  walk: RawBuilder<unknown>,
  name = 'found',
): RawBuilder<unknown> | undefined {
  const sets = branches.flatMap(({ from }) => from ?? [])
  if (sets.length === 0) return undefined
  return sql`${sql.join(sets, sql` cross join `)} cross join lateral (${walk}) as ${sql.id(name)}`
}
