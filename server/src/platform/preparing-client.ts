import { type Answers, DescribedQuery } from './described-query.ts'
import { FailoverClient } from './failover-client.ts'
import { currentSpan, type Span } from './trace.ts'

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
  readonly #answers: Answers = new Map()
  #named = 0

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
    const [text, values, callback] = args
    if (typeof text !== 'string' || !Array.isArray(values) || !PREPARABLE.test(text)) {
      return super.query(...(args as [string]))
    }
    const name = this.#nameOf(text)
    const send = (whenDone: (error: Error | undefined, result: unknown) => void) => {
      const query = new DescribedQuery({ name, text, values }, this.#answers, (error, result) => {
        if (error) this.dropIfReadOnly(error)
        whenDone(error, result)
      })
      return super.query(query)
    }
    if (callback) return send(callback)
    return new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    this.#named += known === undefined ? 1 : 0
    const name = known ?? `s${this.#named}`
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
    this.#answers.delete(name)
    const { parsedStatements } = (this as unknown as Inner).connection
    // The server does not know a statement that it could not parse. Dropping it would be an error, and end a
    // transaction.
    if (parsedStatements[name] === undefined) return
    delete parsedStatements[name]
    // Sent before the statement that replaces it. In a failed transaction it stays, under a name that is not
    // used again.
    super.query(`deallocate ${name}`).catch(() => {})
  }
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
