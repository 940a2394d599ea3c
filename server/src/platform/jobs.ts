import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Work that is due again and again. It may run in several processes at once and must bear that. */
export type Job<Services> = {
  readonly name: string
  readonly everyMs: number
  /** Does what is left to do before the process ends. */
  readonly isRunAtStop?: true
  readonly run: (services: Services) => Promise<void>
}

type Watchers = { readonly logger: Logger; readonly metrics: Metrics }

/** Runs each job at its pace until stopped. A failure is logged, and the next turn tries again. */
export function startJobs<Services>(
  jobs: readonly Job<Services>[],
  services: Services,
  watchers: Watchers,
): { readonly stop: () => Promise<void> } {
  let isStopping = false
  const timers = new Map<Job<Services>, NodeJS.Timeout>()
  const running = new Map<Job<Services>, Promise<void>>()
  const schedule = (job: Job<Services>): void => {
    if (isStopping) return
    const turn = () =>
      running.set(
        job,
        runOnce(job, services, watchers).finally(() => schedule(job)),
      )
    timers.set(job, setTimeout(turn, job.everyMs))
  }
  jobs.forEach(schedule)
  return {
    stop: async () => {
      isStopping = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
      for (const job of jobs.filter(({ isRunAtStop }) => isRunAtStop)) await runOnce(job, services, watchers)
    },
  }
}

async function runOnce<Services>(
  job: Job<Services>,
  services: Services,
  { logger, metrics }: Watchers,
): Promise<void> {
  try {
    await job.run(services)
    metrics.countJob(job.name, 'succeeded')
  } catch (error) {
    metrics.countJob(job.name, 'failed')
    logger.error({ err: error, job: job.name }, 'a job failed; it will be tried again')
  }
}
