import cluster from 'node:cluster'
import { RateLimiterCluster, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { errors } from '../http/errors.ts'

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

/** The parent answers from its memory. If it does not, the request goes on. */
const PARENT_WAIT_MS = 1_000

/** Each holds a listener to the parent's messages, so there is one of a name, however many services a process builds. */
const shared = new Map<string, RateLimiterCluster>()

/** Counts by key within a minute, in memory. Processes of one service count together, in the memory of their parent. */
export class MemoryLimit {
  readonly #limiter: RateLimiterMemory | RateLimiterCluster

  constructor(name: string, perMinute: number) {
    this.#limiter = limiterOf(name, perMinute)
  }

  /** How long a key has to wait that has reached the limit. Undefined: not at all. */
  async waitMs(key: string): Promise<number | undefined> {
    const state = await this.#limiter.get(key).catch(() => null)
    return state && state.remainingPoints <= 0 ? state.msBeforeNext : undefined
  }

  /** Counts, and says how long the key has to wait if it has gone beyond the limit. */
  async count(key: string): Promise<number | undefined> {
    try {
      await this.#limiter.consume(key)
      return undefined
    } catch (refused) {
      return refused instanceof RateLimiterRes ? refused.msBeforeNext : undefined
    }
  }
}

function limiterOf(name: string, perMinute: number): RateLimiterMemory | RateLimiterCluster {
  const rules = { keyPrefix: name, points: perMinute, duration: 60 }
  if (!cluster.isWorker) return new RateLimiterMemory(rules)
  const limiter = shared.get(name) ?? new RateLimiterCluster({ ...rules, timeoutMs: PARENT_WAIT_MS })
  shared.set(name, limiter)
  return limiter
}

/** The owner of an IPv6 address usually has the whole /64 network. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter((group) => group !== '')
  const missing = Math.max(0, 8 - groups.length - tail.split(':').filter((group) => group !== '').length)
  return [...groups, ...Array<string>(missing).fill('0'), ...tail.split(':')].slice(0, 4).join(':')
}
