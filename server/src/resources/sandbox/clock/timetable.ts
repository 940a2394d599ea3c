const MINUTE_MS = 60_000
/** After so many stops for one job, the time between two of its stops doubles. */
const STOPS_BEFORE_DOUBLING = 20
/** Less than a day, so that a daily job gets all of its stops. */
const GAP_MAX_MS = 20 * 60 * MINUTE_MS

/** When the clock stops for which job, on its way to a target. */
export type Stop<Job> = { readonly at: Date; readonly jobs: readonly Job[] }

/**
 * Decides where a moving clock stops next. A job that is due again and again gets a stop at most every minute, then
 * every two minutes and so on, up to 20 hours. So two years have at most some eleven hundred stops for a job, and a
 * daily job gets all of its own.
 */
export class Timetable<Job> {
  readonly #stops = new Map<Job, { readonly count: number; readonly last: number }>()

  /** The earliest stop at or before the target for what is due when. Undefined: nothing is due on the way. */
  next(dueAt: ReadonlyMap<Job, Date>, now: Date, target: Date): Stop<Job> | undefined {
    const times = [...dueAt].map(([job, due]) => ({ job, at: this.#stopFor(job, due, now) }))
    const at = Math.min(...times.map((time) => time.at))
    if (!(at <= target.getTime())) return undefined
    return { at: new Date(at), jobs: times.filter((time) => time.at === at).map(({ job }) => job) }
  }

  note(job: Job, at: Date): void {
    this.#stops.set(job, { count: (this.#stops.get(job)?.count ?? 0) + 1, last: at.getTime() })
  }

  #stopFor(job: Job, due: Date, now: Date): number {
    const stops = this.#stops.get(job)
    if (!stops) return Math.max(due.getTime(), now.getTime())
    const gap = Math.min(GAP_MAX_MS, MINUTE_MS * 2 ** Math.floor(stops.count / STOPS_BEFORE_DOUBLING))
    return Math.max(due.getTime(), stops.last + gap)
  }
}
