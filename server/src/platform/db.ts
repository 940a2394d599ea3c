import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type ControlledTransaction,
  type Expression,
  Kysely,
  type OperationNodeSource,
  PostgresDialect,
  sql,
  Transaction,
} from 'kysely'
import pg from 'pg'
import type { Caller } from './auth.ts'
import type { Clock } from './clock.ts'
import { ListDialect } from './list-dialect.ts'
import { PreparingClient } from './preparing-client.ts'

/** Grows by declaration merging: each store declares the tables it owns. */
export interface Tables {
  schema_migrations: { version: string; checksum: string; applied_at: Date }
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** What every store function takes first: where to write, who asks, and what time it is. */
export type Context<Handle extends Db = Db> = {
  readonly db: Handle
  readonly clock: Clock
  readonly actor: Actor
  readonly requestId: string | null
  /** Stores the answer with the work that produced it, for a replay of the same idempotency key. */
  readonly remember?: (tx: Tx, answer: unknown) => Promise<void>
  /** Notes with a first commit what was begun, so that a repeated request goes on with it after a crash. */
  readonly begin?: (tx: Tx, begun: string) => Promise<void>
  /** What a former process had begun for this very request. */
  readonly begun?: string | null
  /** Writes that wait to be sent together at the end of the transaction. */
  readonly waiting?: readonly Write[]
}

/** A statement that writes and whose result nobody needs. */
export type Write = Expression<unknown> | OperationNodeSource

/** A context narrowed to one merchant account. Types cannot see a `where` that ignores it; tests do. */
export type Scope<Handle extends Db = Db> = Context<Handle> & { readonly merchantAccountId: string }

/** Where something happens: in one merchant account or, if null, in the whole installation. */
export type Place<Handle extends Db = Db> = Context<Handle> & { readonly merchantAccountId: string | null }

/** Who changes something: an API key, or a person at the command line. */
type Actor = Pick<Caller, 'id' | 'name' | 'thumbprint'> | { readonly id: null; readonly name: string }

const TRIES_MAX = 3
const RETRIABLE = new Set(['40001', '40P01'])

/** Work is repeated when the database asks for it, so it must do nothing but talk to the database. */
export function inTransaction<Handle extends Context, Result>(
  context: Handle,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Result> {
  return repeating(() => context.db.transaction().execute((db) => work({ ...context, db })))
}

async function repeating<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES_MAX || !RETRIABLE.has(errorCode(error))) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}

