import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../access/auth.ts'
import type { ErrorCode, ErrorDetail } from '../http/errors.ts'
import type { Operation } from '../http/operation.ts'
import { describeError, type Logger, withoutRedaction } from './log.ts'
import { maskNumbers } from './mask.ts'
import type { Metrics } from './metrics.ts'
import { enter, type Span, type Tracer } from './trace.ts'

/** Why a request was refused, without any value of it. */
export type Refusal = {
  readonly code: ErrorCode | null
  readonly message: string
  readonly details: readonly ErrorDetail[]
}

/** What is told about a request to an operation once it is answered. */
export type AnsweredRequest = {
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly status: number
  readonly durationMs: number
  /** Null: there was no valid token, or none is needed. */
  readonly caller: Caller | null
  /** Null: it is not about one account that its caller may see. */
  readonly merchantAccountId: string | null
  readonly hasIdempotencyKey: boolean
  readonly refusal: Refusal | null
}

type Services = {
  readonly metrics: Metrics
  readonly logger: Logger
  readonly onAnswered?: (request: AnsweredRequest) => void
}

/** One log line and one measurement for each request. The query may hold personal data, and is not logged. */
export function observe(app: FastifyInstance, services: Services, operations: readonly Operation[]): void {
  const { metrics, onAnswered } = services
  const logger = withoutRedaction(services.logger)
  const withoutToken = new Set(operations.filter(({ scope }) => scope === null).map(({ id }) => id))
  const relays = new Set(operations.filter(({ relay }) => relay).map(({ id }) => id))
  app.addHook('onResponse', (request, reply, done) => {
    const { operationId } = request
    const operation = operationId ?? 'none'
    const { statusCode: status, elapsedTime: ms } = reply
    const path = loggedPath(request, operationId !== null && !withoutToken.has(operation))
    // That another server is in trouble wakes nobody here.
    const ours = relays.has(operation) && request.refusal === null ? 200 : status
    metrics.observeRequest({ operation, method: request.method, status: ours, seconds: ms / 1000 })
    // Health checks come every few seconds, and are logged only when they fail.
    const level = request.trouble ? 'warn' : operationId === null && status < 400 ? 'debug' : 'info'
    logger[level](
      {
        requestId: request.id,
        method: request.method,
        path,
        operation,
        status,
        ms: Math.round(ms * 10) / 10,
        ...callerIn(request),
        ...idsOf(request, withoutToken.has(operation)),
        ...reasonIn(request),
        ...(request.trouble !== undefined && {
          trouble: { ...describeError(request.trouble), stack: undefined },
        }),
      },
      'request',
    )
    if (operationId === null) return done()
    onAnswered?.({
      requestId: request.id,
      method: request.method,
      path,
      operationId,
      status,
      durationMs: ms,
      ...whoAsked(request),
      hasIdempotencyKey: request.headers['idempotency-key'] !== undefined,
      refusal: request.refusal,
    })
    return done()
  })
}

/** A caller that is limited to some accounts can see all of its own requests, so each belongs to one of them. */
function whoAsked({
  caller,
  admitted,
}: FastifyRequest): Pick<AnsweredRequest, 'caller' | 'merchantAccountId'> {
  if (caller === null || caller === ANONYMOUS) return { caller: null, merchantAccountId: null }
  const [account, ...others] = admitted === null || admitted.reach === 'all' ? [] : admitted.reach
  const only = others.length === 0 ? account : undefined
  return { caller, merchantAccountId: only ?? caller.merchantAccountIds[0] ?? null }
}

function callerIn({ admitted }: FastifyRequest): object {
  const { kind, id } = admitted?.caller ?? {}
  return kind === 'user' ? { userId: id } : { apiKeyPairId: id }
}

/** By which the lines of one payment are found. Ids of what was made without a token may be secrets. */
function idsOf({ method, madeId, span }: FastifyRequest, isOpen: boolean): object {
  return {
    ...(madeId !== null && method === 'POST' && !isOpen && { madeId }),
    ...(span && { traceId: span.traceId }),
  }
}

/** The message of a refusal is often the same for all of its kind: the first detail says what is wrong. */
function reasonIn({ refusal }: FastifyRequest): object {
  if (refusal === null) return {}
  return { code: refusal.code, reason: maskNumbers(refusal.details[0]?.message ?? refusal.message) }
}

/** Operations without a token may have secret URLs. For those, only the pattern is logged. */
function loggedPath({ place, routeOptions, url }: FastifyRequest, isGuarded: boolean): string {
  if (isGuarded && place) return maskNumbers(place.path)
  const [target = ''] = url.split('?')
  const path = maskNumbers(target.replace(/^[a-z][a-z0-9+.-]*:[/][/][^/]*/i, ''))
  if (isGuarded) return path
  return routeOptions.url ?? path.replace(/^([/][^/]*)[/].+$/, '$1/…')
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: it is not traced. */
    span: Span | null
  }
}

/** Makes each request a span. Health checks, assets and other reads outside the API are left out: there are too many. */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined): void {
  app.decorateRequest('span', null)
  if (!tracer) return
  app.addHook('onRequest', (request, _reply, next) => {
    const { method, headers, routeOptions } = request
    if (isQuiet(method, routeOptions.url)) return next()
    // Of a path that is not ours, only the method is told: the path may hold anything.
    const name = routeOptions.url ? `${method} ${routeOptions.url}` : method
    request.span = tracer.begin(headers['traceparent'], name)
    return enter(request.span, next)
  })
  // Reading a body leaves the span, because the connection is older than the request.
  app.addHook('preValidation', (request, _reply, next) => {
    if (request.span) return enter(request.span, next)
    return next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    const { span, operationId, place, caller, madeId } = request
    span?.set({
      'http.request.method': request.method,
      ...(request.routeOptions.url && { 'http.route': request.routeOptions.url }),
      'http.response.status_code': reply.statusCode,
      'switchyard.request_id': request.id,
      ...(operationId !== null && { 'switchyard.operation': operationId }),
      // Without a token, an id may be a secret.
      ...(caller !== null && caller !== ANONYMOUS && idsIn(place?.params, madeId)),
    })
    if (reply.statusCode >= 500) span?.fail()
    span?.end()
    next()
  })
}

/** Which payment, or other resource, the request is about. */
function idsIn(
  params: Readonly<Record<string, unknown>> = {},
  madeId: string | null,
): Record<string, string> {
  const named = Object.entries(params).filter(([name]) => name.endsWith('_id'))
  const ids = named.map(([name, value]) => [`switchyard.${name}`, String(value)] as const)
  return { ...Object.fromEntries(ids), ...(madeId !== null && { 'switchyard.made_id': madeId }) }
}

const QUIET = /^[/](health[/]|metrics$|assets[/]|favicon)|[.*]/

function isQuiet(method: string, route: string | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && (route === undefined || QUIET.test(route))
}
