import type { Job } from '#platform/process/jobs.ts'
import type { JobNeeds } from '../resource.ts'
import { fillFacts, nextFill } from './facts/fill.ts'

export const metricsExplorerJobs: readonly Job<JobNeeds>[] = [
  {
    name: 'fill-payment-facts',
    everyMs: 60_000,
    run: ({ context }, stopping) => fillFacts(context, stopping),
    nextDueAt: ({ context }) => nextFill(context),
  },
]
