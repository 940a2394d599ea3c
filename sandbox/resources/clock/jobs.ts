import type { Job } from '#platform/process/jobs.ts'
import { moveClock } from './move.ts'
import type { MoveNeeds } from './work-off.ts'

/** Moves the clock of a sandbox, and runs the given jobs where they fall due. */
export function moveClockJob<Needs extends MoveNeeds>(jobs: readonly Job<Needs>[]): Job<Needs> {
  return {
    name: 'move-sandbox-clock',
    everyMs: 250,
    run: (needs, stopping) => moveClock(needs, jobs, stopping),
  }
}
