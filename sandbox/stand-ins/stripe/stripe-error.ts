/** An answer of Stripe that is not 200. Source: https://docs.stripe.com/api/errors */
export class StripeError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Refused before the endpoint began: the answer is not kept for the idempotency key. */
  readonly isValidation: boolean

  constructor(status: number, body: ErrorBody, { isValidation = false } = {}) {
    super(body.message)
    this.status = status
    this.body = body
    this.isValidation = isValidation
  }
}

export type ErrorBody = {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly network_decline_code?: string
  readonly advice_code?: string
  readonly param?: string
  readonly charge?: string
  readonly payment_intent?: object
  readonly setup_intent?: object
  readonly payment_method?: object
}

export function invalid(code: string, message: string, param?: string): StripeError {
  const body = {
    type: 'invalid_request_error',
    code,
    message,
    ...(param !== undefined && { param }),
  } as const
  return new StripeError(400, body, { isValidation: true })
}

/** A request that is well formed, but that the object's state does not allow. */
export function conflict(code: string, message: string, over: Partial<ErrorBody> = {}): StripeError {
  return new StripeError(400, { type: 'invalid_request_error', code, message, ...over })
}

export function missing(what: string, id: string, param = 'intent'): StripeError {
  const message = `No such ${what}: '${id}'`
  return new StripeError(404, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}
