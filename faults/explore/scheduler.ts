import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { CALL, type Footprint, footprintOf, type Open, unknownTables } from './footprint.ts'

/*
 * Decides whose turn it is. A request or a job is an actor. Each statement on a table that matters and each call of the provider waits
 * at a gate; when all actors wait or have ended, the explorer picks one step, and only its actor goes on. Which code runs for whom is
 * known by the asynchronous context that it was started in.
 */

/** How a call of the provider ends. `late` answers come when the explorer says so. */
export type Fate = 'answered' | 'declined' | 'lost before' | 'lost after' | 'contradicted'

export type Step = {
  readonly id: string
  readonly actor: Actor
  readonly kind: 'sql' | 'call' | 'answer'
  readonly text: string
  readonly footprint: Footprint
  readonly go: (fate?: Fate) => void
}

export type Actor = {
  readonly name: string
  isDead: boolean
  isDone: boolean
  result: unknown
  error: unknown
  /** How often it has come to a step of each name. */
  readonly steps: Map<string, number>
  /** Statements and connections of its own that pass without waiting. */
  passing: number
  readonly running: Set<Running>
}

type Running = { readonly step: Step; readonly pid: number | null; isBlocked: boolean }

type Client = pg.Client & {
  readonly processID?: number
  readonly connectionParameters?: { readonly database?: string }
}

const actors = new AsyncLocalStorage<Actor>()
/** An actor that does nothing that we see waits for a timer, or for another actor within the process. */
const IDLE_ROUNDS = 130
const BLOCKED_AFTER_MS = 3
const HUNG_MS = 30_000
const TURNS = 10

export class Scheduler {
  readonly keys = new Map<string, string>()
  /** Tables that were written, and that `footprint.ts` does not list. */
  readonly unknown = new Set<string>()
  readonly #onlooker: pg.Client
  #actors: Actor[] = []
  #parked: Step[] = []
  #isOn = false
  /** How often we have looked since anything happened. A busy machine may let time pass without letting us run. */
  #idleRounds = 0
  #wake: () => void = () => {}
  readonly #open = new WeakMap<object, Open>()
  readonly #unhook: () => void

  constructor(onlooker: pg.Client) {
    this.#onlooker = onlooker
    this.#unhook = this.#hook()
  }

  close(): void {
    this.#unhook()
  }

  /** Begins with new actors. Those of before are forgotten. */
  begin(): void {
    this.#actors = []
    this.#parked = []
    this.#isOn = true
  }

