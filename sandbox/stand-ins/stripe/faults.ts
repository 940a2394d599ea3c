import { StripeError } from './stripe-error.ts'

/**
 * `error`: 500 before anything is done. `error_after`: 500 although it is done. Stripe keeps both answers for the key.
 * `rate_limit` and `lock_timeout`: 429, and nothing is done or kept.
 */
const KINDS = ['error', 'error_after', 'rate_limit', 'lock_timeout'] as const
type Kind = (typeof KINDS)[number]

/** Troubles for the next request to an endpoint, each once. */
export class Faults {
  readonly #next = new Map<string, Kind>()

  /** `endpoint` as in `POST /v1/refunds`. */
  add({ endpoint, fault }: Record<string, unknown>): void {
    const kind = KINDS.find((one) => one === fault)
    if (typeof endpoint === 'string' && kind) this.#next.set(endpoint, kind)
  }

  take(endpoint: string): Kind | null {
    const kind = this.#next.get(endpoint) ?? null
    this.#next.delete(endpoint)
    return kind
  }
}

export function faultError(kind: Kind): StripeError {
  if (kind === 'rate_limit' || kind === 'lock_timeout') {
    const body = { type: 'invalid_request_error', code: kind, message: 'Too many requests.' } as const
    return new StripeError(429, body, { isValidation: true })
  }
  return new StripeError(500, { type: 'api_error', message: 'An unknown error occurred.' })
}
