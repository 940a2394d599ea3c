import type { Context } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import * as pageChecks from './store.ts'

const AGE = 'switchyard_page_check_age_seconds'
const FINDINGS = 'switchyard_page_check_findings'

export const pageCheckReading: Reading<{ readonly context: Context }> = {
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
