import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, isDatabaseAway, QUERY_CANCELED } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Tx } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import { SETTLED_MS } from './note-change.ts'
import * as facts from './store.ts'

/** Payments of one commit: some tens of milliseconds of the database's time. */
const STEP = 2_000
/** Commits of one turn of the job. A history of millions of payments is filled in over many turns. */
const STEPS_MAX = 50
const HOUR_MS = 3_600_000

/**
 * Writes the facts of payments that are old enough. Accounts take turns, the one furthest behind first. An account whose
 * facts cannot be written holds up no other.
 */
export async function fillFacts(context: Context, stopping: AbortSignal, step = STEP): Promise<void> {
  const before = new Date(context.clock().getTime() - SETTLED_MS)
  const failures: unknown[] = []
  const turn = { context, stopping, failures }
  const pending = await facts.accountsWithPending(context)
  await takeTurns(
    turn,
    pending.map((merchantAccountId) => ({
      step,
      write: (tx, limit) => facts.writePending(tx, merchantAccountId, limit),
    })),
  )
  const behind = await facts.behind(context, before)
  await takeTurns(
    turn,
    behind.map(({ merchantAccountId }) => ({
      step,
      write: (tx, limit) => facts.fillNext(tx, merchantAccountId, { before, limit }),
    })),
  )
  failTogether(failures)
}

type FillRun = { readonly context: Context; readonly stopping: AbortSignal; readonly failures: unknown[] }

/** What is to be written for one account. */
type Work = {
  /** How many payments at once. */
  readonly step: number
  readonly write: (tx: Context<Tx>, limit: number) => Promise<'more' | 'done' | 'busy'>
}

async function takeTurns({ context, stopping, failures }: FillRun, work: readonly Work[]): Promise<void> {
  const waiting = [...work]
  for (let steps = 0; steps < STEPS_MAX && !stopping.aborted; steps += 1) {
    const next = waiting.shift()
    if (!next) return
    const since = performance.now()
    try {
      const state = await inTransaction(context, (tx) => next.write(tx, next.step))
      if (state === 'more') waiting.push(next)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      const isTooMuch = errorCode(error) === QUERY_CANCELED && next.step > 1
      if (isTooMuch) waiting.push({ ...next, step: Math.ceil(next.step / 2) })
      else failures.push(error)
    }
    // As long as it worked, it rests: payments come first.
    if (waiting.length > 0)
      await sleep(performance.now() - since, undefined, { signal: stopping }).catch(() => {})
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
