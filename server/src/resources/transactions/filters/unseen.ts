import { type RawBuilder, sql } from 'kysely'

/**
 * A value that the planner does not see. It would not know better what to do, since only one index is left to it, but it
 * would make a new plan for every value, which takes longer than to find a page.
 */
export function unseen<Value>(value: Value, type: string): RawBuilder<Value> {
  return sql<Value>`(select ${value}::${sql.raw(type)})`
}

export function anyOf(values: readonly unknown[], type: string): RawBuilder<unknown> {
  return sql`any(${unseen([...values], `${type}[]`)}::${sql.raw(type)}[])`
}
