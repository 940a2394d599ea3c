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

const TEXT_ARRAY_OID: number = 1009

/** How columns are read. Text arrays have their own parser, because each payment reads 400 words of them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format === 'binary') return pg.types.getTypeParser(oid, format)
    if (oid === TIME_OID) return readTime
    return oid === TEXT_ARRAY_OID ? readWords : pg.types.getTypeParser(oid, format)
  },
}

const readArray = pg.types.getTypeParser(TEXT_ARRAY_OID, 'text')
/** Long arrays are lists of countries and currencies, the same for most rows. They are read once. */
const LONG = 200
const KEPT_MAX = 200
const longArrays = new Map<string, readonly string[]>()

function readWords(text: string): readonly string[] {
  if (text.length < LONG) return splitWords(text)
  const known = longArrays.get(text)
  if (known) return known
  // Frozen, because many rows share it.
  const words = Object.freeze(splitWords(text))
  if (longArrays.size >= KEPT_MAX) longArrays.clear()
  longArrays.set(text, words)
  return words
}

/** The driver reads arrays with quoted words and nulls. */
function splitWords(text: string): string[] {
  const isPlain = text !== '{}' && !text.includes('"') && !text.includes('NULL') && !text.includes('{', 1)
  return isPlain ? text.slice(1, -1).split(',') : readArray(text)
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

type PreparedQuery = pg.Submittable & {
  requiresPreparation(): boolean
  prepare(connection: Inner['connection']): void
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

export const TIME_OID = 1184
const readAny = pg.types.getTypeParser(TIME_OID, 'text')

/** The only form of a time from year 1000 to 9999 in UTC, with no fraction or one of up to six digits. */
const LENGTH_MIN = '2026-01-31 10:20:30+00'.length
const [ZERO, SPACE] = [48, 32]

/**
 * Reads `2026-01-31 10:20:30.123456+00`. A list reads a hundred times, and the driver's reader, which knows all forms, takes
 * more than twice as long. It reads all others: other zones, years before Christ and `infinity`.
 */
export function readTime(text: string): Date {
  const isUsual =
    text.length >= LENGTH_MIN &&
    text.charCodeAt(10) === SPACE &&
    text.charCodeAt(0) !== ZERO &&
    text.endsWith('+00')
  if (!isUsual) return readAny(text)
  const year = two(text, 0) * 100 + two(text, 2)
  const [hours, minutes, seconds] = [two(text, 11), two(text, 14), two(text, 17)]
  return new Date(Date.UTC(year, two(text, 5) - 1, two(text, 8), hours, minutes, seconds, milliseconds(text)))
}

function two(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO
}

/** The first three digits behind the point. The database leaves zeros at the end out. */
function milliseconds(text: string): number {
  const end = text.length - 3
  let sum = 0
  for (let at = 20, unit = 100; at < end && unit >= 1; at += 1, unit /= 10) {
    sum += (text.charCodeAt(at) - ZERO) * unit
  }
  return sum
}