/** The transaction that decides the answer. What `work` returns is what the caller gets, now and on replay. */
export function inFinalTransaction<Handle extends Context, Result>(
  context: Handle,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Result> {
  return inTransaction(context, async (tx) => {
    const answer = await work(tx)
    await context.remember?.(tx.db, answer)
    return answer
  })
}

/**
 * A transaction whose writes are sent as one statement at its end: a payment writes to ten tables, and each trip to the
 * database costs as much as the write. If nothing else is sent, that statement is the whole transaction. Only for writes
 * that need nothing of each other, no two to one row, and of which nothing is read again before the end.
 */
export function inBriefTransaction<Handle extends Context, Result>(
  context: Handle,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Result> {
  return repeating(async () => {
    const late = new LateTransaction(context.db)
    try {
      const result = await work({ ...context, db: late.db, waiting: late.waiting })
      await late.commit()
      return result
    } catch (error) {
      await late.rollback()
      throw error
    }
  })
}

/** The same for the transaction that decides the answer. */
export function inFinalBriefTransaction<Handle extends Context, Result>(
  context: Handle,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Result> {
  return inBriefTransaction(context, async (tx) => {
    const answer = await work(tx)
    await context.remember?.(tx.db, answer)
    return answer
  })
}

/** The writes that wait for the end of a brief transaction. */
const waitingIn = new WeakMap<Db, Write[]>()
/** What is wrong when a write finds nothing to change. */
const missing = new WeakMap<Write, () => Error>()

/** Writes now or, in a brief transaction, together with all else at its end. */
export async function write({ db }: { readonly db: Tx }, statement: Write): Promise<void> {
  const waiting = waitingIn.get(db)
  if (waiting) waiting.push(statement)
  else await sql`${statement}`.execute(db)
}

/** The same for a statement that returns what it has changed. If that is nothing, the transaction is given up. */
export async function writeOrFail(
  { db }: { readonly db: Tx },
  statement: Write,
  ifNothing: () => Error,
): Promise<void> {
  const waiting = waitingIn.get(db)
  if (waiting) {
    missing.set(statement, ifNothing)
    waiting.push(statement)
  } else if ((await sql`${statement}`.execute(db)).rows.length === 0) throw ifNothing()
}

/** Somebody else has changed a row since it was read. Nothing is written. */
export class Overtaken extends Error {
  constructor() {
    super('a row was changed by somebody else')
  }
}

/** Somebody was faster. What they wrote may also be in the way of what we would add to it. */
export function isOvertaken(error: unknown): boolean {
  return error instanceof Overtaken || errorCode(error).startsWith(CONSTRAINT_VIOLATION)
}

const CONSTRAINT_VIOLATION = '23'
/** The text of which the database could not make a number. */
const NOTHING = /nothing in (\d+) 0/

async function writeTogether(db: Db, waiting: readonly Write[]): Promise<void> {
  if (waiting.length === 0) return
  const parts = waiting.map((statement, index) => sql`${sql.raw(`w${index}`)} as (${statement})`)
  // The database itself has to refuse: where the statement is the whole transaction, its result would come too late.
  const needed = waiting.flatMap((statement, index) => {
    const found = `(select count(*) from w${index})`
    return missing.has(statement)
      ? [`case ${found} when 0 then ('nothing in ${index} ' || ${found})::int end`]
      : []
  })
  try {
    await db.executeQuery(sql`with ${sql.join(parts)} select ${sql.raw(needed.join(', '))}`.compile(db))
  } catch (error) {
    const [, index] = (error instanceof Error && NOTHING.exec(error.message)) || []
    const statement = waiting[Number(index)]
    throw (statement && missing.get(statement)?.()) ?? error
  }
}

/** A transaction that is begun by the first statement that cannot wait for its end. */
class LateTransaction {
  readonly db: Tx
  readonly waiting: Write[] = []
  readonly #outer: Db
  #begun: Promise<ControlledTransaction<Tables>> | undefined

  constructor(outer: Db) {
    this.#outer = outer
    this.db = lateHandle(outer, () => {
      this.#begun ??= outer.startTransaction().execute()
      return this.#begun
    })
    waitingIn.set(this.db, this.waiting)
  }

  async commit(): Promise<void> {
    const begun = await this.#begun
    await writeTogether(begun ?? this.#outer, this.waiting)
    await begun?.commit().execute()
  }

  async rollback(): Promise<void> {
    // What went wrong first tells more.
    const begun = await this.#begun?.catch(() => undefined)
    if (!begun || begun.isCommitted || begun.isRolledBack) return
    const rollback = begun.rollback()
    await rollback.execute().catch(() => {})
  }
}

/** What a handle has to have to begin transactions. One that is a transaction itself begins none. */
const NOWHERE = new PostgresDialect({ pool: () => Promise.reject(new Error('there is no pool')) })
const UNUSED = { config: { dialect: NOWHERE }, dialect: NOWHERE, driver: NOWHERE.createDriver() }

function lateHandle(outer: Db, begin: () => Promise<Db>): Tx {
  const executor = outer.getExecutor().withConnectionProvider({
    provideConnection: async (consumer, options) =>
      (await begin()).getExecutor().provideConnection(consumer, options),
  })
  return new Transaction<Tables>({ ...UNUSED, executor })
}

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The name of the unique constraint that refused a row, if that is what happened. */
export function violatedUnique(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/** What a row refers to was deleted between the look-up and the insert. */
export function isMissingReference(error: unknown): boolean {
  return errorCode(error) === '23503'
}

const CONNECTION_TROUBLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  '40001',
  '40P01',
  '53100',
  '53200',
  '53300',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
  '25P03',
])

/** The database is away or full; the same request may work in a moment. */
export function isDatabaseAway(error: unknown): boolean {
  if (CONNECTION_TROUBLE.has(errorCode(error))) return true
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  return (
    error instanceof Error &&
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
      error.message,
    )
  )
}

export type Database = { readonly db: Db; readonly pool: pg.Pool; readonly close: () => Promise<void> }

export type Connection = pg.PoolConfig

export function openDatabase(
  connection: Connection,
  options: {
    readonly poolSize: number
    readonly onError: (error: Error) => void
    readonly silentMs?: number
  },
): Database {
  const pool = new pg.Pool({
    ...connection,
    Client: PreparingClient,
    types: TYPES,
    max: options.poolSize,
    application_name: `switchyard ${process.pid}`,
    connectionTimeoutMillis: 5_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  // Without a listener, a database restart would end the process through an idle connection.
  pool.on('error', options.onError)
  pool.on('connect', (client) => {
    // The pool listens to idle connections only; one can be lost as well between two statements of a transaction.
    client.on('error', () => {})
    giveUpWhenSilent(client, options.silentMs ?? SILENT_MS)
  })
  const db = new Kysely<Tables>({ dialect: new ListDialect({ pool }) })
  const close = async () => {
    await db.destroy()
    // Kysely ends only a pool that it has used.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, close }
}

/** No statement runs longer than 15 seconds. */
const SILENT_MS = 20_000

/** A connection whose other end is gone without a word, as after a power failure, would let us wait for ever. */
function giveUpWhenSilent(client: pg.ClientBase, silentMs: number): void {
  const inner = client as unknown as { connection: { stream: Socket }; readyForQuery: boolean }
  const { stream } = inner.connection
  stream.setTimeout(silentMs)
  stream.on('timeout', () => {
    // One of which nothing is asked may hold a lock for work that others do, as in a rotation of the vault.
    if (inner.readyForQuery) stream.setTimeout(silentMs)
    else stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
  })
}

const TEXT_ARRAY_OID: number = 1009

/** How columns are read. Each payment reads the lists of what a payment service accepts: 400 short words. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const known = pg.types.getTypeParser(oid, format)
    return oid === TEXT_ARRAY_OID && format !== 'binary'
      ? (text: string) => readWords(text) ?? known(text)
      : known
  },
}

/** A list in which nothing is quoted, and nothing is null. */
function readWords(text: string): string[] | undefined {
  if (text === '{}' || text.includes('"') || text.includes('NULL') || text.includes('{', 1)) return undefined
  return text.slice(1, -1).split(',')
}
