import { hash } from 'node:crypto'
import pg from 'pg'
import { currentSpan, type Span } from '../observability/trace.ts'
import { CHANGED, DISK_FULL, EXISTS, errorCode, isStalePlan } from './database-errors.ts'
import { FailoverClient } from './failover-client.ts'

/** How many prepared statements a connection keeps. Each takes 20 to 100 kB on the server. */
export const PREPARED_MAX = 300
const PREPARABLE = /^\s*(select|with|insert|update|delete)\b/i

/**
 * Prepares statements once for each connection, because planning a list query costs more than running it. The
 * least recently used ones are dropped, so that unusual filters neither fill the server's memory nor keep
 * other statements from being prepared.
 */
export class PreparingClient extends FailoverClient {
  /** The name of each text, the least recently used first. */
  readonly #names = new Map<string, string>()

  // biome-ignore lint/suspicious/noExplicitAny: pg's own signature is a set of overloads
  override query(...args: any[]): any {
    const above = currentSpan()
    // A query that is an object of its own answers by its own events.
    if (above === undefined || typeof args[0] !== 'string') return this.#prepare(args)
    const span = above.below({ name: summaryOf(args[0]), kind: 'client', attributes: DATABASE })
    const last = args.at(-1)
    if (typeof last !== 'function') return ended(span, this.#prepare(args))
    return this.#prepare([
      ...args.slice(0, -1),
      (error: unknown, result: unknown) => {
        endWith(span, error)
        last(error, result)
      },
    ])
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above
  #prepare(args: any[]): any {
    const [given, values, callback] = args
    if (typeof given !== 'string' || !Array.isArray(values) || !PREPARABLE.test(given)) {
      return super.query(...(args as [string]))
    }
    const text = currentText(given)
    const name = this.#nameOf(text)
    const send = (whenDone: (error: Error | undefined, result: unknown) => void) => {
      const done = (error: Error | undefined, result: unknown) => {
        if (error) this.dropIfReadOnly(error)
        if (errorCode(error) === DISK_FULL) this.emit(DISK_FULL)
        whenDone(error, result)
      }
      void super.query({ name, text, values }, (error: Error | undefined, result: unknown) => {
        if (!error || !isStalePlan(error)) return done(error, result)
        this.#forget(name, text, error)
        if (errorCode(error) === CHANGED) changeText(given, text)
        // In a transaction nothing can be sent again: it has failed, and is repeated as a whole.
        if (this.getTransactionStatus() !== 'I') return done(error, result)
        void super.query(given, values, done)
      })
    }
    if (callback) return send(callback)
    return new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? nameFor(text)
    this.#names.delete(text)
    this.#names.set(text, name)
    if (this.#names.size > PREPARED_MAX) this.#dropOldest()
    return name
  }

  #dropOldest(): void {
    const [oldest] = this.#names
    if (oldest === undefined) return
    const [text, name] = oldest
    this.#names.delete(text)
    delete (this as unknown as Inner).connection.parsedStatements[name]
    // Sent before the statement that replaces it.
    super.query(new CloseStatement(name))
  }

  /** The server, or a pooler before it, does not have the statement as we believed. */
  #forget(name: string, text: string, error: unknown): void {
    const { parsedStatements } = (this as unknown as Inner).connection
    // One that exists already has this text: the name says so.
    if (errorCode(error) === EXISTS) parsedStatements[name] = text
    else delete parsedStatements[name]
  }
}

/**
 * The name of a statement is a digest of its text. A pooler can hand us a connection on which another process has prepared
 * statements: no name may mean two texts there.
 */
function nameFor(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 32)
}

/** How often the rows of a statement have changed under this process, for those few where they have. */
const changes = new Map<string, number>()

/**
 * A statement whose rows have changed is another one from then on, on all connections at once: each of them, and a pooler, may
 * still have it as it was.
 */
function currentText(text: string): string {
  const count = changes.size === 0 ? undefined : changes.get(text)
  return count === undefined ? text : `${text} -- ${count}`
}

function changeText(given: string, sent: string): void {
  // Several connections may learn of one change.
  if (currentText(given) === sent) changes.set(given, (changes.get(given) ?? 0) + 1)
}

/** pg's internals: the texts that the server has parsed, by name. */
type Inner = { readonly connection: { readonly parsedStatements: Record<string, string> } }

const DATABASE = { 'db.system.name': 'postgresql' }

/** What a statement does to which table first. The statement itself may hold a value. */
function summaryOf(statement: string): string {
  const [, verb = 'statement'] = /^\s*([a-z]+)/i.exec(statement) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]{1,63})\b/i.exec(statement.slice(0, 2_000)) ?? []
  return table ? `${verb.toLowerCase()} ${table}` : verb.toLowerCase()
}

async function ended(span: Span, answer: Promise<unknown>): Promise<unknown> {
  try {
    const result = await answer
    endWith(span, undefined)
    return result
  } catch (error) {
    endWith(span, error)
    throw error
  }
}

function endWith(span: Span, error: unknown): void {
  if (error) span.fail()
  span.end()
}

/** pg's internals, which its types do not show. */
type Connection = {
  close: (statement: { readonly type: 'S'; readonly name: string }) => void
  sync: () => void
}
type PreparedQuery = pg.Submittable & {
  requiresPreparation(): boolean
  prepare(connection: Connection): void
}
const Query = pg.Query as unknown as new (
  text: string,
  values: readonly unknown[],
  done: () => void,
) => PreparedQuery

/**
 * Drops a prepared statement. It is a message, and not the command `deallocate`, so that a pooler understands it. It is no error
 * if the server does not know the statement, nor in a transaction that has failed.
 */
class CloseStatement extends Query {
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
