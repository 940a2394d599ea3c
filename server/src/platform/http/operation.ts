import type { Caller } from '../access/auth.ts'
import type { Context, Scope } from '../database/db.ts'
import type { Finished, Once } from '../idempotency/once.ts'
import type { ErrorCode, ErrorDetail } from './errors.ts'
import { Strict, Uuid } from './schemas.ts'
import { type Static, type TSchema, Type } from './type.ts'
import type { About, Sound } from './validation.ts'

type Shape<Schema> = Schema extends TSchema ? Static<Schema> : undefined
/** The names in a path: `user_id` in `GET /users/:user_id`. */
type NamesIn<Route> = Route extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Route extends `${string}:${infer Name}`
    ? Name
    : never
type ParamsOf<Params, Route> = Params extends TSchema ? Static<Params> : Record<NamesIn<Route>, string>
type Answer<Responses> = {
  // biome-ignore lint/suspicious/noConfusingVoidType: an answer without a body comes from a function without a result
  [Status in keyof Responses]: Responses[Status] extends TSchema ? Static<Responses[Status]> : void
}[keyof Responses]

export type Permission = `${string}.${'read' | 'write'}`

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The accounts that a request acts on: all of them, or those named. */
export type Reach = 'all' | readonly string[]

/**
 * The input of a handler. `reach` is what the request selected; `callerReach` is what its key could select.
 */
export type Call<Params = unknown, Query = unknown, Body = unknown> = {
  readonly context: Context
  /** The idempotency of a `POST`. For other methods, and without a key, nothing is stored. */
  readonly once: Once
  readonly caller: Caller
  readonly reach: Reach
  readonly callerReach: Reach
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The IP address of the request; for a browser's call, the buyer's own. */
  readonly address: string
  readonly userAgent: string | null
  /** Gives a session to the browser of the caller. Null takes it away. */
  readonly giveSession: (token: string | null) => void
  /** The operation's answer that the caller prefers. */
  readonly preferred: string | undefined
}

/** The answer of a `POST` is stored for retries. */
type Result<Route, Answer> = Route extends `POST ${string}` ? Finished<Answer> : Answer

/** An operation whose body is any text and whose parameters are headers. Its handler gets `RelayBody`, and gives `RelayAnswer`. */
export type Relay = {
  /** How the names of its headers begin. */
  readonly prefix: string
  readonly headers: readonly RelayHeader[]
}

export type RelayHeader = {
  readonly name: string
  readonly description: string
  readonly isRequired?: true
  readonly example: string
}

export type RelayedRequest = {
  /** Those of the operation, without the start that all have. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly contentType: string | null
  /** As its bytes, each as a character. */
  readonly body: string
}

export type RelayedAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** As its bytes, each as a character. */
  readonly body: string
}

export const RelayBody = (example: unknown) =>
  Type.Unsafe<RelayedRequest>({ type: 'object', additionalProperties: true, examples: [example] })
export const RelayAnswer = (example: unknown) => Type.Unsafe<RelayedAnswer>({ examples: [example] })

/** What operations of one resource may have in common. */
type Common = {
  readonly tag: string
  /**
   * What the token and the key's roles must both allow. Null: it takes no token; anyone who knows the id in
   * its path may call it.
   */
  readonly scope: Permission | null
  /** `instance`: it concerns the whole installation, such as keys and merchant accounts. */
  readonly concerns: 'instance' | 'merchant-account'
  /** Only a user who is signed in may call it: it is about the user. */
  readonly isForUsers?: true
}

type Definition<Params, Query, Body, Responses, Route = `${Method} /${string}`> = {
  /** The OpenAPI operationId. */
  readonly id: string
  readonly route: Route
  readonly summary: string
  readonly description?: string
  /** Another scope that is enough for a caller without `scope`. Then `andScope` is not needed. */
  readonly orScope?: Permission
  /** A second scope that is needed, too. */
  readonly andScope?: Permission
  /** What the caller's roles must allow as well, whatever scopes the token has. */
  readonly roleScope?: Permission
  /** A user must have proved within the last minutes who they are. Tokens are not asked. */
  readonly needsFreshProof?: true
  /**
   * For people who are not signed in yet. Only our own pages and programs may call it, its body holds secrets,
   * and no answer of it is kept for retries.
   */
  readonly isSignIn?: true
  /** Whether a browser token (scope `embed`) may call it, too. */
  readonly embed?: true
  /**
   * The rate-limit class: `browser` limits the calls of a browser token, so that cards cannot be guessed.
   * Without a token, the limit counts by the id in the path or, if the path has none, in the body.
   */
  readonly limit?: 'browser'
  /**
   * Whether the id in the path or in the body exists and the caller knows its secret, if it has one. Needed if
   * the limit counts by it. The query has not been checked yet, so any of its values may be missing.
   */
  readonly isThere?: (
    context: Context,
    holder: Params extends TSchema ? Shape<Params> : Shape<Body>,
    query: Partial<Shape<Query> & object>,
  ) => Promise<boolean>
  /** Lists may span all the caller's merchant accounts (`*`). */
  readonly isList?: true
  /** It notes in the audit log that a secret was shown, so a replica cannot answer it. */
  readonly isAudited?: true
  /** Not a list, but may act on all merchant accounts at once (`*`). */
  readonly isForAll?: true
  /** Left out: each name in the path stands for a UUID. */
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly isBodyOptional?: true
  /** It passes a request of the caller's own on to another server, and that server's answer back. */
  readonly relay?: Relay
  /** How long its body may be. Left out: 1 MiB. */
  readonly bodyBytesMax?: number
  /**
   * Checks that a schema cannot express and that need no database: a check digit, a past date, an unknown
   * currency. Its complaints are reported together with those of the schemas, so it sees only the parts whose
   * form is right.
   */
  readonly check?: (
    parts: {
      readonly params: Sound<ParamsOf<Params, Route>>
      readonly query: Sound<Shape<Query>>
      readonly body: Sound<Shape<Body>>
    },
    about: About,
  ) => ErrorDetail[]
  /** Values of `Prefer: resource=…` that choose another answer. */
  readonly prefers?: readonly string[]
  /** Fields of the answer that hold a secret. A replay shows them for some minutes, then these values. */
  readonly shownOnce?: Readonly<Record<string, string | null>>
  /** The secrets of the answer are not stored at all: a replay never shows them. */
  readonly neverStored?: true
  /**
   * The first commit of its handler claims the idempotency key, which saves a commit. Before it asks anything outside of the
   * database, the handler calls `once.claim`.
   */
  readonly claimsLate?: true
  /** Errors that it may answer with, beside those that follow from the rest of its row (`errorsOf`). */
  readonly errors?: readonly ErrorCode[]
  /** The success status and its body; null for none. */
  readonly responses: Responses
  readonly handler: (
    call: Call<ParamsOf<Params, Route>, Shape<Query>, Shape<Body>>,
  ) => Promise<Result<Route, Answer<Responses>>>
}

