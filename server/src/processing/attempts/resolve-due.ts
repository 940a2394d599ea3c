import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Scope } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import type { Engine } from '../engine.ts'
import type { KindName } from './store.ts'
import * as attempts from './store.ts'

/** How the job resolves one attempt of a kind, and does what follows for the same subject. */
export type Resolve = (scope: Scope, engine: Engine, attempt: attempts.Attempt) => Promise<unknown>
export type Kinds = Readonly<Record<KindName, Resolve>>

/** Each service has its own share, so that a provider that does not answer cannot take all places. */
const AT_ONCE = 32
const AT_ONCE_PER_SERVICE = 8
/** How often the job looks for newly due attempts while it waits for a slow provider. */
const LOOK_AGAIN_MS = 1_000
/** Places that become free within this time are filled by one statement. */
const TOGETHER_MS = 20
/** How long a process that stops waits for providers. What it leaves is resolved when the attempts are due again. */
const LET_GO_MS = 10_000

/**
 * Resolves attempts whose outcome is unknown: of processes that died, of lost answers, of slow providers. Any
 * process resolves those of any other; each attempt is taken by one process at a time. A slow service does
 * not delay the others, and a slow answer takes one place of its service.
 */
export async function resolveDue(
  context: Context,
  engine: Engine,
  kinds: Kinds,
  stopping?: AbortSignal,
): Promise<void> {
  // A connector that waits longer prolongs it: see `holdWhileAsked`.
  const leaseMs = engine.providers.timeoutMs * 2 + 10_000
  const failures: unknown[] = []
  const underWay = new Map<attempts.Attempt, Promise<void>>()
  const begin = (attempt: attempts.Attempt) => {
    const work = resolveOne(context, engine, kinds, attempt)
      // An attempt that cannot be resolved does not stop the others.
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(attempt))
    underWay.set(attempt, work)
  }
  try {
    while (!stopping?.aborted) {
      const others = [...underWay.keys()]
      const due = await attempts.takeDue(context, {
        kinds: Object.keys(kinds) as KindName[],
        limit: AT_ONCE - others.length,
        limitPerService: AT_ONCE_PER_SERVICE,
        underWay: others,
        leaseMs,
      })
      due.forEach(begin)
      if (due.length === 0 && others.length === 0) break
      await aPlace(underWay)
    }
  } finally {
    const all = Promise.all(underWay.values())
    await (stopping?.aborted ? Promise.race([all, sleep(LET_GO_MS, undefined, { ref: false })]) : all)
  }
  failTogether(failures)
}

async function resolveOne(
  context: Context,
  engine: Engine,
  kinds: Kinds,
  attempt: attempts.Attempt,
): Promise<void> {
  const scope = { ...context, merchantAccountId: attempt.merchant_account_id }
  const work = async () => void (await kinds[attempt.kind](scope, engine, attempt))
  const { tracer } = engine
  await (tracer ? tracer.goOn(attempt.traceparent, { name: `resolve ${attempt.kind}` }, work) : work())
}

/** Waits until it is worth looking for due attempts again. */
async function aPlace(underWay: ReadonlyMap<unknown, Promise<void>>): Promise<void> {
  if (underWay.size === 0) return
  await Promise.race([...underWay.values(), sleep(LOOK_AGAIN_MS)])
  if (underWay.size > 0) await sleep(TOGETHER_MS)
}
