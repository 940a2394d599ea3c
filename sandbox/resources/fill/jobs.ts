import type { Job } from '#platform/process/jobs.ts'
import type { MoveNeeds } from '../clock/work-off.ts'
import { runFill, type Surroundings } from './run.ts'

/** Makes the history that a sandbox is to be filled with. */
export function fillSandboxJob<Needs extends MoveNeeds>(surroundings: Surroundings<Needs>): Job<Needs> {
  return {
    name: 'fill-sandbox',
    everyMs: 1_000,
    run: (needs, stopping) => runFill(needs, surroundings, stopping),
  }
}
