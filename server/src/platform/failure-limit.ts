import { RateLimiterMemory } from 'rate-limiter-flexible'
import { errors } from './errors.ts'
import { networkOf } from './sender-network.ts'

const FAILURES_PER_MINUTE = 100

/** Counts failures by address. After too many, the address has to wait. */
export class FailureLimit {
  readonly #failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE, duration: 60 })
  readonly #what: string

  /** `what` completes "too many …". */
  constructor(what: string) {
    this.#what = what
  }

  async refuseIfReached(address: string): Promise<void> {
    const failures = await this.#failures.get(networkOf(address))
    if (!failures || failures.remainingPoints > 0) return
    throw errors.tooManyRequests(Math.ceil(failures.msBeforeNext / 1000), this.#what)
  }

  async count(address: string): Promise<void> {
    await this.#failures.consume(networkOf(address)).catch(() => {})
  }
}
