import { areIndependent, type Footprint, isDurable } from './footprint.ts'
import type { Fate, Scheduler, Step } from './scheduler.ts'

/** One thing that may happen next: a step of an actor, or the death of the process. */
export type Move = {
  readonly id: string
  readonly actor: string
  readonly footprint: Footprint | null
  readonly step: Step | null
  readonly fate: Fate
}

export type Bounds = {
  /** How often the process may die. */
  readonly crashes: number
  /** How many calls of the provider may end otherwise than with an answer. */
  readonly faults: number
  /** How often an actor may be interrupted that could go on. */
  readonly switches: number
}

export type Counts = {
  schedules: number
  steps: number
  crashes: number
  /** Schedules that were not followed to their end, because one with the same effect was. */
  pruned: number
  /** Deaths that left the same behind as an earlier one, after which all was explored. */
  met: number
  /** Schedules that came to another place than before, and were begun again. */
  strayed: number
  /** Places that were not found again. What lies behind them is not explored. */
  lost: number
}

/** A place in the tree of schedules, by the names of its moves. */
export type Position = {
  readonly places: readonly { readonly current: string; readonly done: readonly string[] }[]
  readonly counts: Counts
  /** What deaths have left behind, as far as all that follows is explored. */
  readonly explored: readonly string[]
}

type Frame = {
  readonly moves: readonly Move[]
  readonly asleep: ReadonlyMap<string, Move>
  readonly done: Move[]
  current: Move
  /** What a death leaves behind here. */
  readonly left: Left | undefined
}

/** A digest of what a death leaves behind, with what is spent by then. */
type Left = { readonly state: string; readonly crashes: number; readonly faults: number }

/** What the explorer has spent on the way to a place. */
type Spent = { crashes: number; faults: number; switches: number; last: string | null; wasDurable: boolean }

/** How often a schedule is begun again before what is not found counts as lost. */
const STRAYS_MAX = 5

/** Walks all schedules of a situation up to its bounds, depth first, each from its beginning. */
export class Search {
  readonly counts: Counts
  readonly #explored: Set<string>
  /** The places on the way of the first schedule. */
  #from: Position['places']
  readonly #bounds: Bounds
  readonly #fates: readonly Fate[]
  #frames: Frame[] = []
  #depth = 0
  #spent: Spent = start()
  #isOver = false
  #strays = 0

