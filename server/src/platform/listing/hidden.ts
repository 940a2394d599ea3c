import { type RawBuilder, sql } from 'kysely'

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
