import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { answerOnce, type Rendered } from './answer-once.ts'
import { ANONYMOUS, type Caller } from './auth.ts'
import type { Clock } from './clock.ts'
import { answerPreflights, isForBrowsers, openToBrowsers } from './cors.ts'
import type { Context, Db } from './db.ts'
import { type ErrorDetail, errors } from './errors.ts'
import { unknownField } from './explain.ts'
import { refuseOldProof } from './fresh-proof.ts'
import { handle, invalid } from './handle.ts'
import { answerErrors, answerUnknownPaths, headersOfEvery } from './http-errors.ts'
import { acceptJson } from './http-json.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { type Identification, identify, refuseForeignSignIn, refuseKeys } from './identify.ts'
import type { Logger } from './log.ts'
import { maskNumbers } from './mask.ts'
import { allComplaints } from './meaning.ts'
import { reachOf, selectAccounts } from './merchant-account.ts'
import type { Metrics } from './metrics.ts'
import { type AnsweredRequest, observe, type Refusal } from './observe.ts'
import { UNKEYED } from './once.ts'
import {
  type Call,
  holderName,
  methodOf,
  type Operation,
  type Permission,
  pathOf,
  type Reach,
  successOf,
} from './operation.ts'
import { applyPinned, type Pins } from './pinned.ts'
import type { BrowserLimit } from './rate-limit.ts'
import { newRequestId } from './request-id.ts'
import type { Secrets } from './secrets.ts'
import { cookieWith, expiredCookie } from './session-cookie.ts'
import type { Tracer } from './trace.ts'
import { traceRequests } from './trace-requests.ts'
import { complaintsAbout, decodeText } from './validation.ts'

export type Services = Identification & {
  readonly db: Db
  readonly clock: Clock
  readonly secrets: Secrets
  readonly logger: Logger
  readonly metrics: Metrics
  /** Undefined: nothing is traced. */
  readonly tracer?: Tracer | undefined
  readonly pins: Pins
  readonly browserLimit: BrowserLimit
  readonly merchantAccountExists: (id: string) => Promise<boolean>
  readonly trustProxy: boolean | string[]
  readonly isStopping: () => boolean
  /** The process is overloaded: requests are turned away before they cost anything. */
  readonly isBusy?: () => boolean
  /** Tests compare every answer with its documented schema. */
  readonly onAnswer?: (operation: Operation, body: unknown) => void
  /** Called after each request to an operation. It must be quick, and must not throw. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}

/** A client that sends a byte now and then holds a connection for half a minute, not for one and a half. */
const SLOW_CLIENTS = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 }

/** What the path names. Ids are in lower case, however they were sent. */
type Place = {
  readonly params: Record<string, unknown>
  readonly path: string
  readonly complaints: readonly ErrorDetail[]
}

type Admitted = { readonly caller: Caller; readonly reach: Reach }

declare module 'fastify' {
  interface FastifyRequest {
    place: Place | null
    /** Known as soon as the token is checked, also if the request is refused then. */
    caller: Caller | null
    admitted: Admitted | null
    /** Why it was refused. */
    refusal: Refusal | null
    operationId: string | null
  }
}

/** One pipeline for every operation: token, scope, merchant account, limit, validation, idempotency, handler. */
export function buildServer(services: Services, operations: readonly Operation[]): FastifyInstance {
  const app = Fastify({
    loggerInstance: services.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: services.trustProxy,
    genReqId: newRequestId,
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    forceCloseConnections: 'idle',
    // While we stop, requests on open connections are answered as usual, not with the framework's own
    // refusal.
    return503OnClosing: false,
    // Leaves room for a token that is too long, so that it gets our own 401.
    http: { maxHeaderSize: 64 * 1024, requireHostHeader: false, ...SLOW_CLIENTS },
    routerOptions: { maxParamLength: 500 },
    ...answerErrors.beforeRouting,
  })
  app.decorateRequest('place', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('admitted', null)
  app.decorateRequest('refusal', null)
  app.decorateRequest('operationId', null)
  traceRequests(app, services.tracer)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOfEvery(request.id))
    await services.clock.catchUp?.()
  })
  app.addHook('onSend', async (_request, reply) => {
    // A connection kept open after this answer would delay the stop.
    if (services.isStopping()) reply.header('connection', 'close')
    // Where the clock can be moved, callers cannot know what time it is here.
    if (services.clock.real) reply.header('x-switchyard-time', services.clock().toISOString())
  })
  // Node would answer an unknown `Expect` header with a bare 417. We treat it as any other request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  warnOfProxy(app, services)
  acceptJson(app)
  answerErrors(app)
  answerUnknownPaths(app)
  observe(app, services, operations)
  answerPreflights(app, operations)
  for (const operation of operations) mount(app, services, operation)
  return app
}

