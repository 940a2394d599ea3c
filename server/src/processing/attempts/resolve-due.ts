import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Scope } from '#platform/db.ts'
import { failTogether } from '#platform/jobs.ts'
import type { Engine } from '../engine.ts'
import type { KindName } from './kinds.ts'
import * as attempts from './store.ts'

/** How the job resolves one attempt of a kind, and does what follows for the same subject. */
export type Resolve = (scope: Scope, engine: Engine, attempt: attempts.Attempt) => Promise<unknown>
export type Kinds = Readonly<Record<KindName, Resolve>>

/** Each service has its own share, so that a provider that does not answer cannot take all places. */
const AT_ONCE = 32
const AT_ONCE_PER_SERVICE = 8
/** How often the job looks for newly due attempts while it waits for a slow provider. */
const LOOK_AGAIN_MS = 1_000
/** How long a process that stops waits for providers. What it leaves is resolved when the attempts are due again. */
const LET_GO_MS = 10_000

/**
 * Resolves attempts whose outcome is unknown: of processes that died, of lost answers, of slow providers. Any
 * process resolves those of any other; each attempt is taken by one process at a time. A slow service does
 * not delay the others.
 */
export async function resolveDue(
  context: Context,
  engine: Engine,
  kinds: Kinds,
  stopping?: AbortSignal,
): Promise<void> {
  // A connector that waits longer prolongs it: see `hold.ts`.
  const leaseMs = engine.providers.timeoutMs * 2 + 10_000
  const failures: unknown[] = []
  const busy = new Map<string, { readonly count: number; readonly work: Promise<void> }>()
  const places = () => [...busy.values()].reduce((left, { count }) => left - count, AT_ONCE)
  try {
    while (!stopping?.aborted) {
      const besides = [...busy.keys()]
      const due = await attempts.takeDue(context, {
        kinds: Object.keys(kinds) as KindName[],
        limit: places(),
        limitPerService: AT_ONCE_PER_SERVICE,
        besides,
        leaseMs,
      })
      for (const [serviceId, ofService] of Map.groupBy(due, ({ service_id }) => service_id)) {
        const work = resolveAll(context, engine, kinds, ofService).then((failed) => {
          failures.push(...failed)
          busy.delete(serviceId)
        })
        busy.set(serviceId, { count: ofService.length, work })
      }
      if (due.length === 0 && besides.length === 0) break
      // A service that has answered meanwhile may have more due attempts; it was left out just now.
      if (busy.size === 0) continue
      await Promise.race([...[...busy.values()].map(({ work }) => work), sleep(LOOK_AGAIN_MS)])
    }
  } finally {
    const all = Promise.all([...busy.values()].map(({ work }) => work))
    await (stopping?.aborted ? Promise.race([all, sleep(LET_GO_MS, undefined, { ref: false })]) : all)
  }
  failTogether(failures)
}

/** An attempt that cannot be resolved does not stop the others. Returns the errors. */
async function resolveAll(
  context: Context,
  engine: Engine,
  kinds: Kinds,
  due: readonly attempts.Attempt[],
): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(
    due.map(async (attempt) => kinds[attempt.kind](scopeOf(context, attempt), engine, attempt)),
  )
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
}

function scopeOf(context: Context, { merchant_account_id }: attempts.Attempt): Scope {
  return { ...context, merchantAccountId: merchant_account_id }
}
