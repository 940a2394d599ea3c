import { errors } from '../http/errors.ts'
import { MemoryLimit } from '../process/memory-limit.ts'
import { networkOf } from './sender-network.ts'

const FAILURES_PER_MINUTE = 100

/** Counts failures by address. After too many, the address has to wait. */
export class FailureLimit {
  readonly #failures: MemoryLimit
  readonly #what: string

  /** `what` completes "too many …". */
  constructor(what: string) {
    this.#failures = new MemoryLimit(what, FAILURES_PER_MINUTE)
    this.#what = what
  }

  async refuseIfReached(address: string): Promise<void> {
    const waitMs = await this.#failures.waitMs(networkOf(address))
    if (waitMs !== undefined) throw errors.tooManyRequests(Math.ceil(waitMs / 1000), this.#what)
  }

  async count(address: string): Promise<void> {
    await this.#failures.count(networkOf(address))
  }
}
