/**
 * The service's time. It is passed in, so that a test can move it. The clock of a sandbox can be moved forward
 * (docs/decisions/clocks.md).
 */
export type Clock = {
  (): Date
  /** The time without the moves. Missing where the clock cannot be moved. */
  readonly real?: () => Date
  /** Learns of moves that other processes have made. Missing where the clock cannot be moved. */
  readonly catchUp?: () => Promise<void>
  /** Whether it was moved, or is about to be. Then another process may be days ahead for a moment. */
  readonly isMoved?: () => boolean
}

export const systemClock: Clock = () => new Date()

/** For leases, timeouts, limits and tokens: a moved clock must not end them. */
export function realTime(clock: Clock): Date {
  return (clock.real ?? clock)()
}

/**
 * The time of a change of a row. Two changes within a millisecond get different times, because the time
 * identifies a version of the row.
 */
export function laterThan({ updated_at }: { readonly updated_at: Date }, now: Date): Date {
  return new Date(Math.max(now.getTime(), updated_at.getTime() + 1))
}
