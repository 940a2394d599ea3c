import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { DEPTH_MAX, isTooDeep } from '#domain/depth.ts'
import { hasWritten, MERCHANT_ACCOUNT_HEADER, wroteCookie } from '../access/identify.ts'
import { answerOnce, type Rendered } from '../idempotency/answer-once.ts'
import { readIdempotencyKey } from '../idempotency/idempotency.ts'
import { observe, traceRequests } from '../observability/observe.ts'
import { compressed } from './compress.ts'
import { type DetailType, errors, inBody } from './errors.ts'
import { answerErrors, answerUnknownPaths, headersOfEvery, newRequestId } from './http-errors.ts'
import { type Call, methodOf, type Operation, pathOf, type RelayedAnswer, successOf } from './operation.ts'
import {
  admit,
  limitAnonymous,
  placeOf,
  readCall,
  readPlace,
  runOperation,
  type Services,
} from './read-call.ts'

/** A client that sends a byte now and then holds a connection for half a minute, not for one and a half. */
const SLOW_CLIENTS = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 }

/** One pipeline for every operation: token, scope, merchant account, limit, validation, idempotency, handler. */
export function buildServer(services: Services, operations: readonly Operation[]): FastifyInstance {
  const app = Fastify({
    loggerInstance: services.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: services.trustProxy,
    genReqId: newRequestId,
    // A logger for each request would only add its id, which every line has already.
    childLoggerFactory: (logger) => logger,
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
  app.decorateRequest('madeId', null)
  app.decorateRequest('trouble', undefined)
  traceRequests(app, services.tracer)
  const { clock } = services
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOfEvery(request.id))
    done()
  })
  if (clock.catchUp) app.addHook('onRequest', clock.catchUp)
  app.addHook('onSend', (_request, reply, _payload, done) => {
    // A connection kept open after this answer would delay the stop.
    if (services.isStopping()) reply.header('connection', 'close')
    // Where the clock can be moved, callers cannot know what time it is here.
    if (clock.real) reply.header('x-switchyard-time', clock().toISOString())
    if (services.isHttpsOnly) reply.header('strict-transport-security', 'max-age=31536000')
    done()
  })
  // Node would answer an unknown `Expect` header with a bare 417. We treat it as any other request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  warnOfProxy(app, services)
  acceptJson(app)
  answerErrors(app)
  answerUnknownPaths(app)
  observe(app, services, operations)
  answerPreflights(app, operations)
  for (const operation of operations) {
    if (operation.relay) mountRelay(app, services, operation)
    else mount(app, services, operation)
  }
  return app
}

/** Its body is of any type. */
function mountRelay(app: FastifyInstance, services: Services, operation: Operation): void {
  app.register((child, _options, done) => {
    child.removeAllContentTypeParsers()
    child.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, ready) => ready(null, body))
    mount(child, services, operation)
    done()
  })
}

