import { createHash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { errors } from './errors.ts'

const BROWSER_CALLS_PER_MINUTE = 50

/** Counts a browser's calls in the database, so that all processes share one limit. Throws 429 when it is used up. */
export type BrowserLimit = (subject: string) => Promise<void>

export function browserLimit(pool: pg.Pool): BrowserLimit {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    keyPrefix: 'browser',
    points: BROWSER_CALLS_PER_MINUTE,
    duration: 60,
    // A caller over the limit is refused from memory and costs the database nothing.
    inMemoryBlockOnConsumed: BROWSER_CALLS_PER_MINUTE,
  })
  return async (subject) => {
    try {
      // Whoever calls chooses the text: it may be too long for a column, or hold what no column takes.
      await limiter.consume(createHash('sha256').update(subject).digest('base64url'))
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw errors.tooManyRequests(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)))
    }
  }
}
