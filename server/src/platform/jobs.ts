import type { Context } from './db.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Secrets } from './secrets.ts'

/** Work that is due again and again. It may run in several processes at once and must bear that. */
export type Job = {
  readonly name: string
  readonly everyMs: number
  /** Does what is left to do before the process ends. */
  readonly isRunAtStop?: true
  readonly run: (services: JobServices) => Promise<void>
}

export type JobServices = { readonly context: Context; readonly secrets: Secrets }

type Options = JobServices & { readonly logger: Logger; readonly metrics: Metrics }

/** Runs each job at its pace until stopped. A failure is logged, and the next turn tries again. */
export function startJobs(jobs: readonly Job[], options: Options): { readonly stop: () => Promise<void> } {
  let isStopping = false
  const timers = new Map<Job, NodeJS.Timeout>()
  const running = new Map<Job, Promise<void>>()
  const schedule = (job: Job): void => {
    if (isStopping) return
    const turn = () =>
      running.set(
        job,
        runOnce(job, options).finally(() => schedule(job)),
      )
    timers.set(job, setTimeout(turn, job.everyMs))
  }
  jobs.forEach(schedule)
  return {
    stop: async () => {
      isStopping = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
      for (const job of jobs.filter(({ isRunAtStop }) => isRunAtStop)) await runOnce(job, options)
    },
  }
}

async function runOnce(job: Job, { context, secrets, logger, metrics }: Options): Promise<void> {
  try {
    await job.run({ context, secrets })
    metrics.countJob(job.name, 'succeeded')
  } catch (error) {
    metrics.countJob(job.name, 'failed')
    logger.error({ err: error, job: job.name }, 'a job failed; it will be tried again')
  }
}
