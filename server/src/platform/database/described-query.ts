import pg from 'pg'

/** What the rows of a prepared statement look like: pg's fields, how each is read, and an empty row. */
type Answer = Pick<Result, 'fields' | '_parsers' | '_prebuiltEmptyResultObject'>

/** What a connection knows of its prepared statements, by their names. */
export type Answers = Map<string, Answer>

type Done = (error: Error | undefined, result: unknown) => void
type Statement = { readonly name: string; readonly text: string; readonly values: readonly unknown[] }

/** pg's internals, which its types do not show. */
type Connection = {
  describe: (portal: unknown) => void
  close: (statement: { readonly type: 'S'; readonly name: string }) => void
  sync: () => void
}
type Result = {
  readonly fields: readonly unknown[]
  readonly _parsers: readonly unknown[] | undefined
  readonly _prebuiltEmptyResultObject: object | null
}
type Inner = {
  name: string
  readonly _result: Result
  _accumulateRows: boolean
  requiresPreparation(): boolean
  prepare(connection: Connection): void
  handleCommandComplete(message: unknown, connection: Connection): void
}
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  done: Done,
) => Inner & pg.Submittable

/**
 * Runs a prepared statement. The server describes its rows the first time, and not again: they never change, because the
 * server refuses to run a prepared statement whose rows would be others. To describe a wide row, and to read that, takes longer
 * than to find it.
 */
export class DescribedQuery extends Query {
  readonly #answers: Answers

  constructor({ name, text, values }: Statement, answers: Answers, done: Done) {
    // Not passed as settings, which would be copied property by property for each statement.
    super(text, values, done)
    this.name = name
    this.#answers = answers
  }

  override prepare(connection: Connection): void {
    const answer = this.#answers.get(this.name)
    if (!answer) {
      super.prepare(connection)
      return
    }
    Object.assign(this._result, answer)
    this._accumulateRows = true
    const { describe } = connection
    connection.describe = () => {}
    try {
      super.prepare(connection)
    } finally {
      connection.describe = describe
    }
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection)
    if (this.#answers.has(this.name)) return
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#answers.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

/**
 * Drops a prepared statement. It is a message, and not the command `deallocate`, so that a pooler understands it. It is no error
 * if the server does not know the statement, nor in a transaction that has failed.
 */
export class CloseStatement extends Query {
  readonly #statement: string

  constructor(statement: string) {
    super('close', [], () => {})
    this.#statement = statement
  }

  override requiresPreparation(): boolean {
    return true
  }

  override prepare(connection: Connection): void {
    connection.close({ type: 'S', name: this.#statement })
    connection.sync()
  }
}
