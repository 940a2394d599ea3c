import type pg from 'pg'
import { errorCode, isStalePlan } from './database-errors.ts'

/** How a connection leads to the database: whether all that a session keeps outlasts a transaction. */
export type Way = 'by session' | 'by transaction'

const ROUNDS = 3
/** A pooler with a single connection lets the second transaction wait. */
const WAIT_MS = 3_000
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const

/**
 * Tells how a pooler between us and the database works, and refuses one that we cannot work with. The pool has two connections.
 */
export async function examinePooler(pool: pg.Pool): Promise<Way> {
  const one = await pool.connect()
  try {
    // A pooler answers a new connection itself, and makes up the number of its process.
    const { processID } = one as pg.PoolClient & { readonly processID: number }
    if ((await processOf(one)) === processID) return 'by session'
    const { rows } = await one.query<{ name: string }>(
      `select name from pg_settings where name = any($1) and setting = '0'`,
      [LIMITS],
    )
    if (rows.length > 0) throw new Error(withoutLimits(rows.map(({ name }) => name)))
    const other = await pool.connect()
    try {
      return (await areShared(one, other)) ? 'by transaction' : 'by session'
    } finally {
      other.release()
    }
  } catch (error) {
    throw isStalePlan(error) ? new Error(WITHOUT_STATEMENTS, { cause: error }) : error
  } finally {
    one.release()
  }
}

/**
 * Whether a transaction of one can take the connection to the server that the other has just used. A pooler gives away the one that
 * was used last, and with much traffic any other.
 */
async function areShared(one: pg.PoolClient, other: pg.PoolClient): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await processOf(one)
    await other.query('begin')
    try {
      if ((await processOf(other)) === before || (await processOf(one)) !== before) return true
    } finally {
      await other.query('rollback')
    }
  }
  return false
}

type Process = { readonly pid: number }

/** Asks by a prepared statement, as all our statements are. Undefined: there is no free connection to the server. */
async function processOf(client: pg.PoolClient): Promise<number | undefined> {
  const question = {
    name: 'switchyard_pooler',
    text: 'select pg_backend_pid() as pid',
    query_timeout: WAIT_MS,
  }
  try {
    const { rows } = await client.query<Process>(question)
    return rows[0]?.pid
  } catch (error) {
    if (errorCode(error) === '' && error instanceof Error && error.message === 'Query read timeout')
      return undefined
    throw error
  }
}

const WITHOUT_STATEMENTS =
  'DATABASE_URL leads through a pooler in transaction mode that does not keep prepared statements. Set max_prepared_statements in ' +
  'PgBouncer 1.21 or newer, use its session mode, or connect to the database directly (docs/guide/operate.md).'

function withoutLimits(names: readonly string[]): string {
  return (
    `The pooler at DATABASE_URL drops ${names.join(', ')}, which we set when we connect. Set them for the user of the database: ` +
    "alter role … set statement_timeout = '15s', lock_timeout = '10s' and idle_in_transaction_session_timeout = '30s' (docs/guide/operate.md)."
  )
}
