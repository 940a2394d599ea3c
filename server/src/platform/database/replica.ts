import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from '../observability/log.ts'
import { errorCode, isDatabaseAway, isTooSlow, READ_ONLY } from './database-errors.ts'
import type { Db } from './db.ts'
import type { Database } from './open-database.ts'

const EVERY_MS = 1_000
/** How often the replica is asked while something waits for it to catch up. */
const CATCH_UP_EVERY_MS = 50
/** Of a statement that stood in the way of what the replica has to replay. */
const CONFLICT = '40001'
/** A replica that refuses a statement with one of these is well nevertheless. */
const REFUSED = new Set([CONFLICT, READ_ONLY])
/** A replica that is too far behind for this long is left. Another one may be nearer. */
const LEFT_AFTER_MS = 10_000

/** Why reads go to the primary. */
export type Reason = 'away' | 'lagging' | 'no_standby' | 'unknown_lag'

type Options = {
  readonly primary: Database
  readonly replica: Database
  readonly lagMaxMs: number
  readonly logger: Logger
  /** Throws unless the replica is one of our own database. */
  readonly check: () => Promise<void>
  /** Leaves a server that is not ours, is no standby any more, or lags, to look for the best one. */
  readonly leave?: () => void
}

/** Where the log of the primary was, and when. */
type Mark = { readonly position: bigint; readonly atMs: number }

/**
 * A replica for reading what may be a little old. Its lag is measured against the primary: how long ago the primary was where the
 * replica is now. So a replica that has lost its line to the primary is noticed, which by itself would say that it has replayed
 * everything it has.
 */
export class Replica {
  readonly #options: Options
  #marks: Mark[] = []
  #lagMs: number | null = null
  #reason: Reason | null = 'away'
  #laggingSince: number | null = null
  #ended = false
  readonly counts = { replica: 0, primary: 0 }

  constructor(options: Options) {
    this.#options = options
  }

  /** Looks once, then again and again until the pools end. */
  async follow(): Promise<void> {
    await this.#look()
    const again = async () => {
      while (!this.#ended) {
        await sleep(EVERY_MS, undefined, { ref: false })
        if (!this.#ended) await this.#look()
      }
    }
    void again()
  }

  get lagMaxSeconds(): number {
    return this.#options.lagMaxMs / 1000
  }

  end(): void {
    this.#ended = true
  }

  /** How far it is behind. Null while that is not known. */
  get lagMs(): number | null {
    return this.#lagMs
  }

  /** Why the replica is not used. Null if it is. */
  get reason(): Reason | null {
    return this.#reason
  }

  /**
   * Does work that only reads, at the replica if it is there and not too far behind. If it fails there, the primary does
   * the same work and decides: what a request names, or the column of a migration, may not have arrived at the replica yet. A
   * replica that is away is not used until it has been looked at again.
   */
  async read<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    const { primary, replica } = this.#options
    if (this.#reason === null) {
      try {
        const result = await work(replica.db)
        this.counts.replica += 1
        return result
      } catch (error) {
        // What takes too long here would take as long there, beside payments.
        if (isTooSlow(error)) throw error
        if (isDatabaseAway(error) && !REFUSED.has(errorCode(error))) this.#set(null, 'away', error)
      }
    }
    this.counts.primary += 1
    return work(primary.db)
  }

  /** A database that has everything that is committed now: the replica, or the primary if that would take too long. */
  async caughtUp(): Promise<Database> {
    const { primary, replica, lagMaxMs } = this.#options
    if (this.#reason !== null) return primary
    try {
      const wanted = await positionOf(primary.db)
      const deadline = performance.now() + lagMaxMs
      while (performance.now() < deadline) {
        const replayed = await replayedBy(replica.db)
        if (isPosition(replayed) && replayed.position >= wanted) return replica
        await sleep(CATCH_UP_EVERY_MS)
      }
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
    }
    return primary
  }

  async #look(): Promise<void> {
    const { primary, replica, lagMaxMs, check, leave } = this.#options
    const askedAt = performance.now()
    const position = await positionOf(primary.db).catch(() => undefined)
    if (position !== undefined) this.#mark({ position, atMs: askedAt })
    try {
      await check()
    } catch (error) {
      leave?.()
      return this.#set(null, 'away', error)
    }
    try {
      const replayed = await replayedBy(replica.db)
      if (!isPosition(replayed)) {
        if (replayed === 'no_standby') leave?.()
        return this.#set(null, replayed)
      }
      const lagMs = this.#lagOf(replayed)
      if (lagMs === null) return this.#set(null, 'unknown_lag')
      this.#set(lagMs, lagMs > lagMaxMs ? 'lagging' : null)
      this.#leaveIfLagging()
    } catch (error) {
      this.#set(null, 'away', error)
    }
  }

