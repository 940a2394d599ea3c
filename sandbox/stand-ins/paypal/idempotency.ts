import type { Books } from './books.ts'
import { Problem } from './problem.ts'

const HOUR = 3_600_000

/**
 * How long PayPal remembers a PayPal-Request-Id: 6 hours for Orders, 45 days for Payments, 3 hours for the vault. These
 * are the descriptions of the header in the contracts of the three APIs.
 */
const LIVES = { orders: 6 * HOUR, payments: 45 * 24 * HOUR, vault: 3 * HOUR } as const

export type Api = keyof typeof LIVES
type Kept = { readonly api: Api; readonly at: number; readonly view: (() => Answer) | null }
export type Answer = { readonly status: number; readonly body: unknown }

/**
 * A request with a known id does nothing. It is answered with the *latest status* of what the first one made, whatever its
 * own body is: https://developer.paypal.com/reference/guidelines/idempotency. Refusals make nothing, so
 * they are not kept.
 */
export class Idempotency {
  readonly #kept = new Map<string, Kept>()
  readonly #books: Books

  constructor(books: Books) {
    this.#books = books
  }

  /** `work` gives back how to show what it made, now and later. */
  async once(
    call: {
      readonly api: Api
      readonly clientId: string
      readonly path: string
      readonly key: string | null
    },
    work: () => { readonly first: Answer; readonly later: () => Answer },
  ): Promise<Answer> {
    if (call.key === null) return work().first
    const name = `${call.clientId} ${call.path} ${call.key}`
    const known = this.#find(name)
    // Of two requests at once, the second one "might fail". Payments have this issue for it.
    if (known && !known.view) throw new Problem(409, 'PREVIOUS_REQUEST_IN_PROGRESS')
    if (known?.view) return known.view()
    const at = this.#books.now().getTime()
    this.#kept.set(name, { api: call.api, at, view: null })
    try {
      await new Promise((resolve) => setImmediate(resolve))
      const { first, later } = work()
      this.#kept.set(name, { api: call.api, at, view: later })
      return first
    } catch (error) {
      this.#kept.delete(name)
      throw error
    }
  }

  #find(name: string): Kept | null {
    const kept = this.#kept.get(name)
    if (!kept) return null
    if (this.#books.now().getTime() - kept.at < LIVES[kept.api]) return kept
    this.#kept.delete(name)
    return null
  }
}
