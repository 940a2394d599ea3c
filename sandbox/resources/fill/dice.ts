/** A value, and how often it comes up compared with the others. */
export type Weighted<Value> = readonly (readonly [value: Value, weight: number])[]

/** Chance that is the same for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to 1, without 1. */
  roll(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }

  isBelow(share: number): boolean {
    return this.roll() < share
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1))
  }

  pick<Value>(choices: Weighted<Value>): Value {
    let left = this.roll() * choices.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [value, weight] of choices) {
      left -= weight
      if (left < 0) return value
    }
    const last = choices.at(-1)
    if (!last) throw new Error('there is nothing to pick from')
    return last[0]
  }
}
