import type { Context } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import { buyerUrl } from '#processing/engine.ts'
import type { Resource } from '#resources/resource.ts'
import { checkPagesWeekly } from './check.ts'
import * as pageChecks from './store.ts'

const AGE = 'switchyard_page_check_age_seconds'
const FINDINGS = 'switchyard_page_check_findings'

const pageCheckReading: Reading<{ readonly context: Context }> = {
  name: 'page checks',
  gauges: [
    { name: AGE, help: 'Time since the last check of the payment pages that ended' },
    { name: FINDINGS, help: 'What the last check of the payment pages found' },
  ],
  read: async ({ context }) => {
    const now = context.clock()
    const last = await pageChecks.latest(context, now)
    if (!last?.findings) return []
    return [
      { gauge: AGE, value: (now.getTime() - last.created_at.getTime()) / 1000 },
      { gauge: FINDINGS, value: last.findings.length },
    ]
  },
}

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
