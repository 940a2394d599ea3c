import type { Static, TSchema } from 'typebox'
import type { Caller } from './auth.ts'
import type { Context, Scope } from './db.ts'
import type { ErrorDetail } from './errors.ts'
import type { About, Sound } from './meaning.ts'
import type { Finished, Once } from './once.ts'

type Shape<Schema> = Schema extends TSchema ? Static<Schema> : undefined
type Answer<Responses> = {
  // biome-ignore lint/suspicious/noConfusingVoidType: an answer without a body comes from a function without a result
  [Status in keyof Responses]: Responses[Status] extends TSchema ? Static<Responses[Status]> : void
}[keyof Responses]

export type Permission = `${string}.${'read' | 'write'}`

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The accounts a request acts on: all of them, or those named. */
export type Reach = 'all' | readonly string[]

/** What a handler is given. `reach` is what the request selected; `callerReach` is what its key could select. */
export type Call<Params = unknown, Query = unknown, Body = unknown> = {
  readonly context: Context
  /** The idempotency of a `POST`. Of other methods, and without a key, nothing is kept. */
  readonly once: Once
  readonly caller: Caller
  readonly reach: Reach
  readonly callerReach: Reach
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Where the request came from: for a browser's call, the buyer's own address. */
  readonly address: string
  /** Which of the operation's answers the caller would rather have. */
  readonly preferred: string | undefined
}

/** A `POST` answers with what it has stored for repeated requests. */
type Result<Route, Answer> = Route extends `POST ${string}` ? Finished<Answer> : Answer

type Definition<Params, Query, Body, Responses, Route = `${Method} /${string}`> = {
  /** The OpenAPI operationId. */
  readonly id: string
  readonly route: Route
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** What the token and the key's roles must both allow. Null: it takes no token; who knows the id in its path may call it. */
  readonly scope: Permission | null
  /** Another scope that will do in its place. */
  readonly orScope?: Permission
  /** A second scope that is needed as well. */
  readonly andScope?: Permission
  /** A browser's token (scope `embed`) may call it too. */
  readonly embed?: true
  /**
   * Its rate-limit class: `browser` lets a browser's token try only so often, so that cards cannot be guessed. Without
   * a token it is the thing in the path that may be tried only so often.
   */
  readonly limit?: 'browser'
  /** Whether the thing in the path exists. Needed where the limit counts by it. */
  readonly isThere?: (context: Context, params: Shape<Params>) => Promise<boolean>
  /** `instance`: it concerns the whole installation, such as keys and merchant accounts. */
  readonly concerns: 'instance' | 'merchant-account'
  /** Lists may span all the caller's merchant accounts (`*`). */
  readonly isList?: true
  /** It is no list, and may be for all merchant accounts at once (`*`). */
  readonly isForAll?: true
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly isBodyOptional?: true
  /**
   * What a schema cannot say and needs no database: a check digit, a date that has passed, a currency that does not
   * exist. It is told together with what the schemas refuse, so it sees only the parts whose form is right.
   */
  readonly check?: (
    parts: { readonly query: Sound<Shape<Query>>; readonly body: Sound<Shape<Body>> },
    about: About,
  ) => ErrorDetail[]
  /** Values of `Prefer: resource=…` that choose another answer. */
  readonly prefers?: readonly string[]
  /** Fields of its answer that hold a secret. A replay shows them for some minutes only, and null after that. */
  readonly shownOnce?: readonly string[]
  /** The success status and its body; null for none. */
  readonly responses: Responses
  readonly handler: (
    call: Call<Shape<Params>, Shape<Query>, Shape<Body>>,
  ) => Promise<Result<Route, Answer<Responses>>>
}

/** One row of the table that is the API: routing, checks, documentation and tests all read it. */
export type Operation = Omit<
  Definition<TSchema, TSchema, TSchema, Record<number, TSchema | null>>,
  'handler' | 'check' | 'isThere'
> & {
  readonly check?: (parts: { readonly query: never; readonly body: never }, about: About) => ErrorDetail[]
  readonly isThere?: (context: Context, params: unknown) => Promise<boolean>
  readonly handler: (call: Call) => Promise<unknown>
}

export function operation<
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Responses extends Record<number, TSchema | null> = Record<number, TSchema | null>,
  Route extends `${Method} /${string}` = `${Method} /${string}`,
>(definition: Definition<Params, Query, Body, Responses, Route>): Operation {
  return definition as unknown as Operation
}

/** The one merchant account a request acts on. A list may act on more; it goes by `reach`. */
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