  /** `from`: where an earlier search has stopped. */
  constructor(
    bounds: Bounds,
    fates: readonly Fate[],
    from: Position = { places: [], counts: none(), explored: [] },
  ) {
    this.#from = from.places
    this.#explored = new Set(from.explored)
    this.counts = { ...from.counts }
    this.#bounds = bounds
    this.#fates = fates
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The choices of the schedule that runs, to repeat it. */
  get path(): readonly string[] {
    return this.#frames.slice(0, this.#depth).map(({ current }) => current.id)
  }

  /** How much of the tree lies behind, if all branches were alike. */
  get share(): number {
    return this.#frames.reduceRight((below, { moves, done }) => (done.length + below) / moves.length, 0)
  }

  /** Where the search is, for a later one to go on. */
  get position(): Position {
    const places = this.#frames.map(({ current, done }) => ({
      current: current.id,
      done: done.map(({ id }) => id),
    }))
    return { places, counts: this.counts, explored: [...this.#explored] }
  }

  /** Begins the next schedule. */
  begin(): void {
    this.#depth = 0
    this.#spent = start()
  }

  /** The next move. `state`: what a death would leave behind, where that is not known yet. */
  next(steps: readonly Step[], state?: string): Move | 'pruned' | 'stray' {
    const moves = this.#movesAt(steps)
    let frame = this.#frames[this.#depth]
    if (frame) {
      const { current } = frame
      const found = moves.find(({ id }) => id === current.id)
      if (found) {
        frame.current = found
      } else if (this.#strays < STRAYS_MAX) {
        this.#strays += 1
        return 'stray'
      } else {
        // What lies behind this place is not explored.
        this.counts.lost += 1
        this.#strays = 0
        this.#frames.length = this.#depth
        frame = undefined
      }
    }
    if (!frame) {
      const asleep = this.#sleepersAt(moves)
      const { crashes, faults } = this.#spent
      const left = state === undefined ? undefined : { state, crashes: crashes + 1, faults }
      const isKnown = this.#meets(left)
      const awake = moves.filter((move) => !asleep.has(move.id) && !(isKnown && move === CRASH))
      const [first] = awake
      if (!first) return 'pruned'
      const place = this.#from[this.#depth]
      const done = awake.filter(({ id }) => place?.done.includes(id))
      const current = awake.find(({ id }) => id === place?.current) ?? first
      frame = { moves: awake, asleep, done, current, left }
      this.#frames.push(frame)
    }
    this.#depth += 1
    this.counts.steps += 1
    this.#spend(frame.current, steps)
    return frame.current
  }

  /** Whether a death at the place that comes next has not been thought of yet. */
  get mayDieAnew(): boolean {
    return this.#mayDie && this.#frames[this.#depth] === undefined
  }

  get #mayDie(): boolean {
    // What left nothing behind makes no difference to a process that dies.
    return this.#spent.wasDurable && this.#spent.crashes < this.#bounds.crashes
  }

  /** Counts a death that need not be followed. */
  #meets(left: Left | undefined): boolean {
    if (!left || !this.#isExplored(left)) return false
    this.counts.met += 1
    return true
  }

  /** Whether all that follows was explored after a death that left the same, with as many deaths and calls to spare. */
  #isExplored({ state, crashes, faults }: Left): boolean {
    for (let deaths = 0; deaths <= crashes; deaths += 1)
      for (let bad = 0; bad <= faults; bad += 1)
        if (this.#explored.has(`${state} ${deaths} ${bad}`)) return true
    return false
  }

  /** Notes that the schedule has ended, and turns to the deepest place with another way to go. */
  end(way: Way): void {
    if (way === 'stray') {
      this.counts.strayed += 1
      return
    }
    this.#from = []
    this.#strays = 0
    if (way === 'pruned') this.counts.pruned += 1
    else this.counts.schedules += 1
    this.#frames.length = Math.min(this.#frames.length, this.#depth)
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      const { left, current, done, moves } = frame
      done.push(current)
      if (left && current === CRASH) this.#explored.add(`${left.state} ${left.crashes} ${left.faults}`)
      const tried = new Set(done.map(({ id }) => id))
      const other = moves.find((move) => !tried.has(move.id) && !(move === CRASH && this.#meets(left)))
      if (other) {
        frame.current = other
        return
      }
      this.#frames.pop()
    }
    this.#isOver = true
  }

  #movesAt(steps: readonly Step[]): Move[] {
    const { last, faults, switches } = this.#spent
    const canGoOn = steps.some(({ actor }) => actor.name === last)
    const own = steps.filter(({ actor }) => actor.name === last)
    const others = steps.filter(({ actor }) => actor.name !== last)
    const may = canGoOn && switches >= this.#bounds.switches ? own : [...own, ...others]
    const moves = may.flatMap((step) => this.#fatesOf(step, faults).map((fate) => moveOf(step, fate)))
    if (this.#mayDie) moves.push(CRASH)
    return moves
  }

  #fatesOf({ kind, text }: Step, faults: number): readonly Fate[] {
    if (kind !== 'call' || faults >= this.#bounds.faults) return ['answered']
    // Who only asks is not declined.
    return text.startsWith('POST') ? this.#fates : this.#fates.filter((fate) => fate !== 'declined')
  }

  /** Moves whose other order was explored already. They sleep until something happens that they depend on. */
  #sleepersAt(moves: readonly Move[]): Map<string, Move> {
    const parent = this.#frames[this.#depth - 1]
    if (!parent) return new Map()
    const possible = new Set(moves.map(({ id }) => id))
    const before = [...parent.asleep.values(), ...parent.done]
    const still = before.filter((one) => possible.has(one.id) && canSwap(one, parent.current))
    return new Map(still.map((one) => [one.id, one]))
  }

  #spend(move: Move, steps: readonly Step[]): void {
    const { last } = this.#spent
    const wasInterrupted =
      last !== null && move.actor !== last && steps.some(({ actor }) => actor.name === last)
    if (move === CRASH) this.counts.crashes += 1
    this.#spent = {
      crashes: this.#spent.crashes + (move === CRASH ? 1 : 0),
      faults: this.#spent.faults + (move.fate === 'answered' ? 0 : 1),
      switches: this.#spent.switches + (wasInterrupted && move !== CRASH ? 1 : 0),
      last: move === CRASH ? null : move.actor,
      wasDurable: move.footprint !== null && isDurable(move.footprint),
    }
  }
}

const CRASH: Move = { id: 'crash', actor: 'crash', footprint: null, step: null, fate: 'answered' }

function moveOf(step: Step, fate: Fate): Move {
  const id = fate === 'answered' ? step.id : `${step.id} (${fate})`
  return { id, actor: step.actor.name, footprint: step.footprint, step, fate }
}

function canSwap(one: Move, other: Move): boolean {
  if (one.footprint === null || other.footprint === null || one.actor === other.actor) return false
  return areIndependent(one.footprint, other.footprint)
}

function none(): Counts {
  return { schedules: 0, steps: 0, crashes: 0, pruned: 0, met: 0, strayed: 0, lost: 0 }
}

function start(): Spent {
  return { crashes: 0, faults: 0, switches: 0, last: null, wasDurable: false }
}

/** `stray`: the same choices led to other statements than before. */
export type Way = 'ended' | 'crashed' | 'pruned' | 'stray'

/** Follows one schedule until its actors have ended. `leftBehind`: what the process would leave behind, if it died now. */
export async function follow(
  scheduler: Scheduler,
  search: Search,
  leftBehind: () => Promise<string>,
): Promise<Way> {
  for (;;) {
    const steps = await scheduler.quiet()
    if (scheduler.unknown.size > 0)
      throw new Error(`say in footprint.ts what ${[...scheduler.unknown].join(', ')} means for others`)
    if (steps.length === 0) return 'ended'
    const state = search.mayDieAnew ? await leftBehind() : undefined
    const move = search.next(steps, state)
    if (typeof move === 'string') return move
    if (move.step === null) return 'crashed'
    scheduler.take(move.step, move.fate)
  }
}
