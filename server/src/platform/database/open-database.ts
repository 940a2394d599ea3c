import type { Socket } from 'node:net'
import { Kysely } from 'kysely'
import pg from 'pg'
import { DISK_FULL } from './database-errors.ts'
import { type Hosts, isAlive, PROBE_MS } from './database-hosts.ts'
import type { Db, Tables } from './db.ts'
import { ListDialect } from './list-dialect.ts'
import { PreparingClient } from './preparing-client.ts'
import { readTime, TIME_OID } from './read-time.ts'

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

/** The driver's internals. */
type Inner = {
  readonly connection: { readonly stream: Socket }
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
    // An idle connection is kept: it may hold a lock, for example during a rotation of the vault.
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
