import type { Job } from '#platform/process/jobs.ts'
import type { JobNeeds } from '#resources/resource.ts'
import { runBackTests } from './run.ts'

export const backTestJob: Job<JobNeeds> = {
  name: 'run-back-tests',
  everyMs: 1_000,
  run: runBackTests,
}
