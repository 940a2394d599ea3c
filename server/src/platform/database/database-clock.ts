import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Logger } from '../observability/log.ts'
import type { Clock } from '../process/clock.ts'
import type { Context } from './db.ts'

/** How often we ask the database for the time. */
const EVERY_MS = 1_000
/** The same while the clock of a sandbox is moved. */
const EVERY_MS_WHILE_MOVED = 100
/**
 * For how long after a look at a clock that has never been moved a process may trust that it still is not. So before
 * the first move there is a pause of this length.
 */
export const TRUSTED_MS = 3_000
/** A request waits no longer than this for news of the clock. */
const CATCH_UP_MAX_MS = 1_000
/** A correction back by less than this makes the clock stand still: what happens later must not look earlier. */
const HELD_MS_MAX = 1_000
/** Warn if the machine's clock differs more than this from the database's. */
const DIFFERENCE_MAX_MS = 5_000

/**
 * The database's time, as this process knows it. Processes compare times that other processes wrote: when an
 * attempt counts as abandoned, until when a key is taken. So they must agree on the time, whatever their
 * machines' clocks say. Between two measurements this clock runs on a monotonic timer, so a jump of the
 * machine's clock has no effect.
 */
export type DatabaseClock = {
  /** In a sandbox, as far ahead of real time as it was moved. */
  readonly now: Clock
  /** How far the machine's clock is ahead of the database's; negative if it is behind. */
  readonly differenceMs: () => number
  /** What is wrong with the machine's clock, and what to do. Undefined while it is right. */
  readonly warning: () => string | undefined
}

type Pool = Pick<pg.Pool, 'connect' | 'ending'>
type Options = {
  readonly pool: Pool
  readonly logger: Logger
  readonly everyMs?: number
  /** Whether the clock follows the moves that `sandbox_clock` holds. */
  readonly isMovable?: boolean
}

/** Measures once, then again and again until the pool ends. */
export async function followDatabaseClock(options: Options): Promise<DatabaseClock> {
  const { pool, logger, everyMs = EVERY_MS, isMovable = false } = options
  const first = await measure(pool, isMovable)
  let origin = (first.earliest + first.latest) / 2
  let moved = first
  let last = 0
  const real = () => {
    const found = origin + performance.now()
    last = last - found > HELD_MS_MAX ? found : Math.max(found, last)
    return new Date(last)
  }
  const look = async () => {
    const found = await measure(pool, isMovable)
    origin = moveInto(found, origin)
    // Answers may overtake each other, and the clock only goes forward.
    if (found.askedAt > moved.askedAt)
      moved = { ...found, offsetMs: Math.max(found.offsetMs, moved.offsetMs) }
  }
  const now = isMovable ? movedClock(real, () => moved, look) : real
  const differenceMs = () => Date.now() - real().getTime()
  const warning = () => warningAbout(differenceMs())
  const tellOfChange = changesOf(warning, logger)
  tellOfChange()
  const measureAgain = async () => {
    while (!pool.ending) {
      await sleep(moved.isMoved ? EVERY_MS_WHILE_MOVED : everyMs, undefined, { ref: false })
      // If the database is away, the timer goes on without it.
      await look().catch(() => {})
      tellOfChange()
    }
  }
  void measureAgain()
  return { now, differenceMs, warning }
}

function movedClock(real: () => Date, moved: () => Measured, look: () => Promise<void>): Clock {
  const lookTogether = together(look)
  const catchUp = async () => {
    const { isMoved, askedAt } = moved()
    if (!isMoved && performance.now() - askedAt < TRUSTED_MS) return
    // If the database is away, the request finds out by itself.
    await Promise.race([lookTogether().catch(() => {}), sleep(CATCH_UP_MAX_MS, undefined, { ref: false })])
  }
  const isMoved = () => moved().isMoved
  return Object.assign(() => new Date(real().getTime() + moved().offsetMs), { real, catchUp, isMoved })
}