  /** From here on nothing waits, and everything that waits goes on. */
  end(): void {
    this.#isOn = false
    for (const step of this.#parked.splice(0)) if (!step.actor.isDead) step.go()
  }

  start(name: string, work: () => Promise<unknown>): Actor {
    const actor: Actor = {
      name,
      isDead: false,
      isDone: false,
      result: undefined,
      error: undefined,
      steps: new Map(),
      passing: 0,
      running: new Set(),
    }
    this.#actors.push(actor)
    this.#idleRounds = 0
    actors.run(actor, () => {
      work().then(
        (result) => this.#finish(actor, { result }),
        (error: unknown) => this.#finish(actor, { error }),
      )
    })
    return actor
  }

  /** The process dies: what its actors still do has no effect, and no caller gets an answer. */
  async kill(): Promise<void> {
    for (const actor of this.#actors) if (!actor.isDone) actor.isDead = true
    this.#parked = this.#parked.filter(({ actor }) => !actor.isDead)
    const { rows } = await this.#onlooker.query<{ pid: number }>(
      `select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and application_name like 'switchyard%' and application_name not like 'switchyard provider%'`,
    )
    const pids = rows.map(({ pid }) => pid)
    for (;;) {
      const left = await this.#onlooker.query('select from pg_stat_activity where pid = any($1)', [pids])
      if (left.rows.length === 0) return
      await sleep(1)
    }
  }

  get alive(): readonly Actor[] {
    return this.#actors.filter(({ isDead, isDone }) => !isDead && !isDone)
  }

  /** Waits until all living actors have ended. No gate holds them any more. */
  async ended(): Promise<void> {
    const deadline = performance.now() + HUNG_MS
    while (this.alive.length > 0) {
      if (performance.now() > deadline)
        throw new Error(`${this.alive.map(({ name }) => name).join(', ')} comes to no end`)
      await sleep(1)
    }
  }

  /** Waits until no actor can go on by itself, and returns the steps that wait. */
  async quiet(): Promise<readonly Step[]> {
    const began = performance.now()
    for (;;) {
      // One actor may do several things at once, and each takes some turns of the event loop to come to its gate.
      for (let turns = 0; turns < TURNS; turns += 1) await turn()
      const busy = this.alive.filter((actor) => !this.#rests(actor))
      const isStuck = this.#parked.length === 0 && this.alive.length > 0
      if (busy.length === 0 && !isStuck)
        return this.#parked.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      if (performance.now() - began > HUNG_MS)
        throw new Error(`${this.alive.map(({ name }) => name).join(', ')} neither ended nor waited`)
      this.#idleRounds += 1
      await this.#change(BLOCKED_AFTER_MS)
      await this.#findBlocked()
    }
  }

  #rests(actor: Actor): boolean {
    if (actor.passing > 0) return false
    if ([...actor.running].some(({ isBlocked }) => !isBlocked)) return false
    if (actor.running.size > 0) return true
    if (this.#parked.some((step) => step.actor === actor)) return true
    return this.#idleRounds > IDLE_ROUNDS
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #changed(): void {
    this.#idleRounds = 0
    // What happened may have freed what others wait for.
    for (const actor of this.#actors) for (const one of actor.running) one.isBlocked = false
    this.#wake()
  }

  async #findBlocked(): Promise<void> {
    const running = this.#actors.flatMap((actor) => [...actor.running]).filter(({ pid }) => pid !== null)
    if (running.length === 0) return
    const { rows } = await this.#onlooker.query<{ pid: number }>(
      `select pid from pg_stat_activity where wait_event_type = 'Lock' and pid = any($1)`,
      [running.map(({ pid }) => pid)],
    )
    const waiting = new Set(rows.map(({ pid }) => pid))
    for (const one of running) one.isBlocked = waiting.has(one.pid ?? 0)
  }

  #finish(actor: Actor, { result, error }: { readonly result?: unknown; readonly error?: unknown }): void {
    if (actor.isDead) return
    Object.assign(actor, { isDone: true, result, error })
    this.#changed()
  }

