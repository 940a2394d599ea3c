import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, inTransaction } from '#platform/db.ts'
import { SETTLED_MS } from './note-change.ts'
import * as facts from './store.ts'

/** Payments of one commit: some tens of milliseconds of the database's time. */
const STEP = 2_000
/** Commits of one turn of the job. A history of millions of payments is filled in over many turns. */
const STEPS_MAX = 50
const HOUR_MS = 3_600_000

/** Writes the facts of payments that are old enough, of all accounts in turn, the one furthest behind first. */
export async function fillFacts(context: Context, stopping: AbortSignal, step = STEP): Promise<void> {
  const before = new Date(context.clock().getTime() - SETTLED_MS)
  await writePending(context, stopping, step)
  let steps = 0
  for (const { merchantAccountId } of await facts.behind(context, before)) {
    let state: Awaited<ReturnType<typeof facts.fillNext>> = 'more'
    while (state === 'more') {
      if (stopping.aborted || steps >= STEPS_MAX) return
      steps += 1
      const since = performance.now()
      state = await inTransaction(context, (tx) =>
        facts.fillNext(tx, merchantAccountId, { before, limit: step }),
      )
      // As long as it worked, it rests: payments come first.
      if (state === 'more')
        await sleep(performance.now() - since, undefined, { signal: stopping }).catch(() => {})
    }
  }
}

async function writePending(context: Context, stopping: AbortSignal, step: number): Promise<void> {
  for (let steps = 0; steps < STEPS_MAX && !stopping.aborted; steps += 1) {
    const written = await inTransaction(context, (tx) => facts.writePending(tx, step))
    if (written < step) return
  }
}

/**
 * When the oldest payment without facts is old enough, at the end of that hour: one turn serves many payments. Never the
 * moment itself, at which it is not old enough yet.
 */
export async function nextFill(context: Context): Promise<Date | null> {
  const [first] = await facts.behind(context, context.clock())
  if (!first) return null
  return new Date((Math.floor((first.since.getTime() + SETTLED_MS) / HOUR_MS) + 1) * HOUR_MS)
}
