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
  return writeMarks(tx, table, key, { found })
}

/** Marks that the row may have already. PostgreSQL writes more to its log for these. */
export function insertMarks(
  tx: Context<Tx>,
  table: ListedTable,
  key: Key,
  found: readonly string[],
): Promise<void> {
  return writeMarks(tx, table, key, { found, end: ' on conflict do nothing' })
}

async function writeMarks(
  tx: Context<Tx>,
  table: ListedTable,
  { merchant_account_id, id }: Key,
  { found, end }: { readonly found: readonly string[]; readonly end?: string },
): Promise<void> {
  for (const [name, marks] of Map.groupBy(found, (mark) => nameOfMarks(table, mark))) {
    const statement = new Statement(textsOf(name).insert, [merchant_account_id, id, marks])
    await write(tx, end === undefined ? statement : statement.followedBy(end))
  }
}

/** The statements for each table of marks. */
const texts = new Map<string, Readonly<Record<'insert' | 'remove' | 'change', readonly string[]>>>()

function textsOf(marks: string) {
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
    change: [
      `update ${marks} set mark = `,
      ' where merchant_account_id = ',
      ' and mark = ',
      ' and id = ',
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
  const { merchant_account_id, id } = key
  const [old, next] = [from.find(isStatus), to.find(isStatus)]
  if (old !== undefined && next !== undefined && old !== next) {
    const { change } = textsOf(nameOfMarks(table, next))
    await write(tx, new Statement(change, [next, merchant_account_id, old, id]))
    before.add(next)
    after.add(old)
  }
  const gone = from.filter((mark) => !after.has(mark))
  const added = to.filter((mark) => !before.has(mark))
  if (gone.length > 0) {
    await write(tx, new Statement(textsOf(nameOfMarks(table)).remove, [merchant_account_id, gone, id]))
  }
  if (added.length > 0) await insertMarks(tx, table, key, added)
}

/** A row has one at any time, so a new one takes the place of the old. */
function isStatus(mark: string): boolean {
  return mark.startsWith('status:')
}

/**
 * The condition that a row has a mark. Not written as `exists`: PostgreSQL would sometimes read all rows with
 * the mark instead of looking it up row by row.
 */
export function hasMark(table: ListedTable, mark: string): RawBuilder<boolean> {
  return sql<boolean>`(
    select true from ${marksOf(table, mark)} as marked
    where marked.merchant_account_id = ${own(table, 'merchant_account_id')} and marked.mark = (select ${mark}::text)
      and marked.id = ${own(table, 'id')}
  ) is true`
}

/** The condition that a row has all of the marks, none of them of a status. Each must be given once. */
export function hasMarks(table: ListedTable, found: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(
    select count(*) from ${marksOf(table)} as marked
    where marked.merchant_account_id = ${own(table, 'merchant_account_id')} and marked.id = ${own(table, 'id')}
      and marked.mark = any((select ${found}::text[])::text[])
  ) = (select ${found.length}::bigint)`
}

/** The table with a mark. */
export function marksOf(table: ListedTable, mark?: string): RawBuilder<unknown> {
  return sql.table(nameOfMarks(table, mark))
}

function nameOfMarks({ name, marks, statuses }: ListedTable, mark = ''): string {
  if (statuses !== undefined && isStatus(mark)) return statuses
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
