import type { Job } from '#platform/process/jobs.ts'
import type { JobNeeds, Resource } from '#resources/resource.ts'
import { fillFacts, nextFill } from './facts/fill.ts'
import { presetRoutes } from './presets/routes.ts'
import { metricsExplorerRoutes } from './routes.ts'

const metricsExplorerJobs: readonly Job<JobNeeds>[] = [
  {
    name: 'fill-payment-facts',
    everyMs: 60_000,
    run: ({ context }, stopping) => fillFacts(context, stopping),
    nextDueAt: ({ context }) => nextFill(context),
  },
]

export const metricsExplorerResource: Resource = {
  operations: (needs) => [...metricsExplorerRoutes(needs), ...presetRoutes()],
  jobs: metricsExplorerJobs,
}
