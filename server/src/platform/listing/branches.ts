import { type RawBuilder, sql } from 'kysely'
import type { Reach } from '../http/operation.ts'
import { hidden } from './hidden.ts'
import { named } from './named.ts'

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
