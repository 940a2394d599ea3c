import {
  CompiledQuery,
  type Expression,
  type Insertable,
  type QueryResult,
  type RawNode,
  type Selectable,
  type Updateable,
  type ValueNode,
} from 'kysely'
import { type ArrayType, type Column, encodeColumn } from './binary-arrays.ts'
import type { Db, Tables } from './db.ts'

/** The rows that a statement writes, by what they contain or have to contain. */
export type Written = {
  readonly table: string
  readonly rows: readonly object[]
  /** The columns that it changes. Null: the rows are new. */
  readonly changed: readonly string[] | null
}

/**
 * A statement of fixed text with values between its parts, for the path of every payment. A query builder makes a tree of
 * each statement and walks it, which takes longer than the database needs for some of them. Here each text is made once.
 */
export class Statement implements Expression<unknown> {
  /** One more than there are values. The same statement always has the very same list. */
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  /** Undefined: nobody but the database can tell. */
  readonly written: Written | undefined

  constructor(texts: readonly string[], values: readonly unknown[], written?: Written) {
    this.texts = texts
    this.values = values
    this.written = written
  }

  /** The same statement with more text, such as ` returning id`, at its end. */
  followedBy(end: string): Statement {
    const known = ends.get(this.texts) ?? new Map<string, readonly string[]>()
    ends.set(this.texts, known)
    const texts = known.get(end) ?? [...this.texts.slice(0, -1), `${this.texts.at(-1)}${end}`]
    known.set(end, texts)
    return new Statement(texts, this.values, this.written)
  }

  execute(db: Db): Promise<QueryResult<unknown>> {
    const text = whole.get(this.texts) ?? numbered(this.texts, 0)
    whole.set(this.texts, text)
    return executeText(db, text, this.values)
  }

  get expressionType(): undefined {
    return undefined
  }

  toOperationNode(): RawNode {
    const parameters = this.values.map((value): ValueNode => ({ kind: 'ValueNode', value }))
    return { kind: 'RawNode', sqlFragments: this.texts, parameters }
  }
}

const ends = new WeakMap<readonly string[], Map<string, readonly string[]>>()
const whole = new WeakMap<readonly string[], string>()

/** A statement as a template. Only values may stand in it: a table or a column is part of its text. */
export function statement(texts: TemplateStringsArray, ...values: readonly unknown[]): Statement {
  return new Statement(texts, values)
}

/** The text as PostgreSQL reads it. `before` values come before its own. */
export function numbered(texts: readonly string[], before: number): string {
  return texts.map((text, at) => (at === 0 ? text : `$${before + at}${text}`)).join('')
}

export function executeText(db: Db, text: string, values: readonly unknown[]): Promise<QueryResult<unknown>> {
  return db.executeQuery(CompiledQuery.raw(text, values.map(plain)))
}

/** The driver writes a time in the zone of the process, part by part, which takes ten times as long. */
function plain(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

export function insertInto<Table extends keyof Tables>(
  table: Table,
  row: Insertable<Tables[Table]>,
): Statement {
  const given = namesIn(row)
  const texts = kept(`insert ${table}`, given, () => [
    ...given.map((_name, at) => (at === 0 ? `${beginning(table, given)} values (` : ', ')),
    ')',
  ])
  return new Statement(
    texts,
    given.map((name) => row[name as keyof typeof row]),
    { table, rows: [row], changed: null },
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
  const texts = kept(`rows ${table}`, given, () => {
    const columns = given.map(quoted).join(', ')
    const from = `from json_populate_recordset(null::${quoted(table)}, `
    return [`${beginning(table, given)} select ${columns} ${from}`, '::json)']
  })
  return new Statement(texts, [JSON.stringify(rows)], { table, rows, changed: null })
}

/** Rows, column by column: those whose value is the same in all rows, with its type, and those whose values differ. */
type Columns<Table extends keyof Tables> = {
  readonly same: { readonly [Name in keyof Insertable<Tables[Table]>]?: readonly [ArrayType, unknown] }
  readonly each: { readonly [Name in keyof Insertable<Tables[Table]>]?: Column }
}

/**
 * Inserts hundreds of rows in their order, for the price of a few values and one array for each other column. At least one
 * column has a value in every row. The arrays are taken apart beside each other, in the list of what is selected: behind `from`,
 * PostgreSQL would write each of them to a store of its own first.
 */
export function insertColumns<Table extends keyof Tables>(
  table: Table,
  { same, each }: Columns<Table>,
): Statement {
  const alike = Object.entries(same) as [string, readonly [ArrayType, unknown]][]
  const differing = Object.entries(each) as [string, Column][]
  const names = [...alike, ...differing].map(([name]) => name)
  const texts = kept(`columns ${table} ${alike.length}`, names, () => {
    const ends = [...alike.map(([, [type]]) => `::${type}`), ...differing.map(([, [type]]) => `::${type}[])`)]
    const starts = names.map((_name, at) => `${at === 0 ? '' : ', '}${at < alike.length ? '' : 'unnest('}`)
    return [
      `${beginning(table, names)} select ${starts[0] ?? ''}`,
      ...ends.map((end, at) => `${end}${starts[at + 1] ?? ''}`),
    ]
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
  const texts = kept(`update ${table} ${set.length}`, [...set, ...held], () => [
    ...set.map((name, at) => `${at === 0 ? `update ${quoted(table)} set ` : ', '}${quoted(name)} = `),
    ...held.map((name, at) => `${at === 0 ? ' where ' : ' and '}${quoted(name)} = `),
    '',
  ])
  const values = [
    ...set.map((name) => change[name as keyof typeof change]),
    ...held.map((name) => where[name as keyof typeof where]),
  ]
  return new Statement(texts, values, { table, rows: [where], changed: set })
}

/** The same for `writeOrFail`: it returns the changed rows. */
export function updateReturning<Table extends keyof Tables>(
  table: Table,
  change: Updateable<Tables[Table]>,
  where: Partial<Selectable<Tables[Table]>>,
): Statement {
  return updateTable(table, change, where).followedBy(' returning 1')
}

type Shape = { readonly names: readonly string[]; readonly texts: readonly string[] }

/** The texts of statements that were made before, by what they do. There are as many as there are places in the code. */
const made = new Map<string, Shape[]>()

function kept(what: string, names: readonly string[], make: () => readonly string[]): readonly string[] {
  const shapes = made.get(what) ?? []
  const known = shapes.find((shape) => areSame(shape.names, names))
  if (known) return known.texts
  const texts = make()
  made.set(what, [...shapes, { names, texts }])
  return texts
}

/** Names are compared one by one: to join them, and look up the long text, takes several times as long. */
function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name, at) => name === others[at])
}

function namesIn(values: object): string[] {
  return Object.keys(values).filter((name) => values[name as keyof typeof values] !== undefined)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
