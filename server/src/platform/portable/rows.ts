import { type RawBuilder, sql } from 'kysely'
import type { Context, Tx } from '../database/db.ts'
import { BrokenFile, type TableBegins } from './format.ts'
import type { Column, Table } from './tables.ts'

/** A table of a file, with its columns in the order of the file. */
export function tableIn(tables: readonly Table[], { table, columns }: TableBegins): Table {
  const own = tables.find(({ name }) => name === table)
  const found = columns.map((column) => own?.columns.find(({ name }) => name === column))
  const known = found.filter((column): column is Column => column !== undefined)
  if (!own || known.length !== found.length)
    throw new BrokenFile(`The file has a table or a column that this version does not know: ${table}.`)
  return { name: table, columns: known }
}

/** A row as a line of a file: its columns as PostgreSQL writes them as text. */
export function lineOf({ columns }: Table): string {
  return `to_json(array[${columns.map(({ name }) => `${name}::text`).join(', ')}])::text`
}

/** The beginning of a statement that writes rows of lines, which it calls `line`. */
export function insertingInto({ name, columns }: Table): string {
  const values = columns.map(({ type }, index) => `(line ->> ${index})::${type}`)
  const names = columns.map((column) => column.name)
  return `insert into ${name} (${names.join(', ')}) overriding system value select ${values.join(', ')}`
}

/** So that a value is the same text whatever the server is set to. */
export const PLAIN_TEXT =
  "set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres'; set local bytea_output = 'hex'; set local extra_float_digits = 1"

/** Rows of a table that are read, or removed, together. `where` calls the table `own`. */
export type Share = { readonly table: Table; readonly where: RawBuilder<unknown> }

/** The rows as lines, in the order of their text. */
export async function readLines({ db }: Context<Tx>, { table, where }: Share): Promise<string[]> {
  const line = sql.raw(lineOf(table))
  const { rows } = await sql<{ line: string }>`
    select line from (select ${line} as line from ${sql.raw(table.name)} as own where ${where}) as found
    order by line collate "C"
  `.execute(db)
  return rows.map((row) => row.line)
}

/** Removes the rows, and returns them as `readLines` would have. */
export async function removeLines({ db }: Context<Tx>, { table, where }: Share): Promise<string[]> {
  const line = sql.raw(lineOf(table))
  const { rows } = await sql<{ line: string }>`
    with removed as (delete from ${sql.raw(table.name)} as own where ${where} returning ${line} as line)
    select line from removed order by line collate "C"
  `.execute(db)
  return rows.map((row) => row.line)
}

/** Writes rows back. */
export async function insertLines(
  { db }: Context<Tx>,
  table: Table,
  lines: readonly string[],
): Promise<void> {
  const given = `[${lines.join(',')}]`
  await sql`${sql.raw(insertingInto(table))} from json_array_elements(${given}::json) as line`.execute(db)
}

export async function writePlainText({ db }: Context<Tx>): Promise<void> {
  for (const setting of PLAIN_TEXT.split('; ')) await sql.raw(setting).execute(db)
}
