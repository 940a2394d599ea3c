import { isDatabaseAway } from '../database/database-errors.ts'
import type { Logger } from '../observability/log.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Reading } from '../observability/readings.ts'

/** Work that is due again and again. It may run in several processes at once, and must tolerate that. */
export type Job<Services> = {
  readonly name: string
  readonly everyMs: number
  /** A turn lasts until it is stopped. */
  readonly isEndless?: true
  /** Runs once more before the process ends. */
  readonly isRunAtStop?: true
  /** Long work ends early, between two steps, once `stopping` is aborted. */
  readonly run: (services: Services, stopping: AbortSignal) => Promise<void>
  /**
   * When, by the service's clock, this job next has something to do. Null if nothing waits for a time. A sandbox
   * whose clock is moved asks every job, so the answer must be one cheap statement.
   */
  readonly nextDueAt?: (services: Services) => Promise<Date | null>
}

type Watchers = {
  readonly logger: Logger
  readonly metrics: Metrics
  /** Awaited before each turn. */
  readonly catchUp?: (() => Promise<void>) | undefined
}

/** Runs each job at its pace until stopped. A failure is logged, and the next turn tries again. */
export function startJobs<Services>(
  jobs: readonly Job<Services>[],
  services: Services,
  watchers: Watchers,
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController()
  const timers = new Map<Job<Services>, NodeJS.Timeout>()
  const running = new Map<Job<Services>, Promise<void>>()
  const failures = new Failures(watchers.logger)
  const work = (job: Job<Services>, signal: AbortSignal) =>
    runOnce(job, services, { ...watchers, failures }, signal)
  const schedule = (job: Job<Services>, waitMs: number): void => {
    if (stopping.signal.aborted) return
    const turn = async () => {
      const isAway = await work(job, stopping.signal)
      schedule(job, isAway ? Math.max(job.everyMs, Math.min(waitMs * 2, AWAY_WAIT_MS_MAX)) : job.everyMs)
    }
    timers.set(
      job,
      setTimeout(() => running.set(job, turn()), waitMs),
    )
  }
  for (const job of jobs) schedule(job, job.everyMs)
  return {
    stop: async () => {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
      const last = jobs.filter(({ isRunAtStop }) => isRunAtStop)
      for (const job of last) await work(job, new AbortController().signal)
    },
  }
}

/** Returns whether it failed because the database is away. */
async function runOnce<Services>(
  job: Job<Services>,
  services: Services,
  { metrics, catchUp, failures }: Watchers & { readonly failures: Failures },
  stopping: AbortSignal,
): Promise<boolean> {
  try {
    await catchUp?.()
    await job.run(services, stopping)
    metrics.countJob(job.name, 'succeeded')
    return false
  } catch (error) {
    metrics.countJob(job.name, 'failed')
    failures.tell(job.name, error)
    return isDatabaseAway(error)
  }
}

/** While the database is away, jobs look for it less and less often, down to this. */
const AWAY_WAIT_MS_MAX = 10_000
const QUIET_MS = 60_000

/** Logs failures of jobs. While the database is away all of them fail for one reason, which is told once a minute. */
class Failures {
  readonly #logger: Logger
  #toldAt = Number.NEGATIVE_INFINITY
  #untold = 0

  constructor(logger: Logger) {
    this.#logger = logger
  }

  tell(job: string, error: unknown): void {
    if (!isDatabaseAway(error)) {
      this.#logger.error({ err: error, job }, 'a job failed; it will be retried')
      return
    }
    this.#untold += 1
    if (performance.now() - this.#toldAt < QUIET_MS) return
    const count = this.#untold
    this.#logger.error({ err: error, job, count }, 'a job failed: the database is away; all will be retried')
    this.#toldAt = performance.now()
    this.#untold = 0
  }
}

const OVERDUE = 'switchyard_job_overdue_seconds'

/** How late the work is that waits for its time, whichever process does it. */
export function jobReading<Services>(
  jobs: readonly Job<Services>[],
  clock: (services: Services) => Date,
): Reading<Services> {
  return {
    name: 'jobs',
    gauges: [
      {
        name: OVERDUE,
        help: 'How long the next work of a job is late; 0: nothing is due',
        labels: ['job_name'],
      },
    ],
    read: async (services) => {
      const now = clock(services).getTime()
      const samples = []
      for (const { name, everyMs, nextDueAt } of jobs) {
        if (!nextDueAt) continue
        const at = await nextDueAt(services)
        // A job that looks once an hour is not late before the hour has passed.
        const value = Math.max(0, at ? now - at.getTime() - everyMs : 0) / 1000
        samples.push({ gauge: OVERDUE, labels: { job_name: name }, value })
      }
      return samples
    },
  }
}

const FAILURES_SHOWN = 10

/** Throws the failures of a turn after the rest of its work is done, so that the turn counts as failed. */
export function failTogether(failures: readonly unknown[]): void {
  if (failures.length === 0) return
  if (failures.length === 1) throw failures[0]
  throw new AggregateError(failures.slice(0, FAILURES_SHOWN), `${failures.length} things failed`)
}