  #leaveIfLagging(): void {
    if (this.#reason !== 'lagging') this.#laggingSince = null
    else this.#laggingSince ??= performance.now()
    if (this.#laggingSince === null || performance.now() - this.#laggingSince < LEFT_AFTER_MS) return
    this.#laggingSince = null
    this.#options.leave?.()
  }

  /** After a failover, the new primary may be behind where the old one was. Nothing beyond it exists any more. */
  #mark(mark: Mark): void {
    const oldest = mark.atMs - this.#options.lagMaxMs * 2
    const kept = this.#marks.filter(({ position }) => position <= mark.position)
    const last = kept.findLastIndex(({ atMs }) => atMs < oldest)
    this.#marks = [...kept.slice(Math.max(0, last)), mark]
  }

  #lagOf({ position: reached, ageMs }: Replayed): number | null {
    const now = performance.now()
    const passed = this.#marks.findLastIndex(({ position }) => position <= reached)
    const missed = this.#marks[passed + 1]
    // While the primary is away, it may be further than we know.
    if (!missed) return Math.max(0, now - (this.#marks.at(-1)?.atMs ?? now) - EVERY_MS)
    // Behind everything that we have seen, only the replica knows how old its last transaction is.
    if (passed < 0) return ageMs === null ? null : Math.max(now - missed.atMs, ageMs)
    return now - missed.atMs
  }

  #set(lagMs: number | null, reason: Reason | null, error?: unknown): void {
    const { logger, lagMaxMs } = this.#options
    const before = this.#reason
    this.#lagMs = lagMs
    this.#reason = reason
    if (before === reason || this.#ended) return
    if (reason === null) logger.info({ lag_ms: lagMs }, 'lists are read from the replica')
    else {
      const facts = {
        reason,
        lag_ms: lagMs,
        lag_max_ms: lagMaxMs,
        ...(error !== undefined && { err: error }),
      }
      logger.warn(facts, 'the replica cannot be used; lists are read from the primary')
    }
  }
}

export function warningAbout({ reason }: Pick<Replica, 'reason'>): string | undefined {
  return reason === null ? undefined : `Lists are read from the primary: ${REASONS[reason]}`
}

const REASONS: Readonly<Record<Reason, string>> = {
  away: 'the replica at READ_DATABASE_URL does not answer.',
  lagging: 'the replica is too far behind.',
  no_standby: 'the server at READ_DATABASE_URL is no standby.',
  unknown_lag: 'the server at READ_DATABASE_URL does not say how far behind it is.',
}

async function positionOf(db: Db): Promise<bigint> {
  const { rows } = await sql<{ position: string }>`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as position`.execute(db)
  return BigInt(rows[0]?.position ?? 0)
}

/** How far the replica is, and how old the last transaction is that it has replayed. Null: it has replayed none since its start. */
type Replayed = { readonly position: bigint; readonly ageMs: number | null }

function isPosition(replayed: Replayed | Reason): replayed is Replayed {
  return typeof replayed === 'object'
}

/**
 * A server that takes writes is not asked in place of the primary, even if it seems to have everything: it may be a former primary that does
 * not know of its successor.
 */
async function replayedBy(db: Db): Promise<Replayed | 'no_standby' | 'unknown_lag'> {
  const { rows } = await sql<{ is_standby: boolean; position: string | null; age_ms: number | null }>`
    select pg_is_in_recovery() as is_standby,
           pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') as position,
           (extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::float8 as age_ms`.execute(
    db,
  )
  const [row] = rows
  if (row?.is_standby === false) return 'no_standby'
  return row?.position == null ? 'unknown_lag' : { position: BigInt(row.position), ageMs: row.age_ms }
}
