import { setTimeout as sleep } from 'node:timers/promises'
import { TRUSTED_MS } from '#platform/database/database-clock.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Lease } from './store.ts'
import * as clocks from './store.ts'
import { Timetable } from './timetable.ts'
import { type Move, type MoveNeeds, type Patience, type TimedJob, workOff } from './work-off.ts'

const LEASE_MS = 15_000
const RENEW_MS = 3_000

/** How long, in real time, a move waits for what. */
export type Pace = Patience & {
  /** Before the first move. Then every process looks at the clock before each request, and none is behind after a move. */
  readonly firstPauseMs: number
}
const USUAL: Pace = {
  firstPauseMs: TRUSTED_MS + 500,
  stopMs: 30_000,
  waitMs: 180_000,
  turnMs: 180_000,
  endMs: 10_000,
}

/**
 * The job that moves the clock of a sandbox to its target. It stops wherever one of the other jobs is due, and lets it
 * do its work, in order of time. If its process dies, another one continues.
 */
export async function moveClock<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  stopping: AbortSignal,
  pace: Partial<Pace> = {},
): Promise<void> {
  if (needs.environment !== 'sandbox') return
  const lease = newLease()
  const taken = await clocks.take(needs.context, lease)
  if (taken) await moveTaken(needs, jobs, { lease, taken, stopping, pace })
}

export function newLease(): Lease {
  return { holder: crypto.randomUUID(), leaseMs: LEASE_MS }
}

type Turn = {
  readonly lease: Lease
  readonly taken: clocks.MovingClock
  readonly stopping: AbortSignal
  readonly pace?: Partial<Pace>
}

/** Moves a clock that this process has the lease of. */
export async function moveTaken<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  { lease, taken, stopping, pace = {} }: Turn,
): Promise<void> {
  const { context } = needs
  const { firstPauseMs, ...patience } = { ...USUAL, ...pace }
  const lost = new AbortController()
  const ending = AbortSignal.any([stopping, lost.signal])
  const renewing = setInterval(() => {
    const renewed = clocks.renew(context, lease)
    void renewed.then((isOurs) => isOurs || lost.abort()).catch(() => {})
  }, RENEW_MS)
  try {
    if (taken.offsetMs === 0) await sleep(firstPauseMs, undefined, { signal: ending })
    const timed = jobs.filter((job): job is TimedJob<Needs> => job.nextDueAt !== undefined)
    const move: Move<Needs> = {
      needs,
      jobs: timed,
      lease,
      ending,
      patience,
      leftBehind: new Set(),
      waitLeftMs: patience.waitMs,
    }
    await stopOnTheWay(move, taken.target)
    await clocks.release(context, lease, { isDone: true })
  } catch (error) {
    if (!lost.signal.aborted) await clocks.release(context, lease, { isDone: false })
    if (!ending.aborted) throw error
  } finally {
    clearInterval(renewing)
  }
}

async function stopOnTheWay<Needs extends MoveNeeds>(move: Move<Needs>, target: Date): Promise<void> {
  const { clock } = move.needs.context
  const timetable = new Timetable<TimedJob<Needs>>(clock(), target)
  // All of them at first: some jobs tell only of what will be due.
  let { dueAt } = await workOff(move, move.jobs)
  for (;;) {
    const stop = timetable.next(dueAt, clock())
    if (!stop) break
    await moveTo(move, stop.at)
    const done = await workOff(move, stop.jobs)
    for (const job of done.ran) timetable.note(job, stop.at)
    dueAt = done.dueAt
  }
  await moveTo(move, target)
  await workOff(move, move.jobs)
}

async function moveTo<Needs extends MoveNeeds>(
  { needs, lease, ending }: Move<Needs>,
  time: Date,
): Promise<void> {
  const { clock } = needs.context
  ending.throwIfAborted()
  if (time > clock() && !(await clocks.moveTo(needs.context, lease, time))) {
    throw new Error('another worker moves the clock')
  }
  while (clock() < time) {
    ending.throwIfAborted()
    await clock.catchUp?.()
  }
}
