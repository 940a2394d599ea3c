/** How much longer than the provider may take an attempt is left to the process that sent it. */
const GRACE_MS = 5_000

/** When an attempt counts as left behind by the process that sent it. */
export function dueIfLeft(now: Date, timeoutMs: number): Date {
  return new Date(now.getTime() + timeoutMs + GRACE_MS)
}