function mount(app: FastifyInstance, services: Services, operation: Operation): void {
  if (operation.scope === null && operation.limit && !operation.isThere)
    throw new Error(`${operation.id} takes no token, so it needs isThere`)
  app.route({
    method: methodOf(operation),
    url: pathOf(operation),
    ...(operation.bodyBytesMax !== undefined && { bodyLimit: operation.bodyBytesMax }),
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

type Sent = string | Buffer | null | FastifyReply
type Payload = Sent | Promise<Sent>
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly call: Call }

async function answer(services: Services, operation: Operation, exchange: Exchange): Promise<Sent> {
  const { request, reply, call } = exchange
  if (services.replica && call.caller.kind === 'user' && methodOf(operation) !== 'GET')
    reply.header('set-cookie', wroteCookie(services.cookie, services.replica.lagMaxSeconds))
  const render = (body: unknown): Rendered => {
    services.onAnswer?.(operation, body)
    request.madeId = idIn(body)
    return { status: statusOf(operation, body), body: serialize(body) }
  }
  const key =
    methodOf(operation) === 'POST' && !operation.isSignIn
      ? readIdempotencyKey(services.secrets, request.headers['idempotency-key'])
      : undefined
  if (key === undefined)
    return send(operation, exchange, render(await handleNear(services, operation, exchange)))
  const { path } = placeOf(request)
  const rendered = await answerOnce(services, { operation, call, key, path, reply, render })
  return send(operation, exchange, rendered)
}

/**
 * A list may be a little old, so a replica can answer it. What is read before a write, or by id, is read where it is written. So
 * is what a buyer's browser reads, and for some seconds what a user reads who has changed something.
 */
function handleNear(
  { replica }: Services,
  operation: Operation,
  { request, call }: Exchange,
): Promise<unknown> {
  const mayBeOld =
    operation.isList && !operation.isAudited && !call.caller.isEmbed && !hasWritten(request.headers)
  if (!replica || !mayBeOld) return runOperation(operation, call)
  return replica.read((db) => runOperation(operation, { ...call, context: { ...call.context, db } }))
}

function idIn(body: unknown): string | null {
  const id = body !== null && typeof body === 'object' && 'id' in body ? body.id : null
  return typeof id === 'string' ? id : null
}

/** An operation without an answer is 204. */
function statusOf(operation: Operation, body: unknown): number {
  if (operation.relay) return (body as RelayedAnswer).status
  return body === undefined && 204 in operation.responses ? 204 : successOf(operation)
}

function serialize(body: unknown): string {
  return body === undefined ? '' : JSON.stringify(body)
}

/**
 * The payload goes back to the framework. Were it the reply, each function on the way would wait for the end of the
 * response.
 */
function send(operation: Operation, { request, reply }: Exchange, { status, body }: Rendered): Payload {
  reply.code(status)
  if (operation.relay) return sendRelayed(reply, JSON.parse(body))
  if (body === '') return status === 204 ? null : reply.send()
  reply.header('content-type', 'application/json; charset=utf-8')
  return mayCompress(operation) ? compressed(request, reply, body) : body
}

/** What another server says is shown by no browser as a page of ours. */
function sendRelayed(reply: FastifyReply, { headers, body }: RelayedAnswer): Payload {
  reply.headers({ ...headers, 'content-security-policy': 'sandbox' })
  return body === '' ? reply.send() : Buffer.from(body, 'latin1')
}

/** Answers of a `POST` may hold secrets that are shown once, and so may those to people without a token. */
function mayCompress(operation: Pick<Operation, 'route' | 'scope'>): boolean {
  return methodOf(operation) === 'GET' && operation.scope !== null
}

/** Behind an untrusted proxy all callers have one address, and share its limit of failed token checks. */
function warnOfProxy(app: FastifyInstance, { trustProxy, logger }: Services): void {
  let isWarned = trustProxy !== false
  app.addHook('onRequest', (request, _reply, done) => {
    if (isWarned || !('x-forwarded-for' in request.headers)) return done()
    isWarned = true
    logger.warn(
      'requests come through a proxy (X-Forwarded-For), and TRUST_PROXY is not set: all callers count as one',
    )
    return done()
  })
}

/**
 * Accepts only JSON: valid UTF-8, without keys that poison prototypes, and not nested deeper than any request
 * needs. A missing body stays undefined.
 */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, payload, done) => {
    if (payload.length === 0) return done(null, undefined)
    const text = decodeUtf8(payload as Buffer)
    if (text === undefined) return done(complaint('value_error.jsondecode', 'the body is not valid UTF-8'))
    return parse(request, text, (error, body) => {
      if (error)
        done(complaint('value_error.jsondecode', 'the body is not valid JSON, or holds a forbidden key'))
      else if (isTooDeep(body))
        done(complaint('value_error.list.max_items', `must not be nested deeper than ${DEPTH_MAX} levels`))
      else done(null, body)
    })
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, payload, done) => {
    if (payload.length === 0) return done(null, undefined)
    return done(complaint('value_error.const', 'send the body as application/json'))
  })
}

function decodeUtf8(payload: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(payload)
  } catch {
    return undefined
  }
}

function complaint(type: DetailType, message: string): Error {
  return errors.invalid(inBody('', type, message))
}

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'idempotency-key',
  'x-request-id',
  'x-service-merchant-account-id',
]
const EXPOSED_HEADERS = ['x-request-id', 'retry-after', 'idempotent-replayed']
/** Browsers keep an answer for two hours at most. */
const MAX_AGE_SECONDS = 7_200

/**
 * Lets a page of any origin read the answer. Cookies count only in requests of our own pages, so another page
 * can do no more than its token allows.
 */
function openToBrowsers(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', EXPOSED_HEADERS.join(', '))
}

/** Whether pages of any origin may call it: it takes a browser token, or no token at all. */
export function isForBrowsers(operation: Pick<Operation, 'embed' | 'scope' | 'isSignIn'>): boolean {
  const { embed, scope, isSignIn } = operation
  return embed === true || (scope === null && !isSignIn)
}

/** Answers preflight requests of browsers, for operations that a browser may call. */
function answerPreflights(app: FastifyInstance, operations: readonly Operation[]): void {
  const methods = new Map<string, string[]>()
  for (const operation of operations.filter(isForBrowsers)) {
    const path = pathOf(operation)
    methods.set(path, [...(methods.get(path) ?? []), methodOf(operation)])
  }
  for (const [path, allowed] of methods) {
    app.options(path, async (request, reply) => {
      openToBrowsers(reply)
      return reply
        .header('access-control-allow-methods', allowed.join(', '))
        .header('access-control-allow-headers', headersFor(request.headers['access-control-request-headers']))
        .header('access-control-max-age', MAX_AGE_SECONDS)
        .header('vary', 'access-control-request-headers')
        .code(204)
        .send()
    })
  }
}

/** The name of the merchant account header contains a free word, so we repeat the requested name. */
function headersFor(requested: string | undefined): string {
  const names = (requested ?? '').toLowerCase().split(',')
  const accounts = names.map((name) => name.trim()).filter((name) => MERCHANT_ACCOUNT_HEADER.test(name))
  return [...new Set([...ALLOWED_HEADERS, ...accounts])].join(', ')
}
