import { randomUUID } from 'node:crypto'
import type pg from 'pg'

/** Keys that stay outside the database, one for each purpose. */
export type IssuerSecrets = {
  /** A keyed hash: the same input gives the same bytes, and nothing can be learned from them. */
  readonly mac: (purpose: string, input: string) => Buffer
  /** The sealed value opens only with the same `bound`: what it belongs to. */
  readonly seal: (purpose: string, bound: string, plain: string) => Buffer
  readonly open: (purpose: string, bound: string, sealed: Buffer) => string
}

export type Office = {
  readonly pool: pg.Pool
  readonly clock: () => Date
  readonly secrets: IssuerSecrets
  /** Where the pages that show new cards are served. */
  readonly publicUrl: string
}

export type Tx = pg.PoolClient
export type Handle = pg.Pool | Tx

export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const tx = await pool.connect()
  try {
    await tx.query('begin')
    const result = await work(tx)
    await tx.query('commit')
    tx.release()
    return result
  } catch (error) {
    // Closes a connection in an unknown state, and so ends its transaction.
    tx.release(true)
    throw error
  }
}

/** A UUIDv7, so that new rows land together at the end of an index. */
export function newId(now: Date): string {
  const time = now.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}
