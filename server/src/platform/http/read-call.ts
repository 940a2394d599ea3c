import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ANONYMOUS, type Caller, type Pinned, type Pins } from '../access/auth.ts'
import {
  cookieWith,
  expiredCookie,
  type Identification,
  identify,
  reachOf,
  refuseForeignSignIn,
  refuseKeys,
  selectAccounts,
} from '../access/identify.ts'
import type { BrowserLimit } from '../access/rate-limit.ts'
import type { Secrets } from '../access/secrets.ts'
import { refuseOldProof } from '../access/session-reader.ts'
import type { Context, Db } from '../database/db.ts'
import type { Replica } from '../database/replica.ts'
import { answerOf, UNKEYED } from '../idempotency/once.ts'
import type { Logger } from '../observability/log.ts'
import { maskNumbers } from '../observability/mask.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { AnsweredRequest, Refusal } from '../observability/observe.ts'
import type { Tracer } from '../observability/trace.ts'
import type { Clock } from '../process/clock.ts'
import { type ApiError, DETAILS_MAX, type ErrorDetail, errors, inBody, inHeader, inQuery } from './errors.ts'
import { unknownField } from './explain.ts'
import {
  type Call,
  holderName,
  type Operation,
  type Permission,
  pathOf,
  type Reach,
  type Relay,
  type RelayedRequest,
} from './operation.ts'
import { allComplaints, complaintsAbout, decodeText, refuseExcess } from './validation.ts'

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

/** Who may call an operation: token, scope, merchant account, limit. */
export async function admit(
  services: Services,
  operation: Operation,
  request: FastifyRequest,
): Promise<Admitted> {
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
export async function limitAnonymous(
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
export function missingScope(
  operation: Pick<Operation, 'scope' | 'orScope' | 'andScope' | 'roleScope' | 'embed'>,
  caller: Pick<Caller, 'may' | 'roleAllows' | 'isEmbed'>,
): Permission | undefined {
  const { scope, orScope, andScope, roleScope, embed } = operation
  if (roleScope && !caller.roleAllows(roleScope)) return roleScope
  const isMissing = (permission: Permission) =>
    !caller.may(permission) && !(embed === true && caller.isEmbed && caller.roleAllows(permission))
  // A scope covers its parts. Whoever has the whole one needs the second, too.
  if (scope && isMissing(scope)) return orScope && !isMissing(orScope) ? undefined : scope
  return andScope && isMissing(andScope) ? andScope : undefined
}

function complaintOf(scope: Permission, caller: Caller): ErrorDetail {
  if (caller.kind === 'user')
    return inHeader('/cookie', 'value_error.missing', `none of your roles allows ${scope}`)
  const message = caller.roleAllows(scope)
    ? `the token lacks the scope ${scope}`
    : `no role of this API key allows ${scope}`
  return inHeader('/authorization', 'value_error.missing', message)
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
  const sent = operation.relay ? undefined : request.body
  refuseExcess('body', sent)
  const formal = [
    ...applyPinned(operation, caller, 'query', query),
    ...applyPinned(operation, caller, 'body', sent),
    ...place.complaints,
    ...(operation.query ? complaintsAbout('query', operation.query, query) : unknownQuery(request)),
    ...(operation.relay ? [] : bodyComplaints(operation, sent)),
  ]
  const body = operation.relay
    ? relayedRequest(operation.relay, request)
    : operation.body && (sent ?? undefined)
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

function relayedRequest({ prefix }: Relay, { headers, body }: FastifyRequest): RelayedRequest {
  const own = Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(prefix) && value !== undefined
      ? [[name.slice(prefix.length), [value].flat().join(', ')]]
      : [],
  )
  return {
    headers: Object.fromEntries(own),
    contentType: headers['content-type'] ?? null,
    body: Buffer.isBuffer(body) ? body.toString('latin1') : '',
  }
}

function contextOf({ db, clock, secrets }: Services, request: FastifyRequest, caller: Caller): Context {
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
      : [inBody('', 'value_error.extra', 'leave the body out: this operation takes none')]
  if (isBodyOptional && (body === undefined || body === null)) return []
  if (body !== undefined) return complaintsAbout('body', schema, body)
  return [inBody('', 'value_error.missing', 'a JSON body is required')]
}

/** Some clients cannot send an empty body. They send `{}` or, from PHP, `[]`. */
function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)
}

function unknownQuery(request: FastifyRequest): ErrorDetail[] {
  return Object.keys(request.query as object).map((name) =>
    inQuery(`/${maskNumbers(name)}`, 'value_error.extra', unknownField(name, [])),
  )
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

type Part = Record<string, unknown>

/** Fills in pinned values that the request leaves out, and complains about contradictions. */
function applyPinned(
  operation: { readonly embed?: true; readonly body?: object; readonly query?: object },
  caller: { readonly isEmbed: boolean; readonly pinned: Pinned },
  location: 'body' | 'query',
  part: unknown,
): ErrorDetail[] {
  const schema = operation[location] as { properties?: Part } | undefined
  if (!operation.embed || !caller.isEmbed || !schema?.properties || !isObject(part)) return []
  return Object.entries(caller.pinned).flatMap(([name, value]): ErrorDetail[] => {
    // A URL holds only text, so pinned objects do not apply to it.
    const hasPlace =
      Object.hasOwn(schema.properties ?? {}, name) && (location === 'body' || typeof value !== 'object')
    if (!hasPlace) return []
    if (part[name] === undefined || part[name] === null) {
      part[name] = value
      return []
    }
    if (isSameValue(part[name], value)) return []
    const message = 'leave it out, or send the value that the token pins'
    return [{ location, pointer: `/${name}`, type: 'value_error.conflict', message }]
  })
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether two values are the same. Null counts as absent, and ids are case-insensitive. */
export function isSameValue(given: unknown, fixed: unknown): boolean {
  if (typeof given === 'string' && typeof fixed === 'string' && UUID.test(given)) {
    return given.toLowerCase() === fixed.toLowerCase()
  }
  return isDeepStrictEqual(withoutNulls(given), withoutNulls(fixed))
}

/** No valid value is nested deeper. This one is not checked yet. */
const DEPTH_MAX = 32

function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return value
  if (Array.isArray(value)) return value.map((inner) => withoutNulls(inner, depth + 1))
  if (!isObject(value)) return value
  const said = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined)
  return Object.fromEntries(said.map(([name, inner]) => [name, withoutNulls(inner, depth + 1)]))
}

function isObject(value: unknown): value is Part {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
