import type { Context } from '#platform/db.ts'
import type { Job } from '#platform/jobs.ts'
import type { Engine } from '../engine.ts'
import * as exchanges from './store.ts'

const BATCH = 1_000
const DAY_MS = 86_400_000

type Needs = { readonly context: Context; readonly engine: Engine }

export const purgeExchanges: Job<Needs> = {
  name: 'purge-old-exchanges',
  everyMs: 10 * 60_000,
  run: async ({ context, engine }, stopping) => {
    const before = new Date(context.clock().getTime() - keptMs(engine))
    while (!stopping.aborted) {
      if ((await exchanges.removeOld(context, before, BATCH)) < BATCH) return
    }
  },
  nextDueAt: async ({ context, engine }) => {
    const oldest = await exchanges.oldest(context)
    return oldest && new Date(oldest.getTime() + keptMs(engine) + 1)
  },
}

function keptMs({ exchanges: { retentionDays } }: Engine): number {
  return retentionDays * DAY_MS
}
