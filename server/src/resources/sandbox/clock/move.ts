import { setTimeout as sleep } from 'node:timers/promises'
import { TRUSTED_MS } from '#platform/database-clock.ts'
import type { Context } from '#platform/db.ts'
import type { Job } from '#platform/jobs.ts'
import type { Logger } from '#platform/log.ts'
import type { Lease } from './store.ts'
import * as clocks from './store.ts'
import { Timetable } from './timetable.ts'

/** Before the first move. Then every process looks at the clock before each request, and none is behind after a move. */
const FIRST_PAUSE_MS = TRUSTED_MS + 500
const LEASE_MS = 15_000
const RENEW_MS = 3_000
/** How often we look whether a job has done what was due. */
const LOOK_MS = 20
/** How long, in real time, a stop waits for what is due: a receiver of webhooks may be slow. */
const STOP_MAX_MS = 30_000
/** The same for all stops together. After that, what is late stays late. */
const WAIT_MAX_MS = 180_000
/** A job that says again and again that it is due now does not hold up the clock. */
const ROUNDS_MAX = 1_000

export type MoveNeeds = { readonly context: Context; readonly logger: Logger; readonly environment: string }
type TimedJob<Needs> = Job<Needs> & Required<Pick<Job<Needs>, 'nextDueAt'>>

type Move<Needs> = {
  readonly needs: Needs
  readonly jobs: readonly TimedJob<Needs>[]
  readonly lease: Lease
  readonly ending: AbortSignal
  /** How much longer, in real time, the clock may wait for others on its way. */
  waitLeftMs: number
}

/**
 * The job that moves the clock of a sandbox to its target. It stops wherever one of the other jobs is due, and lets it
 * do its work, in order of time. If its process dies, another one continues.
 */
export async function moveClock<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  stopping: AbortSignal,
  firstPauseMs = FIRST_PAUSE_MS,
): Promise<void> {
  if (needs.environment !== 'sandbox') return
  const lease = newLease()
  const taken = await clocks.take(needs.context, lease)
  if (taken) await moveTaken(needs, jobs, { lease, taken, stopping, firstPauseMs })
}

export function newLease(): Lease {
  return { holder: crypto.randomUUID(), leaseMs: LEASE_MS }
}

type Turn = {
  readonly lease: Lease
  readonly taken: clocks.MovingClock
  readonly stopping: AbortSignal
  readonly firstPauseMs?: number
}

/** Moves a clock that this process has the lease of. */
export async function moveTaken<Needs extends MoveNeeds>(
  needs: Needs,
  jobs: readonly Job<Needs>[],
  { lease, taken, stopping, firstPauseMs = FIRST_PAUSE_MS }: Turn,
): Promise<void> {
  const { context } = needs
  const lost = new AbortController()
  const ending = AbortSignal.any([stopping, lost.signal])
  const renewing = setInterval(() => {
    const renewed = clocks.renew(context, lease)
    void renewed.then((isOurs) => isOurs || lost.abort()).catch(() => {})
  }, RENEW_MS)
  try {
    if (taken.offsetMs === 0) await sleep(firstPauseMs, undefined, { signal: ending })
    const timed = jobs.filter((job): job is TimedJob<Needs> => job.nextDueAt !== undefined)
    const move: Move<Needs> = { needs, jobs: timed, lease, ending, waitLeftMs: WAIT_MAX_MS }
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
  const timetable = new Timetable<TimedJob<Needs>>()
  // All of them at first: some jobs tell only of what will be due.
  let { dueAt } = await workOff(move, move.jobs)
  for (;;) {
    const stop = timetable.next(dueAt, clock(), target)
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

async function askAll<Needs extends MoveNeeds>({
  needs,
  jobs,
}: Move<Needs>): Promise<Map<TimedJob<Needs>, Date>> {
  const answers = await Promise.all(jobs.map(async (job) => [job, await nextDueAt(needs, job)] as const))
  return new Map(answers.flatMap(([job, at]) => (at ? [[job, at]] : [])))
}

/** A job that cannot say when it is due does not stop the clock. It gets no stop, and runs as usual afterwards. */
function nextDueAt<Needs extends MoveNeeds>(needs: Needs, job: TimedJob<Needs>): Promise<Date | null> {
  return job.nextDueAt(needs).catch((error: unknown) => {
    needs.logger.error({ err: error, job: job.name }, 'a job did not say when it is due')
    return null
  })
}

type Done<Needs> = {
  readonly ran: ReadonlySet<TimedJob<Needs>>
  /** When what is due from now on. */
  readonly dueAt: ReadonlyMap<TimedJob<Needs>, Date>
}

/**
 * Runs the jobs that are due at a stop, and those that become due by what they do, until nothing is due. It waits for
 * others, such as receivers of webhooks, but not for ever.
 */
async function workOff<Needs extends MoveNeeds>(
  move: Move<Needs>,
  first: readonly TimedJob<Needs>[],
): Promise<Done<Needs>> {
  const { context, logger } = move.needs
  const ran = new Set<TimedJob<Needs>>()
  const leastLeftMs = Math.max(0, move.waitLeftMs - STOP_MAX_MS)
  let due = first
  let before = ''
  for (let round = 1; ; round += 1) {
    move.ending.throwIfAborted()
    for (const job of due) await runOnce(move, job)
    for (const job of due) ran.add(job)
    const dueAt = await askAll(move)
    due = [...dueAt].flatMap(([job, at]) => (at <= context.clock() ? [job] : []))
    if (due.length === 0) return { ran, dueAt }
    const now = JSON.stringify(due.map((job) => [job.name, dueAt.get(job)]))
    const isWaiting = now === before || due.every(({ isEndless }) => isEndless)
    before = now
    if ((isWaiting && move.waitLeftMs <= leastLeftMs) || round > ROUNDS_MAX) {
      logger.warn({ jobs: due.map(({ name }) => name) }, 'the clock moves on, and these jobs are late')
      return { ran, dueAt }
    }
    if (!isWaiting) continue
    await sleep(LOOK_MS)
    move.waitLeftMs -= LOOK_MS
  }
}

async function runOnce<Needs extends MoveNeeds>(move: Move<Needs>, job: TimedJob<Needs>): Promise<void> {
  const { needs, ending } = move
  const enough = new AbortController()
  const start = performance.now()
  const running = job.run(needs, AbortSignal.any([ending, enough.signal])).catch((error: unknown) => {
    enough.abort()
    needs.logger.error({ err: error, job: job.name }, 'a job failed while the clock moved')
  })
  if (job.isEndless) {
    const waitMs = Math.min(STOP_MAX_MS, Math.max(LOOK_MS, move.waitLeftMs))
    await untilNothingIsDue(move, job, AbortSignal.any([enough.signal, AbortSignal.timeout(waitMs)]))
    enough.abort()
    move.waitLeftMs -= performance.now() - start
  }
  await running
}

async function untilNothingIsDue<Needs extends MoveNeeds>(
  { needs, ending }: Move<Needs>,
  job: TimedJob<Needs>,
  enough: AbortSignal,
): Promise<void> {
  while (!enough.aborted && !ending.aborted) {
    const at = await nextDueAt(needs, job)
    if (at === null || at > needs.context.clock()) return
    await sleep(LOOK_MS)
  }
}
