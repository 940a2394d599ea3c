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
import type { Db, Tables } from './db.ts'

/**
 * Plain statements for the path of every payment. A query builder makes a tree of each one and walks it,
 * which takes longer than the database needs for some of them. Rows of one call have the same columns.
 */
export function insertInto<Table extends keyof Tables>(
  table: Table,
  first: Insertable<Tables[Table]>,
  ...others: readonly Insertable<Tables[Table]>[]
): Statement {
  const given = namesIn(first)
  const texts = [`insert into ${quoted(table)} (${given.map(quoted).join(', ')}) values (`]
  const values: unknown[] = []
  for (const row of [first, ...others]) {
    if (values.length > 0) texts[texts.length - 1] = '), ('
    for (const name of given) {
      values.push(row[name as keyof typeof row])
      texts.push(', ')
    }
    texts[texts.length - 1] = ')'
  }
  return new Statement(texts, values)
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
  const texts = [
    ...set.map((name, at) => `${at === 0 ? `update ${quoted(table)} set ` : ', '}${quoted(name)} = `),
  ]
  texts.push(...held.map((name, at) => `${at === 0 ? ' where ' : ' and '}${quoted(name)} = `), '')
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

function namesIn(values: object): string[] {
  return Object.keys(values).filter((name) => values[name as keyof typeof values] !== undefined)
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