  #park(actor: Actor, step: Omit<Step, 'id' | 'actor'>): void {
    const label = labelOf(step.text)
    const times = (actor.steps.get(label) ?? 0) + 1
    actor.steps.set(label, times)
    this.#parked.push({ ...step, actor, id: `${actor.name}: ${label}${times > 1 ? ` ${times}` : ''}` })
    this.#changed()
  }

  take(step: Step, fate?: Fate): void {
    this.#parked = this.#parked.filter((one) => one !== step)
    this.#idleRounds = 0
    step.go(fate)
  }

  /** A call of the provider: what the explorer decides about it is done by `send`. */
  call(
    send: (fate: Fate) => Promise<Response>,
    what: { readonly text: string; readonly isLate: boolean },
  ): Promise<Response> {
    const actor = actors.getStore()
    if (!actor || !this.#isOn) return send('answered')
    if (actor.isDead) return new Promise(() => {})
    return new Promise((resolve, reject) => {
      const go = (fate: Fate = 'answered') => {
        actor.passing += 1
        const ended = () => {
          actor.passing -= 1
          this.#changed()
        }
        const tell = (then: () => void) => {
          ended()
          if (actor.isDead) return
          if (!what.isLate || !this.#isOn) return then()
          this.#park(actor, { kind: 'answer', text: `answer to ${what.text}`, footprint: ANSWER, go: then })
        }
        // The provider's own statements are its own affair.
        actors
          .exit(() => send(fate))
          .then(
            (response) => tell(() => resolve(response)),
            (error: unknown) => tell(() => reject(error)),
          )
      }
      this.#park(actor, { kind: 'call', text: what.text, footprint: CALL, go })
    })
  }

  #hook(): () => void {
    const scheduler = this
    const { query, connect } = pg.Client.prototype
    pg.Client.prototype.query = function intercepted(this: Client, ...args: unknown[]) {
      return scheduler.#statement(this, args, () => Reflect.apply(query, this, args))
    } as typeof query
    pg.Client.prototype.connect = function intercepted(this: Client, ...args: unknown[]) {
      return scheduler.#passing(args, () => Reflect.apply(connect, this, args))
    } as typeof connect
    return () => Object.assign(pg.Client.prototype, { query, connect })
  }

  #passing(args: unknown[], run: () => unknown): unknown {
    const actor = actors.getStore()
    if (!actor) return run()
    if (actor.isDead) return NEVER
    actor.passing += 1
    return whenEnded(args, run, () => {
      actor.passing -= 1
      this.#changed()
      return !actor.isDead
    })
  }

  #statement(client: Client, args: unknown[], run: () => unknown): unknown {
    const actor = actors.getStore()
    if (!actor) return run()
    if (actor.isDead) return NEVER
    const text = textOf(args[0])
    const open = this.#transactionOf(client, text)
    if (!this.#isOn) return run()
    const keys = [...this.keys].filter(([key]) => valuesOf(args).includes(key)).map(([, name]) => name)
    const footprint = footprintOf(text, open, keys)
    const unknown = unknownTables(text)
    for (const table of unknown) this.unknown.add(table)
    if (!footprint) return this.#passing(args, run)
    for (const one of footprint.locks) open?.locked.add(one)
    return this.#gated({ client, actor, args, text, footprint }, run)
  }

  #gated(
    {
      client,
      actor,
      args,
      text,
      footprint,
    }: { client: Client; actor: Actor; args: unknown[]; text: string; footprint: Footprint },
    run: () => unknown,
  ): unknown {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    // A statement object is returned at once, whenever it runs.
    const own = typeof args[0] === 'object' && args[0] !== null && 'submit' in args[0] ? args[0] : undefined
    const go = () => {
      const running: Running = { step: undefined as never, pid: client.processID ?? null, isBlocked: false }
      actor.running.add(running)
      const result = whenEnded(args, run, () => {
        actor.running.delete(running)
        this.#changed()
        return !actor.isDead
      })
      resolve(result)
    }
    this.#park(actor, { kind: 'sql', text, footprint, go })
    return own ?? promise
  }

  #transactionOf(client: object, text: string): Open | undefined {
    if (/^\s*(begin|start transaction)\b/i.test(text)) {
      this.#open.set(client, { locked: new Set() })
      return undefined
    }
    const open = this.#open.get(client)
    if (/^\s*(commit|rollback)\s*;?\s*$/i.test(text)) this.#open.delete(client)
    return open
  }
}

const NEVER = new Promise<never>(() => {})
const ANSWER: Footprint = { reads: new Set(), locks: new Set(), releases: new Set() }

/** The same in each run, whichever of two statements at once comes first. */
function labelOf(text: string): string {
  const [verb = ''] =
    /\b(?:with|select|insert|update|delete|commit|rollback|answer|POST|GET)\b/i.exec(text) ?? []
  const [, table = ''] = /\b(?:into|update|from)\s+"?([a-z_]+)/i.exec(text) ?? []
  return [verb.toLowerCase(), table, hash('sha1', text).slice(0, 4)].filter(Boolean).join(' ')
}

function textOf(first: unknown): string {
  if (typeof first === 'string') return first
  return String((first as { readonly text?: string } | null)?.text ?? '')
}

function valuesOf(args: readonly unknown[]): readonly unknown[] {
  const [first, second] = args
  const own = (first as { readonly values?: readonly unknown[] } | null)?.values
  return own ?? (Array.isArray(second) ? second : [])
}

/** Runs a statement in any of the driver's three ways, and tells when it has ended. The caller hears of it if `ended` says so. */
function whenEnded(args: unknown[], run: () => unknown, ended: () => boolean): unknown {
  const first = args[0] as { callback?: unknown } | string | undefined
  if (typeof first === 'object' && first !== null && typeof first.callback === 'function') {
    const { callback } = first
    first.callback = (...given: unknown[]) => ended() && callback(...given)
    return run()
  }
  const last = args.at(-1)
  if (typeof last === 'function') {
    args[args.length - 1] = (...given: unknown[]) => ended() && last(...given)
    return run()
  }
  return new Promise((resolve, reject) => {
    ;(run() as Promise<unknown>).then(
      (result) => ended() && resolve(result),
      (error: unknown) => ended() && reject(error),
    )
  })
}
