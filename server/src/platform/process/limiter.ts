import { setTimeout as sleep } from 'node:timers/promises'

/** Lets a number of tasks run at once. The others wait in line. */
export class Limiter {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free += 1
    }
  }
}

type Rules = {
  /** Of all holders together. */
  readonly atOnce: number
  /** Of each holder. What would be one more is refused. */
  readonly waitingMax: number
  /** What has waited longer is refused. */
  readonly waitMaxMs: number
  readonly refusal: () => Error
  /** How long a holder rests after its turn. */
  readonly restMs?: (workedMs: number) => number
}

type Line = { readonly limiter: Limiter; length: number }

/**
 * Lets each holder do one thing at a time, and all holders together a number of things. A holder with many things to do waits
 * behind itself: the others take their turns in between, also while it rests.
 */
export class FairLimiter {
  readonly #rules: Rules
  readonly #shared: Limiter
  readonly #lines = new Map<string, Line>()

  constructor(rules: Rules) {
    this.#rules = rules
    this.#shared = new Limiter(rules.atOnce)
  }

  run<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
    const { waitingMax, waitMaxMs, refusal, restMs = () => 0 } = this.#rules
    const line = this.#lines.get(holder) ?? { limiter: new Limiter(1), length: 0 }
    if (line.length >= waitingMax) return Promise.reject(refusal())
    this.#lines.set(holder, line)
    line.length += 1
    const asked = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const doWork = async (): Promise<number> => {
      const begun = performance.now()
      if (begun - asked > waitMaxMs) reject(refusal())
      else await work().then(resolve, reject)
      return performance.now() - begun
    }
    const workThenRest = async () => {
      const rest = restMs(await this.#shared.run(doWork))
      if (rest > 0) await sleep(rest, undefined, { ref: false })
    }
    void line.limiter
      .run(workThenRest)
      .catch(reject)
      .finally(() => {
        line.length -= 1
        if (line.length === 0) this.#lines.delete(holder)
      })
    return promise
  }
}
