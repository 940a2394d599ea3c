import type { Socket } from 'node:net'
import { Kysely } from 'kysely'
import pg from 'pg'
import type { Db, Tables } from './db.ts'
import { ListDialect } from './list-dialect.ts'
import { PreparingClient } from './preparing-client.ts'

export type Database = { readonly db: Db; readonly pool: pg.Pool; readonly close: () => Promise<void> }

export type Connection = pg.PoolConfig

export function openDatabase(
  connection: Connection,
  options: {
    readonly poolSize: number
    readonly onError: (error: Error) => void
    readonly silentMs?: number
    readonly statementTimeoutMs?: number
    /** Part of the name under which the database knows the connections. */
    readonly purpose?: string
    /** Settings of each session. */
    readonly settings?: Readonly<Record<string, string>>
  },
): Database {
  const pool = new pg.Pool({
    ...connection,
    Client: PreparingClient,
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
  pool.on('connect', (client) => {
    // The pool listens only to idle connections. One can also be lost between two statements of a
    // transaction.
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

/**
 * Ends a connection whose server has vanished silently, for example by a power failure. Otherwise it would
 * wait forever.
 */
function giveUpWhenSilent(client: pg.ClientBase, silentMs: number): void {
  const inner = client as unknown as { connection: { stream: Socket }; readyForQuery: boolean }
  const { stream } = inner.connection
  stream.setTimeout(silentMs)
  stream.on('timeout', () => {
    // An idle connection is kept: it may hold a lock, for example during a rotation of the vault.
    if (inner.readyForQuery) stream.setTimeout(silentMs)
    else stream.destroy(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
  })
}

const TEXT_ARRAY_OID: number = 1009

/** How columns are read. Text arrays have their own parser, because each payment reads 400 of them. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    const known = pg.types.getTypeParser(oid, format)
    return oid === TEXT_ARRAY_OID && format !== 'binary'
      ? (text: string) => readWords(text) ?? known(text)
      : known
  },
}

/** Reads an array without quoted words and nulls. The driver reads any other. */
function readWords(text: string): string[] | undefined {
  if (text === '{}' || text.includes('"') || text.includes('NULL') || text.includes('{', 1)) return undefined
  return text.slice(1, -1).split(',')
}
