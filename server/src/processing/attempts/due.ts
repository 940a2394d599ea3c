/** How long, beyond the provider's timeout, an attempt is left to the process that sent it. */
const GRACE_MS = 5_000

/** When an attempt counts as abandoned by the process that sent it. */
export function dueIfLeft(now: Date, timeoutMs: number): Date {
  return new Date(now.getTime() + timeoutMs + GRACE_MS)
}

const MINUTE_MS = 60_000

/** When to ask again about an unknown outcome: after 1 minute, 5 minutes, 1 hour, then daily. */
export function nextCheck(now: Date, checks: number): Date {
  const delays = [MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS]
  const delayMs = delays[checks]
  return delayMs === undefined ? aDayLater(now) : new Date(now.getTime() + delayMs)
}

/** When to retry an attempt that the provider refused and that must be done. */
export function aDayLater(now: Date): Date {
  return new Date(now.getTime() + 24 * 60 * MINUTE_MS)
}
