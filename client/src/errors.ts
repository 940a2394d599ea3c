/** One thing that is wrong with a request. */
export type ErrorDetail = {
  /** `body`, `query`, `path` or `header`. */
  readonly location: string
  /** A JSON pointer to the value, such as `/payment_method/number`. */
  readonly pointer: string
  readonly type: string
  readonly message: string
}

export type Facts = {
  /** The HTTP status, or 0 if no answer came. */
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details?: readonly ErrorDetail[]
  /** `X-Request-ID` of the answer. Give it to the operator of the service. */
  readonly requestId?: string | undefined
  /** The key that the request was sent with, if it was a POST. */
  readonly idempotencyKey?: string | undefined
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** Every error that a call throws, except a wrong use of the client (TypeError) and the reason of an abort. */
export class SwitchyardError extends Error {
  override readonly name: string = 'SwitchyardError'
  readonly status: number
  readonly code: string
  readonly details: readonly ErrorDetail[]
  readonly requestId: string | undefined
  readonly idempotencyKey: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(facts: Facts) {
    super(facts.message, facts.cause === undefined ? {} : { cause: facts.cause })
    this.status = facts.status
    this.code = facts.code
    this.details = facts.details ?? []
    this.requestId = facts.requestId
    this.idempotencyKey = facts.idempotencyKey
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** 400, 405 and other refusals of a malformed request: mend every entry of `details`. */
export class BadRequestError extends SwitchyardError {
  override readonly name = 'BadRequestError'
}

/** 401: there is no token, or the service does not trust it. `details` says why. */
export class AuthenticationError extends SwitchyardError {
  override readonly name = 'AuthenticationError'
}

/** 403: the token, the roles of its key or its merchant accounts do not allow this. */
export class PermissionError extends SwitchyardError {
  override readonly name = 'PermissionError'
}

/** 404: there is no such thing, or the key does not reach it. */
export class NotFoundError extends SwitchyardError {
  override readonly name = 'NotFoundError'
}

/** 409: a value is taken, or the thing is in use. */
export class ConflictError extends SwitchyardError {
  override readonly name = 'ConflictError'
  /** The id of the thing that holds the value, unless it is hidden from the key. */
  readonly resourceId: string | null

  constructor(facts: Facts & { readonly resourceId: string | null }) {
    super(facts)
    this.resourceId = facts.resourceId
  }
}

/** 422: the idempotency key was used with another request. Nothing was changed. */
export class IdempotencyError extends SwitchyardError {
  override readonly name = 'IdempotencyError'
}

/** 425: an earlier operation on the same payment has no outcome yet. Nothing was changed. */
export class TooEarlyError extends SwitchyardError {
  override readonly name = 'TooEarlyError'
}

/** 429: wait for `retryAfterMs`. Nothing was changed. */
export class RateLimitError extends SwitchyardError {
  override readonly name = 'RateLimitError'
}

/** 5xx in answer to a call that changes nothing. */
export class ServerError extends SwitchyardError {
  override readonly name = 'ServerError'
}

/** No answer came to a call that changes nothing. `cause` is what `fetch` reported. */
export class ConnectionError extends SwitchyardError {
  override readonly name = 'ConnectionError'
}

/**
 * It is not known whether the service has done what it was asked: no answer came, or one that does not say.
 * The money may have moved, so do not send a new request: call `again`.
 */
export class UnknownOutcomeError<Answer = unknown> extends SwitchyardError {
  override readonly name = 'UnknownOutcomeError'
  /** Sends the same request again, under the same idempotency key. Keys are kept for 72 hours. */
  readonly again: () => Promise<Answer>

  constructor(facts: Facts & { readonly again: () => Promise<Answer> }) {
    super(facts)
    this.again = facts.again
  }
}
