import {
  type Expression,
  type Insertable,
  type QueryResult,
  type RawNode,
  type Selectable,
  sql,
  type Updateable,
  type ValueNode,
} from 'kysely'
import { type ArrayType, type Column, encodeColumn } from './binary-arrays.ts'
import type { Db, Tables } from './db.ts'

/**
 * Plain statements for the path of every payment. A query builder makes a tree of each one and walks it,
 * which takes longer than the database needs for some of them.
 */
export function insertInto<Table extends keyof Tables>(
  table: Table,
  row: Insertable<Tables[Table]>,
): Statement {
  const given = namesIn(row)
  const texts = kept(`insert ${table} ${given}`, () => [
    ...given.map((_name, at) => (at === 0 ? `${beginning(table, given)} values (` : ', ')),
    ')',
  ])
  return new Statement(
    texts,
    given.map((name) => row[name as keyof typeof row]),
  )
}

/**
 * Inserts rows in their order. All have the same columns. Several rows are one value of the statement, so that its text
 * is the same for any number of them: each text is prepared and kept on every connection. Values of `json` columns are
 * objects, not texts; columns of bytes are not supported.
 */
export function insertRows<Table extends keyof Tables>(
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Statement {
  const [first, ...others] = rows
  if (!first) throw new Error(`there is no row to insert into ${table}`)
  if (others.length === 0) return insertInto(table, first)
  const given = namesIn(first)
  const columns = given.map(quoted).join(', ')
  return new Statement(
    [
      `${beginning(table, given)} select ${columns} from json_populate_recordset(null::${quoted(table)}, `,
      '::json)',
    ],
    [JSON.stringify(rows)],
  )
}

/** Rows, column by column: those whose value is the same in all rows, with its type, and those whose values differ. */
type Columns<Table extends keyof Tables> = {
  readonly same: { readonly [Name in keyof Insertable<Tables[Table]>]?: readonly [ArrayType, unknown] }
  readonly each: { readonly [Name in keyof Insertable<Tables[Table]>]?: Column }
}

const FROM = 'each.* from unnest('

/**
 * Inserts hundreds of rows in their order, for the price of a few values and one array for each other column. At least one
 * column has a value in every row.
 */
export function insertColumns<Table extends keyof Tables>(
  table: Table,
  { same, each }: Columns<Table>,
): Statement {
  const alike = Object.entries(same) as [string, readonly [ArrayType, unknown]][]
  const differing = Object.entries(each) as [string, Column][]
  const names = [...alike, ...differing].map(([name]) => name)
  const texts = kept(`columns ${table} ${alike.length} ${names}`, () => {
    const values = [
      ...alike.map(([, [type]], at) => `::${type}, ${at + 1 < alike.length ? '' : FROM}`),
      ...differing.map(([, [type]], at) => `::${type}[]${at + 1 < differing.length ? ', ' : ') as each'}`),
    ]
    return [`${beginning(table, names)} select ${alike.length === 0 ? FROM : ''}`, ...values]
  })
  return new Statement(texts, [
    ...alike.map(([, [, value]]) => value),
    ...differing.map(([, column]) => encodeColumn(column)),
  ])
}

function beginning(table: string, columns: readonly string[]): string {
  return `insert into ${quoted(table)} (${columns.map(quoted).join(', ')})`
}

/**
 * Updates the rows that have all these values. A missing value is an error: it would update more rows than
 * meant.
 */
export function updateTable<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): Statement {
  const [set, held] = [namesIn(change), namesIn(where)]
  if (held.length === 0 || held.length < Object.keys(where).length) {
    throw new Error(`an update of ${table} does not say which rows`)
  }
  const texts = kept(`update ${table} ${set} where ${held}`, () => [
    ...set.map((name, at) => `${at === 0 ? `update ${quoted(table)} set ` : ', '}${quoted(name)} = `),
    ...held.map((name, at) => `${at === 0 ? ' where ' : ' and '}${quoted(name)} = `),
    '',
  ])
  const values = [
    ...set.map((name) => change[name as keyof typeof change]),
    ...held.map((name) => where[name as keyof typeof where]),
  ]
  return new Statement(texts, values)
}

/** The same for `writeOrFail`: it returns the changed rows. */
export function updateReturning<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): Expression<unknown> {
  return sql`${updateTable(table, change, where)} returning 1`
}

/** A text with values between its parts, for the query compiler. */
class Statement implements Expression<unknown> {
  readonly #texts: readonly string[]
  readonly #values: readonly unknown[]

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.#texts = texts
    this.#values = values
  }

  get expressionType(): undefined {
    return undefined
  }

  toOperationNode(): RawNode {
    const parameters = this.#values.map((value): ValueNode => ({ kind: 'ValueNode', value }))
    return { kind: 'RawNode', sqlFragments: this.#texts, parameters }
  }

  execute(db: Db): Promise<QueryResult<unknown>> {
    return sql`${this}`.execute(db)
  }
}

/** The texts of statements that were made before. There are as many as there are places in the code. */
const madeTexts = new Map<string, readonly string[]>()

function kept(shape: string, make: () => readonly string[]): readonly string[] {
  const known = madeTexts.get(shape) ?? make()
  madeTexts.set(shape, known)
  return known
}

function namesIn(values: object): string[] {
  return Object.keys(values).filter((name) => values[name as keyof typeof values] !== undefined)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
