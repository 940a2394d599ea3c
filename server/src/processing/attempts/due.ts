import { type Clock, realTime } from '#platform/process/clock.ts'

/** How long, beyond the provider's timeout, an attempt is left to the process that sent it. */
const GRACE_MS = 5_000

/** When an attempt counts as abandoned by the process that sends it. */
export function dueIfLeft(now: Date, timeoutMs: number): Date {
  return new Date(now.getTime() + timeoutMs + GRACE_MS)
}

type Waiting = { readonly state: string; readonly due_at: Date | null }

/**
 * Whether the provider may still get the attempt. An inquiry could make the provider refuse it, so the `due_at` of
 * a sent attempt is in real time: it must not come early because the clock of a sandbox is moved.
 */
export function isOnItsWay({ state, due_at }: Waiting, clock: Clock): boolean {
  return state === 'sent' && (due_at === null || due_at > realTime(clock))
}

/** Whether the provider can be asked about an open attempt now. */
export function mayInquire(attempt: Waiting, clock: Clock): boolean {
  const { state, due_at } = attempt
  if (due_at === null || isOnItsWay(attempt, clock)) return false
  return state !== 'queued' || due_at <= clock()
}

const MINUTE_MS = 60_000

/** When to ask again about an unknown outcome: after 1 minute, 5 minutes, 1 hour, then daily. */
export function nextCheck(now: Date, checks: number): Date {
  const delays = [MINUTE_MS, 5 * MINUTE_MS, 60 * MINUTE_MS]
  const delayMs = delays[checks]
  return delayMs === undefined ? aDayLater(now) : new Date(now.getTime() + delayMs)
}

const CHECKS_IN_A_MONTH = 33

/** The same for attempts that move no money: after thirty days, the engine stops asking. */
export function nextCheckForAMonth(now: Date, checks: number): Date | undefined {
  return checks < CHECKS_IN_A_MONTH ? nextCheck(now, checks) : undefined
}

/** When to retry an attempt that the provider refused and that must be done. */
export function aDayLater(now: Date): Date {
  return new Date(now.getTime() + 24 * 60 * MINUTE_MS)
}
