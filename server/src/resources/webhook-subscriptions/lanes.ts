import type { Outcome } from './schemas.ts'

const TOTAL = 100
const WIDTH = 10

type Lane = { underway: number; width: number }

/**
 * How many deliveries a process makes at once: so many in all, and so many to one subscription. A subscription that
 * lets us wait gets fewer, down to one, and more again as it answers; so a few that stall do not take all the room.
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

  leave(id: string, outcome: Outcome | undefined): void {
    const lane = this.#lanes.get(id)
    if (!lane) return
    lane.underway -= 1
    this.#underway -= 1
    lane.width = outcome === 'timed_out' ? Math.max(1, lane.width >> 1) : Math.min(WIDTH, lane.width + 1)
    if (lane.underway === 0 && lane.width === WIDTH) this.#lanes.delete(id)
  }
}
