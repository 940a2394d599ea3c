import type { Outcome } from './schemas.ts'

/** For all subscriptions together. */
const TOTAL = 250
/**
 * For one subscription, among those that have just begun. Enough for hundreds a second if the receiver
 * answers.
 */
const FRESH = 5
const FRESH_MS = 100
/** For one subscription, including those that wait for an answer. */
const WIDTH = 50
/** After this many timeouts in a row, only one delivery at a time is tried until one is answered. */
const TIMEOUTS_MAX = 5

type Lane = { underway: number; fresh: number; timeouts: number }

/**
 * How many deliveries a process makes at once: in all, and for one subscription. Few of them begin at a time,
 * because deliveries that are under way when the process dies may arrive twice. A delivery that waits for its
 * answer makes room for the next, so that an occasionally slow receiver keeps up. A receiver that times out
 * again and again gets a single lane, so that a few stalled ones do not take all the room.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  #underway = 0
  #opening = Promise.withResolvers<void>()

  room(): number {
    return TOTAL - this.#underway
  }

  openings(): {
    readonly limit: number
    readonly width: number
    readonly narrow: ReadonlyMap<string, number>
  } {
    const narrow = new Map<string, number>()
    for (const [id, lane] of this.#lanes) narrow.set(id, roomIn(lane))
    return { limit: this.room(), width: FRESH, narrow }
  }

  /** Ends when a subscription that had no room has some again. */
  opening(): Promise<void> {
    return this.#opening.promise
  }

  /** Returns the function to leave again. */
  enter(id: string): (outcome: Outcome | undefined) => void {
    const lane = this.#lanes.get(id) ?? { underway: 0, fresh: 0, timeouts: 0 }
    this.#lanes.set(id, lane)
    this.#underway += 1
    lane.underway += 1
    lane.fresh += 1
    let isFresh = true
    const age = () => {
      if (isFresh) lane.fresh -= 1
      isFresh = false
    }
    const timer = setTimeout(() => this.#change(lane, age), FRESH_MS)
    return (outcome) => {
      clearTimeout(timer)
      this.#change(lane, () => {
        age()
        this.#underway -= 1
        lane.underway -= 1
        lane.timeouts = outcome === 'timed_out' ? lane.timeouts + 1 : 0
      })
      if (lane.underway === 0 && lane.timeouts === 0) this.#lanes.delete(id)
    }
  }

  #change(lane: Lane, change: () => void): void {
    const hasRoom = () => this.room() > 0 && roomIn(lane) > 0
    const hadRoom = hasRoom()
    change()
    if (hadRoom || !hasRoom()) return
    this.#opening.resolve()
    this.#opening = Promise.withResolvers()
  }
}

function roomIn({ underway, fresh, timeouts }: Lane): number {
  const width = timeouts >= TIMEOUTS_MAX ? 1 : WIDTH
  return Math.max(0, Math.min(FRESH - fresh, width - underway))
}
