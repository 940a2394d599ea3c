import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#platform/database/db.ts'
import type { Logger } from '#platform/observability/log.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { LateJob, Lease } from './store.ts'
import * as clocks from './store.ts'

/** How often we look whether a job has done what was due. */
const LOOK_MS = 20
/** A job that says again and again that it is due now does not hold up the clock. */
const ROUNDS_MAX = 1_000

/** How long, in real time, the clock waits. */
export type Patience = {
  /** At one stop, for what is due: a receiver of webhooks may be slow. */
  readonly stopMs: number
  /** The same for all stops together. After that, what is late stays late. */
  readonly waitMs: number
  /** For one turn of a job. Then the job is asked to end, and the clock moves on without it. */
  readonly turnMs: number
  /** How long a job that is asked to end may take to do so. */
  readonly endMs: number
}

export type MoveNeeds = { readonly context: Context; readonly logger: Logger; readonly environment: string }
export type TimedJob<Needs> = Job<Needs> & Required<Pick<Job<Needs>, 'nextDueAt'>>

/** One worker's move of the clock. */
export type Move<Needs> = {
  readonly needs: Needs
  readonly jobs: readonly TimedJob<Needs>[]
  readonly lease: Lease
  readonly ending: AbortSignal
  readonly patience: Patience
  /** Jobs that took too long. The clock waits for them no more. They go on at their own pace. */
  readonly leftBehind: Set<TimedJob<Needs>>
  /** How much longer the clock may wait for others on its way. */
  waitLeftMs: number
}

export type Done<Needs> = {
  readonly ran: ReadonlySet<TimedJob<Needs>>
  /** When what is due from now on. */
  readonly dueAt: ReadonlyMap<TimedJob<Needs>, Date>
}

/**
 * Runs the jobs that are due at a stop, and those that become due by what they do, until nothing is due. It waits for
 * others, such as receivers of webhooks, but not for ever. The clock's row says which jobs were late, and why.
 */
export async function workOff<Needs extends MoveNeeds>(
  move: Move<Needs>,
  first: readonly TimedJob<Needs>[],
): Promise<Done<Needs>> {
  const { clock } = move.needs.context
  const ran = new Set<TimedJob<Needs>>()
  const failed = new Map<TimedJob<Needs>, Date>()
  const leastLeftMs = Math.max(0, move.waitLeftMs - move.patience.stopMs)
  let due = first
  let before = ''
  for (let round = 1; ; round += 1) {
    for (const job of due) {
      move.ending.throwIfAborted()
      const at = clock()
      const { isFailed } = await takeTurn(move, job)
      if (!isFailed) failed.delete(job)
      else if (!failed.has(job)) failed.set(job, at)
      ran.add(job)
    }
    const dueAt = await askAll(move)
    due = [...dueAt].flatMap(([job, at]) => (at <= clock() ? [job] : []))
    const state = JSON.stringify(due.map((job) => [job.name, dueAt.get(job)]))
    const isWaiting = state === before || due.every(({ isEndless }) => isEndless)
    before = state
    const isEnough = (isWaiting && move.waitLeftMs <= leastLeftMs) || round > ROUNDS_MAX
    if (due.length === 0 || isEnough) {
      for (const job of due) await noteLate(move, job, failed.has(job) ? 'failed' : 'waiting', dueAt.get(job))
      for (const [job, at] of failed) await noteLate(move, job, 'failed', at)
      return { ran, dueAt }
    }
    if (!isWaiting) continue
    await sleep(LOOK_MS)
    move.waitLeftMs -= LOOK_MS
  }
}

async function askAll<Needs extends MoveNeeds>(move: Move<Needs>): Promise<Map<TimedJob<Needs>, Date>> {
  const asked = move.jobs.filter((job) => !move.leftBehind.has(job))
  const answers = await Promise.all(asked.map(async (job) => [job, await nextDueAt(move, job)] as const))
  return new Map(answers.flatMap(([job, at]) => (at ? [[job, at]] : [])))
}

/** A job that cannot say when it is due does not stop the clock. It gets no stop, and runs as usual afterwards. */
async function nextDueAt<Needs extends MoveNeeds>(
  move: Move<Needs>,
  job: TimedJob<Needs>,
): Promise<Date | null> {
  const { needs } = move
  try {
    return await job.nextDueAt(needs)
  } catch (error) {
    needs.logger.error({ err: error, job: job.name }, 'a job did not say when it is due')
    await noteLate(move, job, 'failed')
    return null
  }
}

/** Runs a job once. The clock moves on without a job that takes too long, and waits for it no more. */
async function takeTurn<Needs extends MoveNeeds>(
  move: Move<Needs>,
  job: TimedJob<Needs>,
): Promise<{ readonly isFailed: boolean }> {
  const { needs, ending, patience, leftBehind } = move
  if (leftBehind.has(job)) return { isFailed: false }
  const enough = new AbortController()
  const over = new AbortController()
  const begunAt = needs.context.clock()
  let isFailed = false
  void job
    .run(needs, AbortSignal.any([ending, enough.signal]))
    .catch((error: unknown) => {
      isFailed = true
      needs.logger.error({ err: error, job: job.name }, 'a job failed while the clock moved')
    })
    .finally(() => over.abort())
  if (job.isEndless) await untilNothingIsDue(move, job, over.signal)
  else await pause(patience.turnMs, AbortSignal.any([over.signal, ending]))
  const isInTime = job.isEndless || over.signal.aborted
  enough.abort()
  await pause(patience.endMs, over.signal)
  if (ending.aborted || (isInTime && over.signal.aborted)) return { isFailed }
  leftBehind.add(job)
  await noteLate(move, job, 'slow', begunAt)
  return { isFailed: false }
}

async function untilNothingIsDue<Needs extends MoveNeeds>(
  move: Move<Needs>,
  job: TimedJob<Needs>,
  over: AbortSignal,
): Promise<void> {
  const { needs, ending, patience } = move
  const start = performance.now()
  const waitMs = Math.min(patience.stopMs, Math.max(LOOK_MS, move.waitLeftMs))
  while (!over.aborted && !ending.aborted && performance.now() - start < waitMs) {
    const at = await nextDueAt(move, job)
    if (at === null || at > needs.context.clock()) break
    await sleep(LOOK_MS)
  }
  move.waitLeftMs -= performance.now() - start
}

async function noteLate<Needs extends MoveNeeds>(
  { needs, lease }: Move<Needs>,
  job: TimedJob<Needs>,
  reason: LateJob['reason'],
  dueAt = needs.context.clock(),
): Promise<void> {
  needs.logger.warn({ job: job.name, reason }, 'the clock moves on, and this job is late')
  await clocks.noteLate(needs.context, lease, { job: job.name, reason, due_at: dueAt.toISOString() })
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}
