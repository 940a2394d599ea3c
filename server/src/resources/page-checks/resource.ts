import { buyerUrl } from '#processing/engine.ts'
import type { Resource } from '#resources/resource.ts'
import { checkPagesWeekly } from './check.ts'
import { pageCheckReading } from './readings.ts'

/** Looks whether a check is due. The pages are real also in a sandbox whose clock was moved, so it does not stop for them. */
const EVERY_MS = 10 * 60_000

export const pageCheckResource: Resource = {
  operations: () => [],
  jobs: [
    {
      name: 'check-pages',
      everyMs: EVERY_MS,
      run: ({ context, engine }) => checkPagesWeekly(context, buyerUrl(engine)),
    },
  ],
  readings: [pageCheckReading],
}
