import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Clock } from './clock.ts'
import type { Logger } from './log.ts'

/** How often we ask the database for the time. */
const EVERY_MS = 1_000
/** Warn if the machine's clock differs more than this from the database's. */
const DIFFERENCE_MAX_MS = 5_000

/**
 * The database's time, as this process knows it. Processes compare times that other processes wrote: when an
 * attempt counts as abandoned, until when a key is taken. So they must agree on the time, whatever their
 * machines' clocks say. Between two measurements this clock runs on a monotonic timer, so a jump of the
 * machine's clock has no effect.
 */
export type DatabaseClock = {
  readonly now: Clock
  /** How far the machine's clock is ahead of the database's; negative if it is behind. */
  readonly differenceMs: () => number
  /** What is wrong with the machine's clock, and what to do. Undefined while it is right. */
  readonly warning: () => string | undefined
}

type Pool = Pick<pg.Pool, 'connect' | 'ending'>
type Options = { readonly pool: Pool; readonly logger: Logger; readonly everyMs?: number }

/** Measures once, then again and again until the pool ends. */
export async function followDatabaseClock(options: Options): Promise<DatabaseClock> {
  const { pool, logger, everyMs = EVERY_MS } = options
  const { earliest, latest } = await measure(pool)
  let origin = (earliest + latest) / 2
  const now = () => new Date(origin + performance.now())
  const differenceMs = () => Date.now() - now().getTime()
  const warning = () => warningAbout(differenceMs())
  const tellOfChange = changesOf(warning, logger)
  tellOfChange()
  const measureAgain = async () => {
    while (!pool.ending) {
      await sleep(everyMs, undefined, { ref: false })
      // If the database is away, the timer goes on without it.
      const found = await measure(pool).catch(() => undefined)
      if (found) origin = moveInto(found, origin)
      tellOfChange()
    }
  }
  void measureAgain()
  return { now, differenceMs, warning }
}

/** The bounds, in milliseconds, of the database's time at the moment when this process's timer was zero. */
type Bounds = { readonly earliest: number; readonly latest: number }

async function measure(pool: Pool): Promise<Bounds> {
  // The wait for a connection must not count.
  const client = await pool.connect()
  try {
    const askedAt = performance.now()
    const { rows } = await client.query<{ ms: string }>(
      'select extract(epoch from clock_timestamp()) * 1000 as ms',
    )
    const answeredAt = performance.now()
    const ms = Number(rows[0]?.ms)
    client.release()
    return { earliest: ms - answeredAt, latest: ms - askedAt }
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