/**
 * Lets callers who come at once share one question. A question that began before a caller came may have an answer from before a move, so
 * the caller waits for the next one.
 */
function together(ask: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const begin = () => {
    running = ask().finally(() => {
      running = undefined
    })
    return running
  }
  const follow = (before: Promise<void>) =>
    before
      .catch(() => {})
      .then(() => {
        next = undefined
        return begin()
      })
  return () => {
    if (!running) return begin()
    next ??= follow(running)
    return next
  }
}

/** The bounds, in milliseconds, of the database's time at the moment when this process's timer was zero. */
type Bounds = { readonly earliest: number; readonly latest: number }

type Measured = Bounds & {
  readonly askedAt: number
  readonly offsetMs: number
  /** Whether the clock was moved, or is about to be. */
  readonly isMoved: boolean
}

const TIME = 'select extract(epoch from clock_timestamp()) * 1000 as ms'
const TIME_AND_MOVES = `${TIME}, offset_ms, offset_ms > 0 or target is not null as is_moved from sandbox_clock`

type Row = { readonly ms: string; readonly offset_ms?: string; readonly is_moved?: boolean }

async function measure(pool: Pool, isMovable = false): Promise<Measured> {
  // The wait for a connection must not count.
  const client = await pool.connect()
  try {
    const askedAt = performance.now()
    const { rows } = await client.query<Row>(isMovable ? TIME_AND_MOVES : TIME)
    const answeredAt = performance.now()
    const ms = Number(rows[0]?.ms)
    client.release()
    return {
      earliest: ms - answeredAt,
      latest: ms - askedAt,
      askedAt,
      offsetMs: Number(rows[0]?.offset_ms ?? 0),
      isMoved: rows[0]?.is_moved === true,
    }
  } catch (error) {
    client.release(true)
    throw error
  }
}

/**
 * Moves no further than the bounds demand: the bounds from a slow database are wide, and must not move the
 * clock.
 */
function moveInto({ earliest, latest }: Bounds, origin: number): number {
  return Math.min(Math.max(origin, earliest), latest)
}

/** How far ahead of real time the clock was moved, and whether it is being moved. */
export async function readMoves({ db }: Pick<Context, 'db'>) {
  const { rows } = await sql<{ offset_ms: string; target: Date | null }>`
    select offset_ms, target from sandbox_clock
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error('the table sandbox_clock is empty')
  return { offsetMs: Number(row.offset_ms), isMoving: row.target !== null }
}

/** Real payments have real times. The database refuses to move the clock of production, so this should not happen. */
export async function refuseMovedClock(context: Pick<Context, 'db'>): Promise<void> {
  const { offsetMs, isMoving } = await readMoves(context)
  if (offsetMs === 0 && !isMoving) return
  throw new Error(
    'The clock of this database was moved, as only the clock of a sandbox can be (table sandbox_clock). ' +
      'Restore a backup of the production database.',
  )
}

export async function measureDifferenceMs(pool: Pool): Promise<number> {
  const { earliest, latest } = await measure(pool)
  return Date.now() - performance.now() - (earliest + latest) / 2
}

export function warningAbout(differenceMs: number): string | undefined {
  if (Math.abs(differenceMs) <= DIFFERENCE_MAX_MS) return undefined
  const seconds = Math.round(Math.abs(differenceMs) / 1000)
  const way = differenceMs > 0 ? 'ahead of' : 'behind'
  return `The clock of this machine is ${seconds} s ${way} the database's. Set both by NTP.`
}

/** Logs once when the clock is wrong, and once when it is right again. */
function changesOf(warning: () => string | undefined, logger: Logger): () => void {
  let isWarned = false
  return () => {
    const text = warning()
    if (text && !isWarned) logger.warn(text)
    if (!text && isWarned) logger.info("The clock of this machine agrees with the database's again.")
    isWarned = text !== undefined
  }
}
