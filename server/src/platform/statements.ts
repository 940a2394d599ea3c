import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from './db.ts'

/**
 * Statements of the simplest kind, for where every payment passes: a query builder makes a tree of each one and walks it,
 * and that takes longer than the database takes for some of them. Rows that go together have the same columns.
 */
export function insertInto<Table extends keyof Tables>(
  table: Table,
  first: Insertable<Tables[Table]>,
  ...others: readonly Insertable<Tables[Table]>[]
): RawBuilder<unknown> {
  const given = Object.keys(first).filter((column) => first[column as keyof typeof first] !== undefined)
  const rows = [first, ...others].map(
    (row) => sql`(${sql.join(given.map((column) => row[column as keyof typeof row]))})`,
  )
  const columns = given.map(quoted).join(', ')
  return sql`${sql.raw(`insert into ${quoted(table)} (${columns}) values `)}${sql.join(rows)}`
}

/** Of the rows that have all these values. */
export function updateTable<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): RawBuilder<unknown> {
  const set = sql.join(pairs(change))
  return sql`${sql.raw(`update ${quoted(table)} set `)}${set} where ${sql.join(pairs(where), AND)}`
}

/** The same for `writeOrFail`: it returns what it has changed. */
export function updateReturning<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): RawBuilder<unknown> {
  return sql`${updateTable(table, change, where)} returning 1`
}

const AND = sql` and `

function pairs(values: object): RawBuilder<unknown>[] {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  return given.map(([column, value]) => sql`${sql.raw(quoted(column))} = ${value}`)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
