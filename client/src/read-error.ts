import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorDetail,
  type Facts,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  type SwitchyardError,
  TooEarlyError,
} from './errors.ts'

/** Makes an error of an answer that is none of success. Proxies answer in other forms than the service. */
export function readError(
  response: Response,
  text: string,
  idempotencyKey: string | undefined,
): SwitchyardError {
  const body = readObject(text)
  const { status } = response
  const message = body['message']
  const facts: Facts = {
    status,
    code: typeof body['code'] === 'string' ? body['code'] : codeOf(status),
    message: describe(typeof message === 'string' ? message : `The answer is ${status}`, detailsOf(body)),
    details: detailsOf(body),
    requestId: response.headers.get('x-request-id') ?? undefined,
    idempotencyKey,
    retryAfterMs: retryAfterOf(response),
  }
  return errorOf(facts, body)
}

function errorOf(facts: Facts, body: Readonly<Record<string, unknown>>): SwitchyardError {
  const { status } = facts
  if (status >= 500) return new ServerError(facts)
  if (status === 401) return new AuthenticationError(facts)
  if (status === 403) return new PermissionError(facts)
  if (status === 404) return new NotFoundError(facts)
  if (status === 409) {
    const { resource_id } = body
    return new ConflictError({ ...facts, resourceId: typeof resource_id === 'string' ? resource_id : null })
  }
  if (status === 422) return new IdempotencyError(facts)
  if (status === 425) return new TooEarlyError(facts)
  if (status === 429) return new RateLimitError(facts)
  return new BadRequestError(facts)
}

/** Says nothing: the message that the contract wants of every 403. */
const EMPTY = 'Generic error'

/** The message of a refusal is often the same for all of its kind: the first detail says what is wrong. */
function describe(message: string, details: readonly ErrorDetail[]): string {
  const [first, ...rest] = details
  if (first === undefined) return message
  const place = first.pointer === '' ? '' : `${first.pointer} `
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`
  return `${message === EMPTY ? '' : `${message}: `}${place}${first.message}${more}`
}

function detailsOf(body: Readonly<Record<string, unknown>>): ErrorDetail[] {
  if (Array.isArray(body['details'])) return body['details'].filter(isObject).map((one) => one as ErrorDetail)
  // The 422 of an idempotency key has a shape of its own.
  if (!Array.isArray(body['detail'])) return []
  return body['detail'].filter(isObject).map(({ loc, msg, type }) => {
    const [location = '', ...path] = Array.isArray(loc) ? loc.map(String) : []
    return {
      location,
      pointer: path.map((part) => `/${part}`).join(''),
      type: String(type),
      message: String(msg),
    }
  })
}

const CODES: Readonly<Record<number, string>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'duplicate_record',
  422: 'idempotency_key_reused',
  425: 'too_early',
  429: 'too_many_requests',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
}

function codeOf(status: number): string {
  return CODES[status] ?? (status >= 500 ? 'server_error' : 'bad_request')
}

/** The header holds seconds, or a date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const given = headers.get('retry-after')
  if (given === null) return undefined
  const ms = /^\d+$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
