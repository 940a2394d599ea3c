import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { idMaker } from '#domain/ids.ts'
import { errorCode, isDatabaseAway, QUERY_CANCELED } from '../database/database-errors.ts'
import { maskNumbers } from '../observability/mask.ts'
import type { Refusal } from '../observability/observe.ts'
import { ApiError, errors, inBody, ReusedKeyError } from './errors.ts'
import { distance } from './nearest-name.ts'

/** The only place that turns an error into an answer. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
}

/** The headers of every answer, however early a request fails. */
export function headersOfEvery(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

const MESSAGES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers are larger than 64 kB',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive',
}

/** Errors before a route is known, such as a URL that cannot be decoded. */
answerErrors.beforeRouting = {
  frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headersOfEvery(request.id))
    answerError(error, request, reply)
  },
  clientErrorHandler: (error: NodeJS.ErrnoException, socket: import('node:net').Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const message = MESSAGES[error.code ?? ''] ?? 'The request is not valid HTTP'
    const body = JSON.stringify(new ApiError('bad_request', { message }).body())
    const headers = {
      ...headersOfEvery(newRequestId({ headers: {} })),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`)
  },
}

type ShowError = (reply: FastifyReply, error: ApiError) => FastifyReply

/** The same for URLs that people open in a browser: a page, with the same status and headers. */
export function answerErrorsAsPages(app: FastifyInstance, show: ShowError): void {
  app.setErrorHandler((error, request, reply) => {
    const known = toApiError(error, request)
    if (!known) logUnexpected(error, request)
    const shown = known instanceof ApiError ? known : new ApiError('server_error')
    dropRestOfBody(request, reply)
    return show(reply.headers(shown.headers), shown)
  })
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toApiError(error, request)
  if (!known) logUnexpected(error, request)
  const answer = known ?? new ApiError('server_error')
  request.refusal = refusalOf(answer)
  if (isUnavailable(error)) request.trouble = error
  dropRestOfBody(request, reply)
  return reply
    .code(answer.status)
    .headers('headers' in answer ? answer.headers : {})
    .send(answer.body())
}

const DROPPED_BYTES_MAX = 16 * 1024 * 1024
const DROPPING_MS_MAX = 20_000

/**
 * Many clients read the answer only when they have sent the whole body, and get an error if the connection closes before. So
 * what is left of a refused body is read and dropped, within bounds.
 */
function dropRestOfBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  // Injected requests have no connection, and do not say whether they are complete.
  if (raw.complete !== false) return
  // The framework closes the connection after a body that is too large.
  reply.removeHeader('connection')
  const deadline = setTimeout(cut, DROPPING_MS_MAX).unref()
  let bytes = 0
  raw.on('data', drop)
  raw.on('close', () => clearTimeout(deadline))

  function drop(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > DROPPED_BYTES_MAX) cut()
  }

  function cut(): void {
    raw.off('data', drop)
    raw.socket.destroySoon()
  }
}

function refusalOf(error: ApiError | ReusedKeyError): Refusal {
  const code = error instanceof ApiError ? error.code : null
  return { code, message: error.message, details: error.details }
}

function logUnexpected(error: unknown, request: FastifyRequest): void {
  request.log.error({ err: error, requestId: request.id, operation: request.operationId }, 'unexpected error')
}

const TIMED_OUT_IN_DATABASE = new Set(['55P03', QUERY_CANCELED])

/** The database cannot do it now. The same request may work in a moment. */
export function isUnavailable(error: unknown): boolean {
  return isDatabaseAway(error) || TIMED_OUT_IN_DATABASE.has(errorCode(error))
}

function toApiError(error: unknown, { routeOptions }: FastifyRequest): ApiError | ReusedKeyError | undefined {
  if (error instanceof ApiError || error instanceof ReusedKeyError) return error
  if (isUnavailable(error)) return errors.unavailable()
  if (errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const mebibytes = (routeOptions.bodyLimit ?? 0) / 1024 / 1024
    return errors.invalid(
      inBody('', 'value_error.any_str.max_length', `the body is larger than ${mebibytes} MiB`),
    )
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? new ApiError('bad_request') : undefined
}

type Route = { readonly method: string; readonly url: string }

/**
 * 404 for an unknown path, 405 for a known one with another method. Both come before token and body are
 * checked.
 */
export function answerUnknownPaths(app: FastifyInstance): void {
  const known: Route[] = []
  const patterns = new Map<string, RegExp>()
  /** For each route with an id: the routes with a fixed word in its place. */
  const rivals = new Map<string, Route[]>()
  app.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) known.push({ method: name, url })
  })
  app.addHook('onRequest', async (request, reply) => {
    // The router matches `/buyers/` as a buyer without an id. We treat it as another path.
    const isEmpty = Object.values(request.params ?? {}).includes('')
    if (isEmpty) throw noSuchPath(decodePath(request.url), paths())
    const candidates = request.is404 ? known : rivalsOf(request.routeOptions.url ?? '')
    if (candidates.length === 0) return
    const path = decodePath(request.url)
    const methods = candidates.filter(({ url }) => patternOf(url).test(path)).map(({ method }) => method)
    if (methods.length === 0 && !request.is404) return
    if (methods.length === 0) throw noSuchPath(path, paths())
    reply.header('allow', [...new Set(methods)].sort((a, b) => (a < b ? -1 : 1)).join(', '))
    throw new ApiError('method_not_allowed')
  })
  app.setNotFoundHandler((request, reply) =>
    answerError(noSuchPath(decodePath(request.url), paths()), request, reply),
  )

  /** Made when it is needed: few requests ask, and there are hundreds of routes. */
  function patternOf(url: string): RegExp {
    const pattern = patterns.get(url) ?? new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+')}$`)
    patterns.set(url, pattern)
    return pattern
  }

  /** Without preflight routes. */
  function paths(): string[] {
    return [...new Set(known.filter(({ method }) => method !== 'OPTIONS').map(({ url }) => url))]
  }

  function rivalsOf(url: string): Route[] {
    const found = rivals.get(url) ?? known.filter((route) => isWordFor(route.url, url))
    rivals.set(url, found)
    return found
  }
}

