import { maskNumbers } from '../observability/mask.ts'

export type ErrorDetail = {
  readonly location: 'body' | 'query' | 'path' | 'header'
  readonly pointer: string
  readonly message: string
  readonly type: DetailType
}

/** No answer lists more. */
export const DETAILS_MAX = 100

/** Every error code of the API with its status and default message. docs/errors.md explains each. */
export const ERROR_CODES = {
  bad_request: { status: 400, message: 'Generic error' },
  unauthorized: { status: 401, message: 'No valid API authentication found' },
  forbidden: { status: 403, message: 'Generic error' },
  step_up_required: { status: 403, message: 'Prove again who you are' },
  not_found: { status: 404, message: 'The resource could not be found' },
  method_not_allowed: { status: 405, message: 'Method Not Allowed' },
  duplicate_record: { status: 409, message: 'Generic error' },
  concurrent_request: {
    status: 409,
    message: 'A request with this idempotency key is still being processed',
  },
  too_early: { status: 425, message: 'Generic error' },
  too_many_requests: { status: 429, message: 'Generic error' },
  server_error: { status: 500, message: 'Request could not be processed' },
  bad_gateway: { status: 502, message: 'Request could not be processed' },
  service_unavailable: { status: 503, message: 'Request could not be processed' },
  gateway_timeout: { status: 504, message: 'Request could not be processed' },
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** Every `type` that an entry of `details` can carry. */
export const DETAIL_TYPES = [
  'value_error.missing',
  'value_error.extra',
  'value_error.jsondecode',
  'value_error.const',
  'value_error.str.regex',
  'value_error.any_str.min_length',
  'value_error.any_str.max_length',
  'value_error.number.not_ge',
  'value_error.number.not_le',
  'value_error.list.min_items',
  'value_error.list.max_items',
  'value_error.url',
  'value_error.luhn',
  'value_error.checksum',
  'value_error.expired',
  'value_error.not_found',
  'value_error.conflict',
  'value_error.duplicate',
  'type_error.uuid',
  'type_error.integer',
  'type_error.string',
  'type_error.bool',
  'type_error.array',
  'type_error.object',
  'type_error.enum',
  'type_error.datetime',
] as const

export type DetailType = (typeof DETAIL_TYPES)[number]

type Extras = {
  readonly message?: string
  readonly details?: readonly ErrorDetail[]
  readonly resourceId?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The default detail of a refusal: what happened, and what to do. */
const REASONS: Readonly<Partial<Record<ErrorCode, ErrorDetail>>> = {
  bad_request: {
    location: 'path',
    pointer: '',
    type: 'value_error.conflict',
    message: 'the request could not be read: check its URL and its headers',
  },
  unauthorized: {
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.missing',
    message: 'no token was found: send Authorization: Bearer and a signed token',
  },
  forbidden: {
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.conflict',
    message: 'the token or its key may not do this: use another one',
  },
  step_up_required: {
    location: 'header',
    pointer: '/cookie',
    type: 'value_error.expired',
    message: 'your last proof is older than ten minutes: call POST /auth/step-up, then repeat this request',
  },
  not_found: {
    location: 'path',
    pointer: '',
    type: 'value_error.not_found',
    message: 'there is nothing here that your key may see: check the id and the merchant account',
  },
  method_not_allowed: {
    location: 'path',
    pointer: '',
    type: 'value_error.const',
    message: 'the path has other methods: use one from the Allow header',
  },
  concurrent_request: {
    location: 'header',
    pointer: '/idempotency-key',
    type: 'value_error.conflict',
    message: 'wait for Retry-After seconds, then repeat this request with the same key',
  },
  too_early: {
    location: 'path',
    pointer: '',
    type: 'value_error.conflict',
    message: 'an earlier operation has not ended: repeat this request after Retry-After seconds',
  },
  too_many_requests: {
    location: 'header',
    pointer: '/authorization',
    type: 'value_error.number.not_le',
    message: 'too many requests: wait for Retry-After seconds',
  },
  bad_gateway: {
    location: 'path',
    pointer: '',
    type: 'value_error.conflict',
    message: 'a provider gave an unusable answer: repeat this request after Retry-After seconds',
  },
  gateway_timeout: {
    location: 'path',
    pointer: '',
    type: 'value_error.conflict',
    message: 'a provider did not answer in time: repeat this request after Retry-After seconds',
  },
}

/** The contract names their message: what we know of the reason is in the detail alone. */
const IN_DETAIL_ALONE: ReadonlySet<ErrorCode> = new Set(['too_early', 'bad_gateway', 'gateway_timeout'])

/** An error that the caller caused and can act on. Anything else that is thrown is a 500. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: readonly ErrorDetail[]
  readonly resourceId: string | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, extras: Extras = {}) {
    super((!IN_DETAIL_ALONE.has(code) && extras.message) || ERROR_CODES[code].message)
    this.name = 'ApiError'
    this.code = code
    // Where a body may have any field, its name comes from the caller, and may be a card number by mistake.
    this.details = (extras.details?.length ? extras.details : reasonOf(code, extras.message)).map(
      (detail) => ({
        ...detail,
        pointer: maskNumbers(detail.pointer),
      }),
    )
    this.resourceId = extras.resourceId
    this.headers = extras.headers ?? {}
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }

  body(): object {
    const { code, status, message, details, resourceId } = this
    return {
      type: 'error',
      code,
      status,
      message,
      details,
      ...(status === 409 && { resource_id: resourceId ?? null }),
    }
  }
}

/** Every refusal, and every failure of a provider, has a detail, if only with the message. Our own failures have none. */
function reasonOf(code: ErrorCode, message: string | undefined): readonly ErrorDetail[] {
  const reason = REASONS[code]
  if (!reason) return []
  return [message === undefined ? reason : { ...reason, message }]
}

/** The same idempotency key came with another request. The body has its own shape (422). */
export class ReusedKeyError extends Error {
  readonly status = 422
  readonly details: readonly ErrorDetail[]

  constructor() {
    super('This idempotency key was used with another request; use a new key for a new request')
    this.details = [inHeader('/idempotency-key', 'value_error.conflict', this.message)]
  }

  body(): object {
    const { message } = this
    return { detail: [{ loc: ['header', 'idempotency-key'], msg: message, type: 'value_error.conflict' }] }
  }
}

/** A provider is rarely back within a second, and a buyer may be waiting at a form. */
const QUESTION_PAUSE_SECONDS = 5

export const errors = {
  invalid: (...details: readonly ErrorDetail[]) =>
    new ApiError('bad_request', { message: 'Request failed validation', details }),
  forbidden: (...details: readonly ErrorDetail[]) => new ApiError('forbidden', { details }),
  /** Missing and hidden resources get the same answer. */
  notFound: () => new ApiError('not_found'),
  notFoundBecause: (detail: ErrorDetail) => new ApiError('not_found', { details: [detail] }),
  noSuchPath: (message: string) =>
    errors.notFoundBecause({ location: 'path', pointer: '', type: 'value_error.not_found', message }),
  duplicate: (resourceId: string | undefined, detail: ErrorDetail) =>
    new ApiError('duplicate_record', { details: [detail], ...(resourceId && { resourceId }) }),
  tooManyRequests: (retryAfterSeconds: number, what: string) =>
    new ApiError('too_many_requests', {
      details: [
        inHeader(
          '/authorization',
          'value_error.number.not_le',
          `too many ${what}: wait for ${retryAfterSeconds} seconds`,
        ),
      ],
      headers: { 'retry-after': String(retryAfterSeconds) },
    }),
  /** The request is well formed, but cannot be done in the current state. */
  refused: (message: string) => new ApiError('bad_request', { message }),
  tooEarly: (message: string, retryAfterSeconds = 1) =>
    new ApiError('too_early', { message, headers: { 'retry-after': String(retryAfterSeconds) } }),
  /**
   * A provider did not answer a question that changes nothing. The caller may retry, also with the same key.
   */
  unanswered: (code: 'bad_gateway' | 'gateway_timeout', message?: string) =>
    new ApiError(code, {
      ...(message !== undefined && { message }),
      headers: { 'retry-after': String(QUESTION_PAUSE_SECONDS) },
    }),
  unavailable: () => new ApiError('service_unavailable', { headers: { 'retry-after': '1' } }),
}

/** A detail about one field of the body. `pointer` is a JSON pointer. */
export function inBody(pointer: string, type: DetailType, message: string): ErrorDetail {
  return { location: 'body', pointer, type, message }
}

export function inQuery(pointer: string, type: DetailType, message: string): ErrorDetail {
  return { location: 'query', pointer, type, message }
}

export function inHeader(pointer: string, type: DetailType, message: string): ErrorDetail {
  return { location: 'header', pointer, type, message }
}

/** What was looked for. Throws if there is nothing, or nothing that the caller may see. */
export function orNotFound<Found>(found: Found | null | undefined | false): Found {
  if (!found) throw errors.notFound()
  return found
}
