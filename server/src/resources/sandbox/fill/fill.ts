import type { Job } from '#platform/jobs.ts'
import { advanceAndTake } from '../clock/advance.ts'
import { type MoveNeeds, moveTaken, newLease } from '../clock/move.ts'
import type { Act } from './plan.ts'
import type { Shop } from './shop.ts'

const DAY_MS = 86_400_000
const AT_ONCE = 8

type History = {
  readonly acts: readonly Act[]
  readonly start: Date
  readonly days: number
  readonly shop: Shop
}

/**
 * Lives through a history: moves the clock a day at a time, and does on the way what the plan says, beside the other
 * jobs. If it is stopped, the clock stays in the day that it has reached.
 */
export async function fill<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  { acts, start, days, shop }: History,
  stopping: AbortSignal,
): Promise<void> {
  const ahead = [...acts]
  const failures: unknown[] = []
  const shopping: Job<Needs> = {
    name: 'shop',
    everyMs: 0,
    nextDueAt: async () => ahead[0]?.at ?? null,
    run: async ({ context }) => {
      const now = context.clock()
      const count = ahead.findIndex(({ at }) => at > now)
      await doAll(shop, ahead.splice(0, count === -1 ? ahead.length : count)).catch((error: unknown) => {
        failures.push(error)
        ahead.length = 0
      })
    },
  }
  for (let day = 0; day <= days && failures.length === 0 && !stopping.aborted; day += 1) {
    const lease = newLease()
    const target = new Date(start.getTime() + day * DAY_MS)
    if (target <= needs.context.clock()) continue
    const taken = await advanceAndTake(needs.context, target, lease)
    await moveTaken(needs, [...jobs, shopping], { lease, taken, stopping })
  }
  if (failures.length > 0) throw failures[0]
}

/** Some at once, as in a shop with several buyers. Those of one payment come one after the other. */
async function doAll(shop: Shop, acts: readonly Act[]): Promise<void> {
  const queue = [...Map.groupBy(acts, ({ payment }) => payment.buyer ?? -1 - payment.number).values()]
  const work = async () => {
    for (let mine = queue.shift(); mine; mine = queue.shift()) {
      for (const act of mine) await shop.do(act)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}
