import { CompiledQuery, type Expression, type QueryResult, type RawNode, type ValueNode } from 'kysely'
import type { Db } from './db.ts'

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
