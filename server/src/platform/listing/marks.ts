import { hash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { write } from '../database/brief-transaction.ts'
import type { Context, Tx } from '../database/db.ts'
import { Statement } from '../database/statements.ts'
import type { ListedTable } from './table.ts'

type Key = { readonly merchant_account_id: string; readonly id: string }

/** Longer values would not fit into an index; their hash does. */
const TEXT_MAX = 100

export function markOf(kind: string, value = ''): string {
  return `${kind}:${value.length > TEXT_MAX ? hash('sha256', value, 'base64url') : value}`
}

/** The first marks of a new row, each given once. */
export function insertFirstMarks(
  tx: Context<Tx>,
  table: ListedTable,
  key: Key,
  found: readonly string[],
): Promise<void> {
  return write(tx, newMarks(table, key, found))
}

/** Marks that the row may have already. PostgreSQL writes more to its log for these. */
export function insertMarks(
  tx: Context<Tx>,
  table: ListedTable,
  key: Key,
  found: readonly string[],
): Promise<void> {
  return write(tx, newMarks(table, key, found).followedBy(' on conflict do nothing'))
}

function newMarks(table: ListedTable, { merchant_account_id, id }: Key, found: readonly string[]) {
  return new Statement(textsOf(table).insert, [merchant_account_id, id, found])
}

/** The statements for each table of marks. */
const texts = new Map<string, Readonly<Record<'insert' | 'remove', readonly string[]>>>()

function textsOf(table: ListedTable) {
  const marks = nameOfMarks(table)
  const known = texts.get(marks) ?? {
    insert: [
      `insert into ${marks} (merchant_account_id, mark, id) select `,
      '::text, mark, ',
      '::uuid from unnest(',
      '::text[]) as mark',
    ],
    remove: [
      `delete from ${marks} where merchant_account_id = `,
      ' and mark = any(',
      '::text[]) and id = ',
      '',
    ],
  }
  texts.set(marks, known)
  return known
}

export async function replaceMarks(
  tx: Context<Tx>,
  table: ListedTable,
  key: Key,
  { from, to }: { readonly from: readonly string[]; readonly to: readonly string[] },
): Promise<void> {
  // Sets, because a row can have thousands of marks, and the process serves no other request while it
  // compares them.
  const [before, after] = [new Set(from), new Set(to)]
  const gone = from.filter((mark) => !after.has(mark))
  const added = to.filter((mark) => !before.has(mark))
  if (gone.length > 0) {
    await write(tx, new Statement(textsOf(table).remove, [key.merchant_account_id, gone, key.id]))
  }
  if (added.length > 0) await insertMarks(tx, table, key, added)
}

/**
 * The condition that a row has a mark. Not written as `exists`: PostgreSQL would sometimes read all rows with
 * the mark instead of looking it up row by row.
 */
export function hasMark(table: ListedTable, mark: string): RawBuilder<boolean> {
  return sql<boolean>`(
    select true from ${marksOf(table)} as marked
    where marked.merchant_account_id = ${own(table, 'merchant_account_id')} and marked.mark = (select ${mark}::text)
      and marked.id = ${own(table, 'id')}
  ) is true`
}

/** The condition that a row has all of the marks. Each must be given once. */
export function hasMarks(table: ListedTable, found: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(
    select count(*) from ${marksOf(table)} as marked
    where marked.merchant_account_id = ${own(table, 'merchant_account_id')} and marked.id = ${own(table, 'id')}
      and marked.mark = any((select ${found}::text[])::text[])
  ) = (select ${found.length}::bigint)`
}

export function marksOf(table: ListedTable): RawBuilder<unknown> {
  return sql.table(nameOfMarks(table))
}

function nameOfMarks({ name, marks }: ListedTable): string {
  if (marks === undefined) throw new Error(`${name} has no table of marks`)
  return marks
}

function own({ name }: ListedTable, column: string): RawBuilder<unknown> {
  return sql.ref(`${name}.${column}`)
}

export const MINUTE_MS = 60_000

/** The beginning of the minute of a time. */
export function minuteOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % MINUTE_MS))
}

/** Whether a table of updates has to learn of an update. It knows the minute: most payments are decided in the one in which they begin. */
export function isOtherMinute(before: Date, after: Date): boolean {
  return minuteOf(before).getTime() !== minuteOf(after).getTime()
}
