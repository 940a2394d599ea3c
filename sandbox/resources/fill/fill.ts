import type { Job } from '#platform/process/jobs.ts'
import { advanceAndTake } from '../clock/advance.ts'
import { moveTaken, newLease } from '../clock/move.ts'
import type { LateJob } from '../clock/store.ts'
import * as clocks from '../clock/store.ts'
import type { MoveNeeds } from '../clock/work-off.ts'
import type { Act } from './plan.ts'
import type { Shop } from './shop.ts'

const DAY_MS = 86_400_000
const AT_ONCE = 8
/** How much the shop does in one turn, so that no turn takes long. */
const ACTS_MAX = 200

type History = {
  readonly acts: readonly Act[]
  readonly start: Date
  readonly days: number
  readonly shop: Shop
}

/** What became of a history. */
export type Filled = {
  readonly isWhole: boolean
  /** The jobs that were late on the way. */
  readonly lateJobs: readonly LateJob[]
}

/**
 * Lives through a history: moves the clock a day at a time, and does on the way what the plan says, beside the other
 * jobs. A request that is refused does not end it. If all are refused, or it is stopped, the clock stays at the end of
 * the day that it has reached.
 */
export async function fill<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  { acts, start, days, shop }: History,
  stopping: AbortSignal,
): Promise<Filled> {
  const ahead = [...acts]
  const lateJobs = new Map<string, LateJob>()
  const shopping: Job<Needs> = {
    name: 'shop',
    everyMs: 0,
    nextDueAt: async () => (shop.isShut() ? null : (ahead[0]?.at ?? null)),
    run: async ({ context }) => {
      const now = context.clock()
      const count = ahead.findIndex(({ at }, index) => at > now || index === ACTS_MAX)
      await doAll(shop, ahead.splice(0, count === -1 ? ahead.length : count))
    },
  }
  for (let day = 0; day <= days && !shop.isShut() && !stopping.aborted; day += 1) {
    const lease = newLease()
    const target = new Date(start.getTime() + day * DAY_MS)
    if (target <= needs.context.clock()) continue
    const taken = await advanceAndTake(needs.context, target, lease)
    await moveTaken(needs, [...jobs, shopping], { lease, taken, stopping })
    for (const late of (await clocks.read(needs.context)).lateJobs) {
      if (!lateJobs.has(late.job)) lateJobs.set(late.job, late)
    }
  }
  return { isWhole: ahead.length === 0 && !shop.isShut(), lateJobs: [...lateJobs.values()] }
}

/** Some at once, as in a shop with several buyers. Those of one payment come one after the other. */
async function doAll(shop: Shop, acts: readonly Act[]): Promise<void> {
  const queue = [...Map.groupBy(acts, ({ payment }) => payment.buyer ?? -1 - payment.number).values()]
  const work = async () => {
    for (let mine = queue.shift(); mine && !shop.isShut(); mine = queue.shift()) {
      for (const act of mine) await shop.do(act)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
