import { hash } from 'node:crypto'
import type { Socket } from 'node:net'
import {
  type BinaryOperationNode,
  Kysely,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
} from 'kysely'
import pg from 'pg'
import { currentSpan, type Span } from '../observability/trace.ts'
import { CHANGED, DISK_FULL, EXISTS, errorCode, isStalePlan } from './database-errors.ts'
import type { Db, Tables } from './db.ts'
import { FailoverClient, type Hosts, isAlive, PROBE_MS } from './failover-client.ts'
import { type Column, type RowReader, readerFor, TYPES } from './read-rows.ts'
import { knowPool } from './statements.ts'

export type Database = {
  readonly db: Db
  readonly pool: pg.Pool
  readonly disk: Disk
  readonly close: () => Promise<void>
}

/** What writes tell of the disk of the database. Whoever finds room on it again says so here. */
export type Disk = { isFull: boolean }

/** With `hosts`, the database has several addresses. */
export type Connection = pg.PoolConfig & { readonly hosts?: Hosts }

export function openDatabase(
  connection: Connection,
  options: {
    readonly poolSize: number
    readonly onError: (error: Error) => void
    readonly silentMs?: number
    readonly suspectMs?: number
    /** Whether a standby will do, because nothing is written. */
    readonly mayBeReadOnly?: boolean
    readonly statementTimeoutMs?: number
    /** Part of the name under which the database knows the connections. */
    readonly purpose?: string
    /** Settings of each session. */
    readonly settings?: Readonly<Record<string, string>>
  },
): Database {
  const pool = new pg.Pool({
    ...connection,
    ...(options.mayBeReadOnly && { mayBeReadOnly: true }),
    Client: PreparingClient,
    // An idle connection whose server has vanished is noticed by the system.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    types: TYPES,
    max: options.poolSize,
    application_name: ['switchyard', options.purpose, process.pid].filter(Boolean).join(' '),
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeoutMs ?? 15_000,
    ...(options.settings && { options: optionsOf(options.settings) }),
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  // Without a listener, a database restart would end the process through an idle connection.
  pool.on('error', options.onError)
  const disk: Disk = { isFull: false }
  pool.on('connect', (client) => {
    ;(client as pg.PoolClient & NodeJS.EventEmitter).on(DISK_FULL, () => {
      disk.isFull = true
    })
    const inner = client as unknown as Inner
    const silentMs = options.silentMs ?? SILENT_MS
    giveUpWhenSilent(inner, {
      silentMs,
      // Without another server to turn to, a slow one is better than none.
      suspectMs: options.suspectMs ?? (connection.hosts ? SUSPECT_MS : silentMs),
      isAlive: () => lives(inner),
    })
  })
  const lives = askOnce(connection)
  const db = new Kysely<Tables>({ dialect: new ListDialect({ pool }) })
  knowPool(db, pool)
  const close = async () => {
    await db.destroy()
    // Kysely ends only a pool that it has used.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, disk, close }
}

/** A handle on one connection, for example within its transaction. */
export function handleOn(client: pg.Client): Db {
  const connection = { query: client.query.bind(client), release: () => {} }
  const pool = { connect: async () => connection, end: async () => {} }
  return new Kysely<Tables>({ dialect: new ListDialect({ pool: pool as unknown as pg.Pool }) })
}

function optionsOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

/** No statement runs longer than 15 seconds. */
const SILENT_MS = 20_000
/** A statement of a payment takes milliseconds. After this time and that of a probe, five seconds, we know. */
const SUSPECT_MS = 5_000 - PROBE_MS

/** The driver's internals, which its types do not show. */
type Inner = {
  readonly connection: {
    readonly stream: Socket
    /** The texts that the server has parsed, by name. */
    readonly parsedStatements: Record<string, string>
    readonly close: (statement: { readonly type: 'S'; readonly name: string }) => void
    readonly sync: () => void
  }
  readonly readyForQuery: boolean
  readonly host: string
  readonly port: number
}

/**
 * Ends a connection whose server has vanished silently, for example by a power failure. Otherwise it would
 * wait forever. A server that does not answer a new connection either has vanished; one that does may have a long
 * statement to run.
 */
function giveUpWhenSilent(client: Inner, limits: Limits): void {
  const { stream } = client.connection
  let suspicions = 0
  stream.setTimeout(limits.suspectMs)
  stream.on('data', () => {
    suspicions = 0
  })
  stream.on('timeout', async () => {
    stream.setTimeout(limits.suspectMs)
    // An idle connection is kept: it may hold a lock, for example while a payment archive is written.
    if (client.readyForQuery) return
    suspicions += 1
    const isLost = suspicions * limits.suspectMs >= limits.silentMs || !(await limits.isAlive())
    // It may have answered meanwhile.
    if (!isLost || client.readyForQuery || suspicions === 0) return
    stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
  })
}

type Limits = {
  readonly silentMs: number
  readonly suspectMs: number
  readonly isAlive: () => Promise<boolean>
}

/** Asks a server whether it lives, for all its connections at once. */
function askOnce(connection: Connection): (client: Inner) => Promise<boolean> {
  const { hosts: _, ...login } = connection
  const asked = new Map<string, Promise<boolean>>()
  return ({ host, port }) => {
    const name = `${host}:${port}`
    const answer = asked.get(name) ?? isAlive(login, { host, port }).finally(() => asked.delete(name))
    asked.set(name, answer)
    return answer
  }
}

/** How many prepared statements a connection keeps. Each takes 20 to 100 kB on the server. */
export const PREPARED_MAX = 300
const PREPARABLE = /^\s*(select|with|insert|update|delete)\b/i

/**
 * Prepares statements once for each connection, because planning a list query costs more than running it. The
 * least recently used ones are dropped, so that unusual filters neither fill the server's memory nor keep
 * other statements from being prepared.
 */
export class PreparingClient extends FailoverClient {
  /** What is known of each text, the least recently used first. */
  readonly #known = new Map<string, Known>()

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
    const known = this.#knownOf(text)
    const send = (whenDone: Done) => {
      const done = (error: Error | null | undefined, result: unknown) => {
        if (error) this.dropIfReadOnly(error)
        if (errorCode(error) === DISK_FULL) this.emit(DISK_FULL)
        whenDone(error, result)
      }
      const whenAnswered = (error: Error | null | undefined, result: unknown) => {
        if (!error || !isStalePlan(error)) return done(error, result)
        this.#forget(known.name, text, error)
        if (errorCode(error) === CHANGED) changeText(given, text)
        // In a transaction nothing can be sent again: it has failed, and is repeated as a whole.
        if (this.getTransactionStatus() !== 'I') return done(error, result)
        void super.query(given, values, done)
      }
      super.query(new NamedQuery(known, text, values, whenAnswered))
    }
    if (callback) return send(callback)
    return new Promise((resolve, reject) => {
      send((error, result) => (error ? reject(error) : resolve(result)))
    })
  }

  #knownOf(text: string): Known {
    const known = this.#known.get(text) ?? { name: nameFor(text), reader: undefined }
    this.#known.delete(text)
    this.#known.set(text, known)
    if (this.#known.size > PREPARED_MAX) this.#dropOldest()
    return known
  }

  #dropOldest(): void {
    const [oldest] = this.#known
    if (oldest === undefined) return
    const [text, { name }] = oldest
    this.#known.delete(text)
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

type Done = (error: Error | null | undefined, result: unknown) => void
type Columns = { readonly fields: readonly Column[] }
type Values = { readonly fields: readonly (string | null)[] }

/** What the driver calls while it runs a query. Its own cursors are such queries, too. */
type DriverQuery = pg.Submittable & {
  name: string | undefined
  requiresPreparation(): boolean
  prepare(connection: Inner['connection']): void
  handleRowDescription(columns: Columns): void
  handleDataRow(values: Values): void
}
const Query = pg.Query as unknown as new (text: string, values: readonly unknown[], done: Done) => DriverQuery

/** What is known of a prepared statement: its name, and what has read its rows. */
type Known = { readonly name: string; reader: RowReader | undefined }

/** Runs a prepared statement, and reads its rows by a function that is made for their columns. */
class NamedQuery extends Query {
  readonly #known: Known
  readonly #rows: object[] = []
  #reader: RowReader | undefined
  #unreadable: unknown

  constructor(known: Known, text: string, values: readonly unknown[], done: Done) {
    super(text, values, (error, result) => {
      const failure = (error ?? this.#unreadable) as Error | undefined
      done(failure, failure ? undefined : Object.assign(result as pg.QueryResult, { rows: this.#rows }))
    })
    this.name = known.name
    this.#known = known
  }

  override handleRowDescription({ fields }: Columns): void {
    this.#reader = this.#known.reader = readerFor(fields, this.#known.reader)
  }

  override handleDataRow({ fields }: Values): void {
    try {
      if (this.#reader) this.#rows.push(this.#reader.read(fields))
    } catch (error) {
      this.#unreadable ??= error
    }
  }
}

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

  override prepare(connection: Inner['connection']): void {
    connection.close({ type: 'S', name: this.#statement })
    connection.sync()
  }
}

/**
 * PostgreSQL, with lists as one value. `in ($1, $2, $3)` would be another statement for each length of a
 * list, prepared and kept on every connection. `= any($1)` is the same text for all lengths.
 */
class ListDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new ListCompiler()
  }
}

const OPERATORS: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  in: { one: '=', many: '= any' },
  'not in': { one: '<>', many: '<> all' },
}

class ListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const words = OperatorNode.is(operator) ? OPERATORS[operator.operator] : undefined
    if (!words || !PrimitiveValueListNode.is(rightOperand)) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    const { values } = rightOperand
    // The planner treats a list of one value as an equality, which keeps the order of an index, only if it is
    // written as one.
    this.append(values.length === 1 ? ` ${words.one} ` : ` ${words.many}(`)
    this.appendValue(values.length === 1 ? values[0] : values)
    if (values.length !== 1) this.append(')')
  }
}
