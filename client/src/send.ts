import type { Connection, Options } from './connect.ts'
import { ConnectionError, type SwitchyardError, UnknownOutcomeError } from './errors.ts'
import { readError } from './read-error.ts'
import { waitBeforeNext } from './retry.ts'

export type Wanted = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly query?: object | undefined
  readonly body?: unknown
}

/** One call of an operation. All of its tries are the same request, under the same key. */
type Call = {
  readonly connection: Connection
  readonly wanted: Wanted
  readonly options: Options
  readonly idempotencyKey: string | undefined
  /** Whether the service may have done the work already, in a try whose outcome is not known. */
  readonly mayBeDone: boolean
}

type Try =
  | { readonly isGood: true; readonly body: unknown }
  | { readonly isGood: false; readonly error: SwitchyardError }

/** Sends a request until there is an answer, as often as the connection allows. */
export function send<Answer>(connection: Connection, wanted: Wanted, options: Options = {}): Promise<Answer> {
  const idempotencyKey =
    wanted.method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  return run<Answer>({ connection, wanted, options, idempotencyKey, mayBeDone: false })
}

async function run<Answer>(call: Call): Promise<Answer> {
  const { connection, options } = call
  const retries = options.retries ?? connection.retries
  let { mayBeDone } = call
  for (let tried = 0; ; tried++) {
    options.signal?.throwIfAborted()
    const result = await tryOnce(call)
    if (result.isGood) return result.body as Answer
    const { error } = result
    if (mayBeDone && isGone(call, error)) return undefined as Answer
    mayBeDone ||= leavesOpen(call, error)
    const waitMs = tried < retries && !options.signal?.aborted ? waitBeforeNext(error, tried) : undefined
    const isOver = waitMs === undefined || !(await waited(waitMs, options.signal))
    if (isOver) throw endOf<Answer>({ ...call, mayBeDone }, error)
  }
}

async function tryOnce(call: Call): Promise<Try> {
  const { token } = call.connection
  const sent = await token?.get()
  const result = await exchange(call, sent)
  const isRefused = !result.isGood && result.error.status === 401
  if (!isRefused || sent === undefined || !token?.forget(sent)) return result
  return exchange(call, await token.get())
}

async function exchange(call: Call, token: string | undefined): Promise<Try> {
  const { connection, wanted, options, idempotencyKey } = call
  const timeout = AbortSignal.timeout(options.timeoutMs ?? connection.timeoutMs)
  try {
    const response = await connection.fetch(addressOf(connection, wanted), {
      method: wanted.method,
      headers: headersOf(call, token),
      credentials: 'omit',
      redirect: 'error',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(wanted.body !== undefined && { body: JSON.stringify(wanted.body) }),
    })
    const text = await response.text()
    if (!response.ok) return { isGood: false, error: readError(response, text, idempotencyKey) }
    return { isGood: true, body: text === '' ? undefined : JSON.parse(text) }
  } catch (cause) {
    const message = 'No answer came. Check the connection to the service.'
    const error = new ConnectionError({ status: 0, code: 'no_answer', message, idempotencyKey, cause })
    return { isGood: false, error }
  }
}

function addressOf({ url }: Connection, { path, query = {} }: Wanted): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value]
    for (const one of values) if (one !== undefined && one !== null) parameters.append(name, String(one))
  }
  return parameters.size === 0 ? url + path : `${url}${path}?${parameters}`
}

function headersOf(
  { connection, wanted, options, idempotencyKey }: Call,
  token: string | undefined,
): Headers {
  const headers = new Headers({ accept: 'application/json' })
  const account = options.merchantAccountId ?? connection.merchantAccountId
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (account !== undefined) headers.set('x-service-merchant-account-id', account)
  if (wanted.body !== undefined) headers.set('content-type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey)
  if (options.prefer !== undefined) headers.set('prefer', options.prefer)
  return headers
}

/** A delete whose first answer was lost finds nothing the second time. */
function isGone({ wanted }: Call, error: SwitchyardError): boolean {
  return wanted.method === 'DELETE' && error.status === 404
}

/** Whether the work may have been done although there is no answer that says so. */
function leavesOpen({ wanted }: Call, { status, code }: SwitchyardError): boolean {
  return wanted.method !== 'GET' && (status === 0 || status >= 500 || code === 'concurrent_request')
}

/** The service refuses these before it looks at the key, so they say nothing about an earlier try. */
const SAYS_NOTHING: ReadonlySet<number> = new Set([401, 403, 425, 429])

function endOf<Answer>(call: Call, error: SwitchyardError): unknown {
  const { options, mayBeDone, idempotencyKey } = call
  const { status, requestId, retryAfterMs, details } = error
  if (mayBeDone && (leavesOpen(call, error) || SAYS_NOTHING.has(status))) {
    const message =
      'The outcome is unknown: the service may have done it. Call again() to ask under the same key.'
    const cause = options.signal?.aborted ? options.signal.reason : error
    const facts = {
      status,
      code: 'unknown',
      message,
      details,
      requestId,
      idempotencyKey,
      retryAfterMs,
      cause,
    }
    const { signal: _ended, ...others } = options
    return new UnknownOutcomeError<Answer>({ ...facts, again: () => run({ ...call, options: others }) })
  }
  return options.signal?.aborted ? options.signal.reason : error
}

/** Waits. Tells whether the time is over; otherwise the caller has ended the call. */
function waited(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve(true)
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
