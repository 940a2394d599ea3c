/** How much longer than the provider may take an attempt is left to the process that sent it. */
const GRACE_MS = 5_000

/** When an attempt counts as left behind by the process that sent it. */
export function dueIfLeft(now: Date, timeoutMs: number): Date {
  return new Date(now.getTime() + timeoutMs + GRACE_MS)
}

const MINUTE_MS = 60_000

/** When to ask again about an attempt whose outcome is not known: after 1 minute, 5 minutes, 1 hour, then daily. */
export function nextCheck(now: Date, checks: number): Date {
  const delays = [MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS]
  const delayMs = delays[checks]
  return delayMs === undefined ? aDayLater(now) : new Date(now.getTime() + delayMs)
}

/** When to ask again for what was refused and has to be done at last. */
export function aDayLater(now: Date): Date {
  return new Date(now.getTime() + 24 * 60 * MINUTE_MS)
}

const HOLD_MS_MAX = 31 * 24 * 60 * MINUTE_MS

/** No hold on a card lasts longer than a month: those of payments that were created before are gone by themselves. */
export function lapsedBy(now: Date): Date {
  return new Date(now.getTime() - HOLD_MS_MAX)
}