/**
 * The router takes `balances` for an id if no route of the method has that word. If another method has it, it
 * is a word.
 */
function isWordFor(fixed: string, withId: string): boolean {
  const [words, ids] = [fixed.split('/'), withId.split('/')]
  const first = words.findIndex((word, index) => word !== ids[index])
  return ids[first]?.startsWith(':') === true && words[first]?.startsWith(':') === false
}

function decodePath(url: string): string {
  const path = url.split('?')[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const LENGTH_MAX = 200
const PREFIX = /^\/(?:api|v\d+(?:\.\d+)?)(?=\/)/

/**
 * 404 for an unknown path, with the one that the caller probably meant. Paths are public: `/openapi.json` has
 * them.
 */
function noSuchPath(path: string, known: readonly string[]): ApiError {
  return errors.noSuchPath(`there is no such path${hint(path.slice(0, LENGTH_MAX), known)}`)
}

function hint(path: string, known: readonly string[]): string {
  const bare = path.replace(/\/+$/, '')
  const exact = find(bare, known, 0)
  if (exact && bare !== path) return `: paths have no slash at the end; use ${exact}`
  const withoutPrefix = bare.replace(PREFIX, '').replace(PREFIX, '')
  const unversioned = withoutPrefix === bare ? undefined : find(withoutPrefix, known, 0)
  if (unversioned) return `: paths have no version and no prefix; use ${unversioned}`
  const near = find(withoutPrefix, known, 3)
  return near ? `; did you mean ${near}?` : '; see /docs for those that exist'
}

/**
 * The most similar known path, with at most this many differing letters in each word. An id may be anything.
 */
function find(path: string, known: readonly string[], stepsMax: number): string | undefined {
  const words = path.split('/')
  const [nearest] = known
    .map((url) => ({ url, steps: stepsBetween(words, url.split('/'), stepsMax) }))
    .filter(({ steps }) => steps !== undefined)
    .toSorted((a, b) => (a.steps ?? 0) - (b.steps ?? 0))
  return nearest?.url.replaceAll(/:(\w+)/g, '{$1}')
}

function stepsBetween(
  words: readonly string[],
  url: readonly string[],
  stepsMax: number,
): number | undefined {
  if (words.length !== url.length) return undefined
  let steps = 0
  for (const [index, part] of url.entries()) {
    const word = words[index] ?? ''
    if (part.startsWith(':')) {
      if (word === '') return undefined
      // Prefer a path whose words match to one with an id.
      steps += 0.5
      continue
    }
    const apart = word === part ? 0 : distance(word.toLowerCase(), part)
    if (apart > Math.min(stepsMax, Math.floor(part.length / 3))) return undefined
    steps += apart
  }
  return steps
}

/** By the machine's clock, like the log lines that carry them. */
const newId = idMaker()

const SANE = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's own request id, if it is valid, so that the logs of both sides can be compared. */
export function newRequestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id']
  const isSane = typeof given === 'string' && SANE.test(given) && maskNumbers(given) === given
  return isSane ? given : newId()
}
