import type { Outcome } from './schemas.ts'

const TOTAL = 200
const WIDTH = 5
const WIDTH_MAX = 50
/** For one that answers sooner, a few lanes are enough for hundreds of deliveries a second. */
const LEISURELY_MS = 50

type Way = { readonly outcome: Outcome; readonly duration_ms: number }
type Lane = { underway: number; width: number }

/**
 * How many deliveries a process makes at once: so many in all, and so many to one subscription. One that takes its time
 * and answers gets more, one that lets us wait in vain gets fewer, down to one; so a few that stall do not take all the
 * room. No more than is needed: what is underway when the process dies may arrive twice.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  #underway = 0

  room(): number {
    return TOTAL - this.#underway
  }

  openings(): {
    readonly limit: number
    readonly width: number
    readonly narrow: ReadonlyMap<string, number>
  } {
    const narrow = new Map<string, number>()
    for (const [id, { underway, width }] of this.#lanes) narrow.set(id, Math.max(0, width - underway))
    return { limit: this.room(), width: WIDTH, narrow }
  }

  enter(id: string): void {
    const lane = this.#lanes.get(id) ?? { underway: 0, width: WIDTH }
    lane.underway += 1
    this.#underway += 1
    this.#lanes.set(id, lane)
  }

  leave(id: string, way: Way | undefined): void {
    const lane = this.#lanes.get(id)
    if (!lane) return
    lane.underway -= 1
    this.#underway -= 1
    if (way) lane.width = widthAfter(lane.width, way)
    if (lane.underway === 0 && lane.width === WIDTH) this.#lanes.delete(id)
  }
}

function widthAfter(width: number, { outcome, duration_ms }: Way): number {
  if (outcome === 'timed_out') return Math.max(1, width >> 1)
  if (duration_ms >= LEISURELY_MS || width < WIDTH) return Math.min(WIDTH_MAX, width + 1)
  return Math.max(WIDTH, width - 1)
}
