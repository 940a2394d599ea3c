import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import type { Logger } from '../observability/log.ts'
import { type Question, type ToChild, type ToParent, unwrapped, wrapped } from './siblings.ts'

const PAUSE_MIN_MS = 100
const PAUSE_MAX_MS = 30_000
/** A process that has lived this long was well. If it ends, the pauses begin again with the shortest. */
const STEADY_MS = 60_000
/** Longer than a process needs to let its requests and jobs finish. */
const STOP_DEADLINE_MS = 45_000

/** One place in the group. Its process is replaced when it ends unexpectedly; its name and its task stay. */
export type Place = {
  readonly name: string
  /** What its process is told to do. */
  readonly task: object
  /** Stops after all others have ended. */
  readonly isLast?: boolean
}

type Member = {
  readonly place: Place
  worker?: Worker | undefined
  isReady: boolean
  /** Whether any of its processes was ready. Until then, the end of its process is a reason not to start at all. */
  wasReady: boolean
  /** How often in a row it ended before it was steady. */
  failures: number
  restarts: number
  pause?: NodeJS.Timeout
}

type Options = {
  /** The file that each process runs. */
  readonly program: string
  readonly logger: Logger
  /** What the parent itself answers. */
  readonly answer: (question: Question) => Promise<string>
}

/**
 * The processes of one service under one parent. They listen on one port: the parent accepts connections and gives them to
 * the processes in turn. If the parent dies, its processes end at once.
 */
export class ProcessGroup {
  readonly #options: Options
  readonly #members: Member[] = []
  readonly #waiting = new Map<string, (text: string) => void>()
  #isStopping = false
  #asked = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Ends when all processes are ready. Fails as soon as one cannot start, with its reason. */
  async start(places: readonly Place[]): Promise<void> {
    cluster.setupPrimary({ exec: this.#options.program, args: [] })
    cluster.schedulingPolicy = cluster.SCHED_RR
    // Counts what the processes must not exceed together.
    new RateLimiterClusterMaster()
    const fresh = { isReady: false, wasReady: false, failures: 0, restarts: 0 }
    this.#members.push(...places.map((place) => ({ place, ...fresh })))
    await Promise.all(this.#members.map((member) => this.#run(member)))
  }

  /** Lets all processes finish what they are doing. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const { pause } of this.#members) clearTimeout(pause)
    const [last, first] = [true, false].map((wanted) =>
      this.#members.filter(({ place: { isLast = false } }) => isLast === wanted),
    )
    for (const members of [first, last]) await Promise.all(members?.map(end) ?? [])
  }

  get running(): number {
    return this.#members.filter(({ isReady }) => isReady).length
  }

  /** How often the process of each place was started again. */
  get restarts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#members.map(({ place, restarts }) => [place.name, restarts]))
  }

  async #run(member: Member): Promise<void> {
    const startedAt = performance.now()
    const start = Promise.withResolvers<void>()
    let reason: string | undefined
    const end = (how: string) => {
      member.worker = undefined
      member.isReady = false
      start.reject(new Error(reason ?? `A process of the service ended while it started (${how}).`))
      this.#replace(member, { how, reason, livedMs: performance.now() - startedAt })
    }
    const worker = forkOr(end)
    if (!worker) return start.promise
    member.worker = worker
    worker.on('error', (error) => {
      // The system has no room for a process. With one, this is about a message to a process that has just ended.
      if (worker.process.pid === undefined && member.worker === worker) end(error.message)
    })
    worker.on('message', (given: unknown) => {
      const message = unwrapped<ToParent>(given)
      if (message?.kind === 'hello') send(worker, { kind: 'begin', task: member.place.task })
      if (message?.kind === 'failed') reason = message.reason
      if (message?.kind === 'ready') {
        member.isReady = true
        member.wasReady = true
        start.resolve()
      }
      if (message) this.#relay(member, worker, message)
    })
    worker.once('exit', (code, signal) => {
      if (member.worker === worker) end(signal ?? `exit code ${code}`)
    })
    return start.promise
  }

  #replace(member: Member, { how, reason, livedMs }: End): void {
    if (!member.wasReady || this.#isStopping) return
    member.failures = livedMs < STEADY_MS ? member.failures + 1 : 1
    const pauseMs = Math.min(PAUSE_MIN_MS * 2 ** (member.failures - 1), PAUSE_MAX_MS)
    const facts = { ended: member.place.name, how, ...(reason && { reason }), pause_ms: pauseMs }
    this.#options.logger.error(facts, 'a process of the service ended unexpectedly; it is started again')
    member.pause = setTimeout(() => {
      member.restarts += 1
      // If it fails, its end is logged, and another one starts.
      void this.#run(member).catch(() => {})
    }, pauseMs)
  }

  #relay(member: Member, worker: Worker, message: ToParent): void {
    if (message.kind === 'answer') this.#waiting.get(`${message.id} ${member.place.name}`)?.(message.text)
    if (message.kind === 'ask') {
      const { id, question, waitMs } = message
      void this.#askAll(question, waitMs).then((texts) => send(worker, { kind: 'answers', id, texts }))
    }
    if (message.kind === 'change') {
      for (const other of this.#members) if (other !== member) send(other.worker, { kind: 'change' })
    }
  }

  /** What the parent and all processes say. A process that does not answer in time is left out. */
  async #askAll(question: Question, waitMs: number): Promise<string[]> {
    this.#asked += 1
    const id = this.#asked
    const members = this.#members.filter(({ isReady }) => isReady)
    const answers = members.map(async ({ place, worker }) => {
      const key = `${id} ${place.name}`
      const { promise, resolve } = Promise.withResolvers<string>()
      const timer = setTimeout(resolve, waitMs, '')
      this.#waiting.set(key, resolve)
      send(worker, { kind: 'question', id, question })
      return promise.finally(() => {
        clearTimeout(timer)
        this.#waiting.delete(key)
      })
    })
    const texts = await Promise.all([this.#options.answer(question), ...answers])
    return texts.filter((text) => text !== '')
  }
}

type End = { readonly how: string; readonly reason: string | undefined; readonly livedMs: number }

/** Some reasons not to make a process are thrown, others told by an event. */
function forkOr(fail: (how: string) => void): Worker | undefined {
  try {
    return cluster.fork()
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

function send(worker: Worker | undefined, message: ToChild): void {
  if (worker?.isConnected()) worker.send(wrapped(message), () => {})
}

async function end({ worker }: Member): Promise<void> {
  if (!worker || worker.isDead()) return
  const ended = once(worker, 'exit')
  send(worker, { kind: 'stop' })
  const deadline = setTimeout(() => worker.process.kill('SIGKILL'), STOP_DEADLINE_MS)
  await ended
  clearTimeout(deadline)
}
