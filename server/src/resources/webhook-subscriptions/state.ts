const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long to wait after each failure: about a week in all. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  DAY,
  DAY,
  DAY,
  DAY,
]
const JITTER = 0.2
const RETRY_AFTER_MAX_MS = DAY

type Wish = {
  readonly now: Date
  /** From 0 to 1. */
  readonly random: number
  /** How long the receiver asked us to wait. */
  readonly retryAfterMs?: number | undefined
}

/** When to retry after this many failures, including this one. Null: no more retries. */
export function nextAttemptAt(failures: number, { now, random, retryAfterMs = 0 }: Wish): Date | null {
  const delay = RETRY_DELAYS_MS[failures - 1]
  if (delay === undefined) return null
  const spread = delay * (1 + JITTER * (2 * random - 1))
  const asked = Math.min(retryAfterMs, RETRY_AFTER_MAX_MS)
  return new Date(now.getTime() + Math.max(spread, asked))
}

/** The header `Retry-After`, in seconds or as a date. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
