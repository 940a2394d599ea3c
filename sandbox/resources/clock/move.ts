import { setTimeout as sleep } from 'node:timers/promises'
import { TRUSTED_MS } from '#platform/database/database-clock.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Lease } from './store.ts'
import * as clocks from './store.ts'
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

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Stops that a job may use up at once, at the beginning of the way. */
const SAVED_AT_FIRST = 20
/** How many more stops a job gets on the way: one for each hour, within these bounds. A daily job of two years gets all of its own. */
const STOPS_MIN = 100
const STOPS_MAX = 1_000

/** When the clock stops for which job, on its way to a target. */
type Stop<Job> = { readonly at: Date; readonly jobs: readonly Job[] }

/**
 * Decides where a moving clock stops next. A job gets a stop at most every minute. The stops of a job are spread over
 * the way, and those that it does not use are saved for later. So the way has an end, however often a job is due, and a
 * job that was quiet for a while gets its stops close together again.
 */
export class Timetable<Job> {
  readonly #start: number
  readonly #target: number
  /** After this time, a job gets one more stop. */
  readonly #gap: number
  readonly #made = new Map<Job, { readonly count: number; readonly last: number }>()
  /** Stops that are still ahead. A job that is asked on the way to its stop may no longer tell of what is due by then. */
  readonly #promised = new Map<Job, number>()

  constructor(start: Date, target: Date) {
    this.#start = start.getTime()
    this.#target = target.getTime()
    const length = this.#target - this.#start
    this.#gap = length / Math.min(STOPS_MAX, Math.max(STOPS_MIN, length / HOUR_MS))
  }

  /** The earliest stop at or before the target for what is due when. Undefined: nothing is due on the way. */
  next(dueAt: ReadonlyMap<Job, Date>, now: Date): Stop<Job> | undefined {
    for (const [job, due] of dueAt) {
      const at = this.#stopFor(job, Math.max(due.getTime(), now.getTime()))
      this.#promised.set(job, Math.min(at, this.#promised.get(job) ?? at))
    }
    const at = Math.min(...this.#promised.values())
    if (!(at <= this.#target)) return undefined
    return {
      at: new Date(at),
      jobs: [...this.#promised].flatMap(([job, time]) => (time === at ? [job] : [])),
    }
  }

  note(job: Job, at: Date): void {
    this.#made.set(job, { count: (this.#made.get(job)?.count ?? 0) + 1, last: at.getTime() })
    this.#promised.delete(job)
  }

  #stopFor(job: Job, due: number): number {
    const made = this.#made.get(job)
    if (!made) return due
    const earned = this.#start + (made.count + 1 - SAVED_AT_FIRST) * this.#gap
    return Math.max(due, made.last + MINUTE_MS, earned)
  }
}
