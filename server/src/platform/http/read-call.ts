import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../access/auth.ts'
import { reachOf } from '../access/merchant-account.ts'
import { cookieWith, expiredCookie } from '../access/session-cookie.ts'
import type { Context } from '../database/db.ts'
import { UNKEYED } from '../idempotency/once.ts'
import { maskNumbers } from '../observability/mask.ts'
import type { ErrorDetail } from './errors.ts'
import { unknownField } from './explain.ts'
import { invalid } from './handle.ts'
import { allComplaints } from './meaning.ts'
import { type Call, type Operation, pathOf } from './operation.ts'
import { applyPinned } from './pinned.ts'
import { type Place, placeOf } from './request-state.ts'
import type { Services } from './services.ts'
import { complaintsAbout, decodeText, refuseExcess } from './validation.ts'

export function readPlace(operation: Operation, sent: Record<string, unknown>): Place {
  if (!operation.params) return { params: {}, path: pathOf(operation), complaints: [] }
  const params = decodeText(operation.params, sent)
  const complaints = complaintsAbout('path', operation.params, params)
  // Not the URL itself, which can be spelled in many ways.
  const path = pathOf(operation).replaceAll(/:(\w+)/g, (_match, name) => String(params[name]))
  return { params, path, complaints }
}

/** What the handler gets: checked values and a context. */
export function readCall(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Call {
  if (!request.admitted) throw new Error('a request reached its handler before it was admitted')
  const { caller, reach } = request.admitted
  const place = placeOf(request)
  const query = operation.query && decodeText(operation.query, request.query as Record<string, unknown>)
  refuseExcess('query', query)
  refuseExcess('body', request.body)
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

export function contextOf(
  { db, clock, secrets }: Services,
  request: FastifyRequest,
  caller: Caller,
): Context {
  const actor = caller === ANONYMOUS ? { id: null, name: ANONYMOUS.name } : caller
  return { db, clock, actor, requestId: request.id, mac: secrets.mac, startedAt: performance.now() }
}

/** RFC 7240: unknown preferences are ignored, names are case-insensitive, values are not. */
function preferredOf({ prefers }: Operation, header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const wanted = String(header).matchAll(/(?:^|[,;\s])resource\s*=\s*"?([a-z-]+)"?/gi)
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
