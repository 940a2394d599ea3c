import type { Context } from '#platform/database/db.ts'
import type { Reading } from '#platform/observability/readings.ts'
import { realTime } from '#platform/process/clock.ts'
import * as backlog from './backlog.ts'

const OPEN = 'switchyard_attempts_open'
const OLDEST = 'switchyard_attempts_oldest_seconds'
const DUE = 'switchyard_attempts_due'

/** Attempts that no answer has decided. */
export const attemptReading: Reading<{ readonly context: Context }> = {
  name: 'attempts',
  gauges: [
    { name: OPEN, help: 'Undecided attempts at services', labels: ['act', 'state'] },
    { name: OLDEST, help: 'How long the oldest undecided attempt is open', labels: ['act', 'state'] },
    { name: DUE, help: 'Undecided attempts that wait for the job: it is time to ask about them' },
  ],
  read: async ({ context }) => {
    const found = await backlog.countOpen(context)
    const now = realTime(context.clock).getTime()
    const due = found.reduce((sum, group) => sum + group.due, 0)
    return [
      { gauge: DUE, value: due },
      ...found.flatMap(({ kind, state, open, since }) => {
        const labels = { act: kind, state }
        const age = Math.max(0, now - since.getTime()) / 1000
        return [
          { gauge: OPEN, labels, value: open },
          { gauge: OLDEST, labels, value: age },
        ]
      }),
    ]
  },
}
