import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, Tables } from '../database/db.ts'
import { errors } from '../http/errors.ts'
import { realTime } from '../process/clock.ts'
import { remember } from './auth.ts'
import { MemoryLimit, networkOf } from './failure-limit.ts'

declare module '../database/db.ts' {
  interface Tables {
    rate_limits: {
      key: string
      /** Calls since the minute began. */
      points: number
      /** When the minute ends, in milliseconds since 1970. */
      expire: string
    }
  }
}

const BROWSER_CALLS_PER_MINUTE = 50
const MINUTE_MS = 60_000
const REMEMBERED_MAX = 10_000

/** How often browsers may call. Throws 429 above the limit. */
export type BrowserLimit = {
  /**
   * Counts a call by a token, or by an id that serves as one, in the database: all processes share one limit.
   */
  readonly count: (subject: string) => Promise<void>
  /**
   * Counts an unknown id against its sender. In memory, because strangers could fill a table. A known id is
   * never refused for it: there may be many buyers behind one address.
   */
  readonly countGuess: (address: string) => Promise<void>
}

export function browserLimit(context: Pick<Context, 'db' | 'clock'>): BrowserLimit {
  /** Until when callers over the limit are refused from memory, without asking the database. */
  const refusedUntil = new Map<string, number>()
  const guesses = new MemoryLimit('guesses', BROWSER_CALLS_PER_MINUTE)
  return { count: countCall, countGuess }

  async function countCall(subject: string): Promise<void> {
    // The caller chooses the text: it may be too long for a column, or contain characters that no column
    // takes.
    const key = `browser:${createHash('sha256').update(subject).digest('base64url')}`
    const now = realTime(context.clock).getTime()
    const known = refusedUntil.get(key) ?? 0
    if (known > now) throw refusal(known - now)
    refusedUntil.delete(key)
    const { points, expire } = await count(context, key, now)
    if (points >= BROWSER_CALLS_PER_MINUTE) remember(refusedUntil, key, Number(expire), REMEMBERED_MAX)
    if (points > BROWSER_CALLS_PER_MINUTE) throw refusal(Number(expire) - now)
  }

  async function countGuess(address: string): Promise<void> {
    const waitMs = await guesses.count(networkOf(address))
    if (waitMs !== undefined) throw refusal(waitMs)
  }
}

async function count(
  { db }: Pick<Context, 'db'>,
  key: string,
  now: number,
): Promise<Pick<Tables['rate_limits'], 'points' | 'expire'>> {
  const isOver = sql<boolean>`rate_limits.expire <= ${now}`
  return db
    .insertInto('rate_limits')
    .values({ key, points: 1, expire: String(now + MINUTE_MS) })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        points: sql`case when ${isOver} then 1 else rate_limits.points + 1 end`,
        expire: sql`case when ${isOver} then excluded.expire else rate_limits.expire end`,
      }),
    )
    .returning(['points', 'expire'])
    .executeTakeFirstOrThrow()
}

/** Deletes counts of minutes that are over. */
export async function purgeOldCounts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('rate_limits')
    .where('expire', '<=', String(realTime(clock).getTime()))
    .execute()
}

function refusal(ms: number): Error {
  return errors.tooManyRequests(Math.max(1, Math.ceil(ms / 1000)), 'calls with one browser token or session')
}