/** One row of the table that defines the API: routing, checks, documentation and tests all read it. */
export type Operation = Common &
  Omit<
    Definition<TSchema, TSchema, TSchema, Record<number, TSchema | null>>,
    'handler' | 'check' | 'isThere'
  > & {
    readonly check?: (
      parts: { readonly params: never; readonly query: never; readonly body: never },
      about: About,
    ) => ErrorDetail[]
    readonly isThere?: (context: Context, holder: unknown, query: object) => Promise<boolean>
    readonly handler: (call: Call) => Promise<unknown>
  }

/** What the operations of a resource have in common. */
type Shared = Partial<Common> & {
  /** An operation that names no scope needs `<scopes>.read` if it is a `GET`, else `<scopes>.write`. */
  readonly scopes?: string
}
type Said<Given> = keyof Given | (Given extends { readonly scopes: string } ? 'scope' : never)

/** Makes operations of a resource. What they all have in common is said once. */
export function operationsOf<const Given extends Shared>({ scopes, ...shared }: Given) {
  return <
    Params extends TSchema | undefined = undefined,
    Query extends TSchema | undefined = undefined,
    Body extends TSchema | undefined = undefined,
    Responses extends Record<number, TSchema | null> = Record<number, TSchema | null>,
    const Route extends `${Method} /${string}` = `${Method} /${string}`,
  >(
    own: Definition<Params, Query, Body, Responses, Route> & Omit<Common, Said<Given>> & Partial<Common>,
  ): Operation => {
    const scope = scopes && { scope: `${scopes}.${methodOf(own) === 'GET' ? 'read' : 'write'}` }
    return { ...scope, ...shared, params: idsIn(own.route), ...own } as unknown as Operation
  }
}

function idsIn(route: string): TSchema | undefined {
  const names = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.length > 0 ? Strict(Object.fromEntries(names.map((name) => [name, Uuid()]))) : undefined
}

export const operation = operationsOf({})

/** The one merchant account that a request acts on. A list may act on several; it uses `reach`. */
export function scopeOf({ context, reach }: Pick<Call, 'context' | 'reach'>): Scope {
  const [merchantAccountId, ...others] = reach === 'all' ? [] : reach
  if (merchantAccountId === undefined || others.length > 0) throw new Error('no single merchant account')
  return { ...context, merchantAccountId }
}

export function methodOf({ route }: Pick<Operation, 'route'>): Method {
  return route.slice(0, route.indexOf(' ')) as Method
}

/** The path with `:name` for its parameters. */
export function pathOf({ route }: Pick<Operation, 'route'>): string {
  return route.slice(route.indexOf(' ') + 1)
}

export function successOf({ responses }: Pick<Operation, 'responses'>): number {
  return Number(Object.keys(responses)[0])
}

/** Of these, `reused_key` has no code: its body has a shape of its own (422). */
export type OperationError = ErrorCode | 'reused_key'

export type OperationErrors = {
  /** What every operation can answer with that is called in the same way. */
  readonly common: readonly OperationError[]
  readonly own: readonly OperationError[]
}

const COMMON = ['bad_request', 'server_error', 'service_unavailable'] as const
const OF_SIGN_IN = [...COMMON, 'forbidden', 'too_many_requests'] as const
const WITH_TOKEN = [...OF_SIGN_IN, 'unauthorized'] as const

/** The errors that an operation can answer with. Tests refuse answers with others. */
export function errorsOf(operation: Operation): OperationErrors {
  const { scope, isSignIn, params, needsFreshProof, limit, errors = [] } = operation
  const { properties = {} } = (params ?? {}) as { properties?: Record<string, { enum?: unknown }> }
  const common = isSignIn ? OF_SIGN_IN : scope === null ? COMMON : WITH_TOKEN
  const own: OperationError[] = [
    ...(needsFreshProof ? (['step_up_required'] as const) : []),
    // One of a few words is not an id: another word is a bad request.
    ...(Object.values(properties).some((schema) => !schema.enum) ? (['not_found'] as const) : []),
    ...(methodOf(operation) === 'POST' && !isSignIn ? (['concurrent_request', 'reused_key'] as const) : []),
    ...(limit === 'browser' ? (['too_many_requests'] as const) : []),
    ...errors,
  ]
  return { common, own: [...new Set(own)] }
}

/** One name for the ids that stand in for a token, however they were spelled. */
export function holderName(ids: unknown): string {
  return Object.values(ids ?? {})
    .join('/')
    .toLowerCase()
}
