import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller } from '../access/auth.ts'
import type { Identification } from '../access/identify.ts'
import { reachOf } from '../access/merchant-account.ts'
import type { BrowserLimit } from '../access/rate-limit.ts'
import type { Secrets } from '../access/secrets.ts'
import { cookieWith, expiredCookie } from '../access/session-cookie.ts'
import type { Context, Db } from '../database/db.ts'
import type { Replica } from '../database/replica.ts'
import { answerOf, UNKEYED } from '../idempotency/once.ts'
import type { Logger } from '../observability/log.ts'
import { maskNumbers } from '../observability/mask.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { AnsweredRequest, Refusal } from '../observability/observe.ts'
import type { Tracer } from '../observability/trace.ts'
import type { Clock } from '../process/clock.ts'
import { type ApiError, DETAILS_MAX, type ErrorDetail, errors } from './errors.ts'
import { unknownField } from './explain.ts'
import { type Call, type Operation, pathOf, type Reach } from './operation.ts'
import { applyPinned, type Pins } from './pinned.ts'
import { allComplaints } from './semantic-checks.ts'
import { complaintsAbout, decodeText, refuseExcess } from './validation.ts'

/** What the path names. Ids are in lower case, however they were sent. */
type Place = {
  readonly params: Record<string, unknown>
  readonly path: string
  readonly complaints: readonly ErrorDetail[]
}

export type Admitted = { readonly caller: Caller; readonly reach: Reach }

declare module 'fastify' {
  interface FastifyRequest {
    place: Place | null
    /** Known as soon as the token is checked, also if the request is refused then. */
    caller: Caller | null
    admitted: Admitted | null
    /** Why it was refused. */
    refusal: Refusal | null
    operationId: string | null
    /** The id of what it made, such as a payment. */
    madeId: string | null
    /** What kept us from answering it, if that is not a defect: the database was away, full or too slow. */
    trouble: unknown
  }
}

export function placeOf({ place }: FastifyRequest): Place {
  if (!place) throw new Error('a request reached its handler before its path was read')
  return place
}

/** What the pipeline of `http.ts` needs. */
export type Services = Identification & {
  readonly db: Db
  /** Where lists are read. Undefined: in the same database. */
  readonly replica?: Replica | undefined
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
  /** Browsers are told to use HTTPS alone from then on. */
  readonly isHttpsOnly?: boolean
  /** The process is overloaded: requests are turned away before they cost anything. */
  readonly isBusy?: () => boolean
  /** Tests compare every answer with its documented schema. */
  readonly onAnswer?: (operation: Operation, body: unknown) => void
  /** Called after each request to an operation. It must be quick, and must not throw. */
  readonly onAnswered?: (request: AnsweredRequest) => void
}

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

/** Runs an operation after its own checks have passed. */
export async function runOperation(operation: Operation, call: Call): Promise<unknown> {
  const { caller, context, once, params, query, body } = call
  // A card may have expired since its payment began. Begun work goes on, and is not checked again.
  const isBegun = once.begun !== null
  const complaints = isBegun
    ? []
    : allComplaints(operation, { caller, now: context.clock(), params, query, body }, [])
  if (complaints.length > 0) throw invalid(complaints)
  return answerOf(await operation.handler(call))
}

function invalid(complaints: readonly ErrorDetail[]): ApiError {
  return errors.invalid(...complaints.slice(0, DETAILS_MAX))
}
