import type { Job } from '#platform/process/jobs.ts'
import { type Erasing, eraseDue } from './erase.ts'
import * as erasures from './store.ts'

export const eraseBuyersJob: Job<Erasing> = {
  name: 'erase-buyers',
  everyMs: 1_000,
  run: eraseDue,
  nextDueAt: ({ context }) => erasures.nextDueAt(context),
}