function mount(app: FastifyInstance, services: Services, operation: Operation): void {
  if (operation.scope === null && operation.limit && !operation.isThere)
    throw new Error(`${operation.id} takes no token, so it needs isThere`)
  app.route({
    method: methodOf(operation),
    url: pathOf(operation),
    onRequest: async (request, reply) => {
      request.operationId = operation.id
      // Before any refusal, so that a page can read the reason.
      if (isForBrowsers(operation)) openToBrowsers(reply)
      if (services.isBusy?.()) throw errors.unavailable()
      request.place = readPlace(operation, request.params as Record<string, unknown>)
      request.admitted = await admit(services, operation, request)
    },
    handler: async (request, reply) => {
      const call = readCall(services, operation, request, reply)
      if (!operation.params) await limitAnonymous(services, operation, request, call.body)
      return answer(services, operation, { request, reply, call })
    },
  })
}

function readPlace(operation: Operation, sent: Record<string, unknown>): Place {
  const params = operation.params ? decodeText(operation.params, sent) : {}
  const complaints = operation.params ? complaintsAbout('path', operation.params, params) : []
  // Not the URL itself, which can be spelled in many ways.
  const path = pathOf(operation).replaceAll(/:(\w+)/g, (_match, name) => String(params[name]))
  return { params, path, complaints }
}

function placeOf({ place }: FastifyRequest): Place {
  if (!place) throw new Error('a request reached its handler before its path was read')
  return place
}

async function admit(services: Services, operation: Operation, request: FastifyRequest): Promise<Admitted> {
  if (operation.isSignIn) {
    refuseForeignSignIn(services, request)
    return { caller: ANONYMOUS, reach: [] }
  }
  if (operation.scope === null) {
    const { params, complaints } = placeOf(request)
    if (operation.params && complaints.length === 0)
      await limitAnonymous(services, operation, request, params)
    return { caller: ANONYMOUS, reach: [] }
  }
  const caller = await identify(services, request)
  request.caller = caller
  const missing = missingScope(operation, caller)
  if (missing) throw errors.forbidden(complaintOf(missing, caller))
  const reach = await selectAccounts(
    operation,
    caller,
    request.raw.rawHeaders,
    services.merchantAccountExists,
  )
  if (operation.isForUsers) refuseKeys(caller)
  if (operation.needsFreshProof) refuseOldProof(caller, services.clock)
  if (operation.limit === 'browser' && caller.isEmbed) {
    await services.browserLimit.count(caller.tokenId)
  }
  return { caller, reach }
}

/**
 * Limits how often an id may be used that stands in for a token. An unknown id is a guess: it leaves no row
 * behind, and counts against its address.
 */
async function limitAnonymous(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  holder: unknown,
): Promise<void> {
  if (operation.scope !== null || operation.limit !== 'browser') return
  const query = operation.query ? decodeText(operation.query, request.query as Record<string, unknown>) : {}
  const isThere = await operation.isThere?.(contextOf(services, request, ANONYMOUS), holder, query)
  if (isThere) await services.browserLimit.count(holderName(holder))
  else await services.browserLimit.countGuess(request.ip)
}

/** A browser token stands in for the scope, but not for the key's roles. */
function missingScope(operation: Operation, caller: Caller): Permission | undefined {
  const { scope, orScope, andScope, embed } = operation
  const isMissing = (permission: Permission) =>
    !caller.may(permission) && !(embed === true && caller.isEmbed && caller.roleAllows(permission))
  const first = orScope && !isMissing(orScope) ? orScope : scope
  return [first, andScope].find((permission) => permission && isMissing(permission)) ?? undefined
}

function complaintOf(scope: Permission, caller: Caller): ErrorDetail {
  const type = 'value_error.missing'
  if (caller.kind === 'user')
    return { location: 'header', pointer: '/cookie', type, message: `none of your roles allows ${scope}` }
  const message = caller.roleAllows(scope)
    ? `the token lacks the scope ${scope}`
    : `no role of this API key allows ${scope}`
  return { location: 'header', pointer: '/authorization', type, message }
}

