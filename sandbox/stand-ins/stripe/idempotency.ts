import { StripeError } from './stripe-error.ts'

export type Kept = { readonly status: number; readonly text: string }

type Entry = {
  readonly endpoint: string
  readonly params: string
  readonly createdAt: number
  answer: Kept | null
}

/** "At least 24 hours": a client may not rely on a minute more. */
const KEPT_FOR_MS = 24 * 60 * 60 * 1_000

/**
 * The rules of Stripe for `Idempotency-Key`. The first answer comes again, also a 500. Other parameters or another
 * endpoint are refused. A twin that arrives while the first one runs gets 409. Validation failures are not kept.
 * Sources: https://docs.stripe.com/api/idempotent_requests and https://docs.stripe.com/error-low-level
 */
export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>()

  /** The kept answer, or null if the caller is to carry out the request and then call `keep` or `forget`. */
  begin(key: string, request: Pick<Entry, 'endpoint' | 'params'>, now: Date): Kept | null {
    if (key.length > 255) {
      throw idempotencyError(400, 'Idempotency keys can have 255 characters at most.')
    }
    const entry = this.#entries.get(key)
    if (!entry || now.getTime() - entry.createdAt >= KEPT_FOR_MS) {
      this.#entries.set(key, { ...request, createdAt: now.getTime(), answer: null })
      return null
    }
    if (entry.endpoint !== request.endpoint) {
      throw idempotencyError(400, `This key was first used for ${entry.endpoint}. Use another key.`)
    }
    if (entry.params !== request.params) {
      throw idempotencyError(400, 'This key was first used with other parameters. Use another key.')
    }
    if (!entry.answer) {
      throw idempotencyError(409, 'Another request with this key is in progress.', 'idempotency_key_in_use')
    }
    return entry.answer
  }

  keep(key: string, answer: Kept): void {
    const entry = this.#entries.get(key)
    if (entry) entry.answer = answer
  }

  forget(key: string): void {
    this.#entries.delete(key)
  }
}

function idempotencyError(status: number, message: string, code?: string): StripeError {
  const body = { type: 'idempotency_error', message, ...(code !== undefined && { code }) } as const
  return new StripeError(status, body, { isValidation: true })
}
