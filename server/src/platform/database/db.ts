import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely, Transaction } from 'kysely'
import type { Caller } from '../access/auth.ts'
import type { Secrets } from '../access/secrets.ts'
import type { Clock } from '../process/clock.ts'
import { errorCode, isStalePlan } from './database-errors.ts'

/** Grows by declaration merging: each store declares the tables it owns. */
export interface Tables {
  schema_migrations: { version: string; checksum: string; applied_at: Date }
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** The first argument of every store function: the database handle, the actor and the clock. */
export type Context<Handle extends Db = Db> = {
  readonly db: Handle
  readonly clock: Clock
  readonly actor: Actor
  readonly requestId: string | null
  /** Makes the codes of entries of the audit log. */
  readonly mac: Secrets['mac']
  /** When the request began, as `performance.now` tells it. Undefined: no client waits for this. */
  readonly startedAt?: number | undefined
  /** What waits for the commit of the transaction. Undefined outside of one. */
  readonly committed?: (() => void)[] | undefined
}

/** A context narrowed to one merchant account. Types cannot detect a `where` that ignores it; tests do. */
export type Scope<Handle extends Db = Db> = Context<Handle> & { readonly merchantAccountId: string }

/** Where something happens: in one merchant account or, if null, in the whole installation. */
export type Place<Handle extends Db = Db> = Context<Handle> & { readonly merchantAccountId: string | null }

/** Who makes a change: an API key or a user; without an id, a person at the command line or a part of the service. */
export type Actor =
  | (Pick<Caller, 'kind' | 'id' | 'name' | 'thumbprint'> & Partial<Pick<Caller, 'session'>>)
  | { readonly id: null; readonly name: string }

const TRIES_MAX = 3
const RETRIABLE = new Set(['40001', '40P01'])

/** The work may run again when the database asks for it, so it must only talk to the database. */
export function inTransaction<Handle extends Context, Result>(
  context: Handle,
  work: (tx: Handle & { readonly db: Tx }) => Promise<Result>,
): Promise<Result> {
  return repeating(async () => {
    const committed: (() => void)[] = []
    const result = await context.db.transaction().execute((db) => work({ ...context, db, committed }))
    for (const then of committed) then()
    return result
  })
}

/**
 * Does something once the transaction is committed, for example counts what it changed. A transaction that is repeated
 * does it once; if the process dies in between, it is not done. It must be quick, and must not throw.
 */
export function afterCommit({ committed }: Pick<Context<Tx>, 'committed'>, then: () => void): void {
  committed?.push(then)
}

/** Repeats work that the database aborted because of other transactions, or because a prepared statement was out of date. */
export async function repeating<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === TRIES_MAX || !(RETRIABLE.has(errorCode(error)) || isStalePlan(error))) throw error
      await sleep(Math.random() * 20 * attempt)
    }
  }
}