function readCall(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Call {
  if (!request.admitted) throw new Error('a request reached its handler before it was admitted')
  const { caller, reach } = request.admitted
  const place = placeOf(request)
  const query = operation.query && decodeText(operation.query, request.query as Record<string, unknown>)
  const formal = [
    ...applyPinned(operation, caller, 'query', query),
    ...applyPinned(operation, caller, 'body', request.body),
    ...place.complaints,
    ...(operation.query ? complaintsAbout('query', operation.query, query) : unknownQuery(request)),
    ...bodyComplaints(operation, request.body),
  ]
  const body = operation.body && (request.body ?? undefined)
  if (formal.length > 0) {
    throw invalid(
      allComplaints(operation, { caller, now: services.clock(), params: place.params, query, body }, formal),
    )
  }
  return {
    context: contextOf(services, request, caller),
    once: UNKEYED,
    caller,
    reach,
    callerReach: reachOf(caller),
    params: operation.params && place.params,
    query,
    body,
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? null,
    giveSession: (token) =>
      void reply.header(
        'set-cookie',
        token === null ? expiredCookie(services.cookie) : cookieWith(services.cookie, token),
      ),
    preferred: preferredOf(operation, request.headers['prefer']),
  }
}

function contextOf({ db, clock }: Services, request: FastifyRequest, caller: Caller): Context {
  const actor = caller === ANONYMOUS ? { id: null, name: ANONYMOUS.name } : caller
  return { db, clock, actor, requestId: request.id, startedAt: performance.now() }
}

/** RFC 7240: unknown preferences are ignored, names are case-insensitive, values are not. */
function preferredOf({ prefers }: Operation, header: string | string[] | undefined): string | undefined {
  const wanted = String(header ?? '').matchAll(/(?:^|[,;\s])resource\s*=\s*"?([a-z-]+)"?/gi)
  return [...wanted].map(([, value = '']) => value).find((value) => prefers?.includes(value))
}

function bodyComplaints({ body: schema, isBodyOptional }: Operation, body: unknown): ErrorDetail[] {
  if (!schema)
    return isEmpty(body)
      ? []
      : [aboutBody('value_error.extra', 'leave the body out: this operation takes none')]
  if (isBodyOptional && (body === undefined || body === null)) return []
  if (body !== undefined) return complaintsAbout('body', schema, body)
  return [aboutBody('value_error.missing', 'a JSON body is required')]
}

/** Some clients cannot send an empty body. They send `{}` or, from PHP, `[]`. */
function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
}

function aboutBody(type: ErrorDetail['type'], message: string): ErrorDetail {
  return { location: 'body', pointer: '', type, message }
}

function unknownQuery(request: FastifyRequest): ErrorDetail[] {
  return Object.keys(request.query as object).map((name) => ({
    location: 'query',
    pointer: `/${maskNumbers(name)}`,
    type: 'value_error.extra',
    message: unknownField(name, []),
  }))
}

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly call: Call }

async function answer(services: Services, operation: Operation, exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, call } = exchange
  const render = (body: unknown): Rendered => {
    services.onAnswer?.(operation, body)
    return { status: statusOf(operation, body), body: serialize(body) }
  }
  const key =
    methodOf(operation) === 'POST' && !operation.isSignIn
      ? readIdempotencyKey(services.secrets, request.headers['idempotency-key'])
      : undefined
  if (key === undefined) return send(reply, render(await handle(operation, call)))
  const { path } = placeOf(request)
  return send(reply, await answerOnce(services, { operation, call, key, path, reply, render }))
}

/** An operation without an answer is 204. */
function statusOf(operation: Operation, body: unknown): number {
  return body === undefined && 204 in operation.responses ? 204 : successOf(operation)
}

function serialize(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body)
}

function send(reply: FastifyReply, { status, body }: Rendered): FastifyReply {
  if (body === '') return reply.code(status).send()
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
}

/** Behind an untrusted proxy all callers have one address, and share its limit of failed token checks. */
function warnOfProxy(app: FastifyInstance, { trustProxy, logger }: Services): void {
  let isTold = trustProxy !== false
  app.addHook('onRequest', async (request) => {
    if (isTold || !('x-forwarded-for' in request.headers)) return
    isTold = true
    logger.warn(
      'requests come through a proxy (X-Forwarded-For), and TRUST_PROXY is not set: all callers count as one',
    )
  })
}
