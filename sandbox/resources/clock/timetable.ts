const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Stops that a job may use up at once, at the beginning of the way. */
const SAVED_AT_FIRST = 20
/** How many more stops a job gets on the way: one for each hour, within these bounds. A daily job of two years gets all of its own. */
const STOPS_MIN = 100
const STOPS_MAX = 1_000

/** When the clock stops for which job, on its way to a target. */
export type Stop<Job> = { readonly at: Date; readonly jobs: readonly Job[] }

/**
 * Decides where a moving clock stops next. A job gets a stop at most every minute. The stops of a job are spread over
 * the way, and those that it does not use are saved for later. So the way has an end, however often a job is due, and a
 * job that was quiet for a while gets its stops close together again.
 */
export class Timetable<Job> {
  readonly #start: number
  readonly #target: number
  /** After this time, a job gets one more stop. */
  readonly #gap: number
  readonly #made = new Map<Job, { readonly count: number; readonly last: number }>()
  /** Stops that are still ahead. A job that is asked on the way to its stop may no longer tell of what is due by then. */
  readonly #promised = new Map<Job, number>()

  constructor(start: Date, target: Date) {
    this.#start = start.getTime()
    this.#target = target.getTime()
    const length = this.#target - this.#start
    this.#gap = length / Math.min(STOPS_MAX, Math.max(STOPS_MIN, length / HOUR_MS))
  }

  /** The earliest stop at or before the target for what is due when. Undefined: nothing is due on the way. */
  next(dueAt: ReadonlyMap<Job, Date>, now: Date): Stop<Job> | undefined {
    for (const [job, due] of dueAt) {
      const at = this.#stopFor(job, Math.max(due.getTime(), now.getTime()))
      this.#promised.set(job, Math.min(at, this.#promised.get(job) ?? at))
    }
    const at = Math.min(...this.#promised.values())
    if (!(at <= this.#target)) return undefined
    return {
      at: new Date(at),
      jobs: [...this.#promised].flatMap(([job, time]) => (time === at ? [job] : [])),
    }
  }

  note(job: Job, at: Date): void {
    this.#made.set(job, { count: (this.#made.get(job)?.count ?? 0) + 1, last: at.getTime() })
    this.#promised.delete(job)
  }

  #stopFor(job: Job, due: number): number {
    const made = this.#made.get(job)
    if (!made) return due
    const earned = this.#start + (made.count + 1 - SAVED_AT_FIRST) * this.#gap
    return Math.max(due, made.last + MINUTE_MS, earned)
  }
}
