import { keepPreviousData, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { ErrorBody, Route } from '../../api/client.ts'
import type { Operations, Schemas } from '../../api/schema.d.ts'
import { selectedAccount } from './account.ts'
import { noteServiceTime } from './service-time.ts'
import { noteUse, proveAgain, sessionEnded, wasRefused } from './session.ts'

/** What an operation takes. */
export type Request<Name extends Route> = Omit<Given<Name>, 'headers'> & {
  /** Repeating a request with the same key never does its work twice. */
  readonly idempotencyKey?: string
  /** Asks for another form of the answer: `transaction-capture` instead of the transaction. */
  readonly prefer?: string
}

export type AnswerOf<Name extends Route> = Operations[Name]['answer']

type Facts = Pick<ApiError, 'code' | 'status' | 'message' | 'details' | 'requestId' | 'retryAfterSeconds'>

/** The server refused, or no answer arrived. */
export class ApiError extends Error {
  readonly code: string
  /** 0 if no answer arrived. */
  readonly status: number
  readonly details: readonly Schemas['ErrorDetail'][]
  readonly requestId: string | null
  /** When the server will listen again, if it says so. */
  readonly retryAfterSeconds: number | null

  constructor({ code, status, message, details, requestId, retryAfterSeconds }: Facts) {
    super(message)
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }

  /**
   * Whether the work may have been done, or may still be: no answer, one of a server in trouble, or one that asks to
   * wait. It is never shown as a failure.
   */
  get isOpen(): boolean {
    return this.status === 0 || this.status >= 500 || ['concurrent_request', 'too_early'].includes(this.code)
  }

  /** A list walked over too many rows. The server names the bound that it wants. */
  get wantsDates(): boolean {
    return this.isAbout('/created_at_gte')
  }

  /** A question about metrics is about too long a time, or about too many payments to count. */
  get wantsShorterPeriod(): boolean {
    return this.isAbout('/datetime_range')
  }

  private isAbout(place: string): boolean {
    return this.status === 400 && this.details.some(({ pointer }) => pointer === place)
  }
}

/** Calls an operation as the user who has signed in, on the merchant account that is selected. */
export async function send<Name extends Route>(route: Name, request: Request<Name>): Promise<AnswerOf<Name>> {
  const answer = await ask(route, request)
  if (answer.isGood) return answer.body
  const error = new ApiError(answer.error)
  if (request.signal?.aborted) throw request.signal.reason
  if (error.status === 401) sessionEnded()
  const wantsProof = error.code === 'step_up_required'
  if (error.status === 403 && !wantsProof) wasRefused()
  if (!wantsProof || !(await proveAgain())) throw error
  const again = await ask(route, request)
  if (again.isGood) return again.body
  throw new ApiError(again.error)
}

function ask<Name extends Route>(route: Name, { idempotencyKey, prefer, ...request }: Request<Name>) {
  const account = selectedAccount()
  const headers = {
    ...(account !== undefined && { 'x-switchyard-merchant-account-id': account }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(prefer !== undefined && { prefer: `resource=${prefer}` }),
  }
  return call(route, { ...request, headers } as unknown as Given<Name>)
}

/** Complaints about the body as complaints about the form, where its questions have other names. */
export async function pointingElsewhere<Answer>(
  work: () => Promise<Answer>,
  rename: (pointer: string) => string,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, status, message, requestId, retryAfterSeconds } = error
    const details = error.details.map((detail) => ({ ...detail, pointer: rename(detail.pointer) }))
    throw new ApiError({ code, status, message, details, requestId, retryAfterSeconds })
  }
}

type Reading<Name extends Route> = Omit<Request<Name>, 'signal' | 'idempotencyKey' | 'prefer'> & {
  /** Reads again after this time, while the page is open. It may depend on what was read. */
  readonly everyMs?: number | false | ((answer: AnswerOf<Name> | undefined) => number | false | undefined)
  /** A provider is asked, or a secret opened: it is read when the page opens and after acts, not whenever a tab is looked at. */
  readonly isCostly?: boolean
  /** False: not yet. */
  readonly isWanted?: boolean
}

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Without a network, a request fails and the page says so. The library would wait in silence.
      networkMode: 'always',
      // Only what may be better the next time. A refusal stays one.
      retry: (count, error) => error instanceof ApiError && error.isOpen && count < 2,
      retryDelay: (count) => 500 * 2 ** count,
    },
  },
})

/** Reads an operation, and keeps its answer for other parts of the page. */
export function useRead<Name extends Route>(
  route: Name,
  { everyMs, isCostly, isWanted, ...request }: Reading<Name>,
) {
  return useQuery({
    ...reading(route, request as Request<Name>),
    ...(everyMs !== undefined && {
      refetchInterval:
        typeof everyMs === 'function'
          ? ({ state }: { readonly state: { readonly data: unknown } }) =>
              everyMs(state.data as AnswerOf<Name> | undefined)
          : everyMs,
    }),
    ...(isCostly && { refetchOnMount: 'always', staleTime: Number.POSITIVE_INFINITY }),
    ...(isWanted !== undefined && { enabled: isWanted }),
  })
}

/** As `useRead`, but the old answer stays until the new one is there. For lists whose filters change. */
export function useReadSmoothly<Name extends Route>(route: Name, request: Request<Name>, key: unknown) {
  return useQuery({
    queryKey: [route, selectedAccount(), key],
    queryFn: ({ signal }) => {
      forgetOldPages(route)
      return readToKeep(route, { ...request, signal })
    },
    placeholderData: keepPreviousData,
  })
}

/** The last pages of a list stay for a while, so that going back is quick. All of a long walk would fill the memory. */
const PAGES_KEPT = 5

function forgetOldPages(route: Route): void {
  const cache = client.getQueryCache()
  const left = cache.findAll({ queryKey: [route], type: 'inactive' })
  const newestFirst = left.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const query of newestFirst.slice(PAGES_KEPT)) cache.remove(query)
}

type Collection = { readonly items: readonly unknown[]; readonly next_cursor?: string | null }
type ItemOf<Name extends Route> = AnswerOf<Name> extends { items: (infer Item)[] } ? Item : never

/** Every row of a list, page after page. Only for lists that people keep short, such as those of services. */
export function useReadAll<Name extends Route>(route: Name, { isWanted = true, query = {} }: WholeList = {}) {
  return useQuery({
    queryKey: [route, selectedAccount(), query, 'all'],
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<readonly ItemOf<Name>[]> => {
      const rows: ItemOf<Name>[] = []
      for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
        const asked = { query: { ...query, limit: 100, ...(cursor && { cursor }) }, signal }
        const page = (await send(route, asked as unknown as Request<Name>)) as Collection
        rows.push(...(page.items as ItemOf<Name>[]))
        cursor = page.next_cursor
      }
      return rows
    },
  })
}

type WholeList = { readonly isWanted?: boolean; readonly query?: object }

function reading<Name extends Route>(route: Name, request: Request<Name>) {
  return queryOptions({
    queryKey: [route, selectedAccount(), request],
    queryFn: ({ signal }) => readToKeep(route, { ...request, signal }),
  })
}

/** Some answers have a secret, such as the one that signs webhooks. What is kept has none: to show it, a page calls `send`. */
async function readToKeep<Name extends Route>(route: Name, request: Request<Name>): Promise<AnswerOf<Name>> {
  const answer = (await send(route, request)) as { readonly items?: readonly object[] }
  const { items } = answer
  return (items ? { ...answer, items: items.map(withoutSecret) } : withoutSecret(answer)) as AnswerOf<Name>
}

function withoutSecret<Thing extends object>(thing: Thing): Thing {
  return 'secret' in thing ? { ...thing, secret: null } : thing
}

/** Reads now, whatever is kept, and keeps the answer. */
export function readNow<Name extends Route>(route: Name, request: Request<Name>): Promise<AnswerOf<Name>> {
  return client.fetchQuery({ ...reading(route, request), staleTime: 0 })
}

/**
 * After an act: what was read may have changed. Reads again what is on the page, except what was about a thing that is
 * deleted: its page is about to close.
 */
export async function readAgain(deletedId?: string): Promise<void> {
  const isGone = ({ queryKey }: { readonly queryKey: readonly unknown[] }) =>
    deletedId !== undefined && JSON.stringify(queryKey).includes(deletedId)
  await client.invalidateQueries({ predicate: isGone, refetchType: 'none' })
  await client.invalidateQueries({ predicate: (query) => !isGone(query) })
}

type Refusal = ErrorBody & {
  /** Names the request in the logs of the server. Null if no answer arrived. */
  readonly requestId: string | null
  /** When the server will listen again, if it says so. */
  readonly retryAfterSeconds: number | null
}

export type Given<Name extends Route> = IdsOf<Name> &
  (Operations[Name] extends { readonly body: infer Body } ? { readonly body: Body } : unknown) & {
    readonly query?: Operations[Name]['query']
    readonly headers?: Readonly<Record<string, string>>
    /** Ends the call early, as if the connection was lost. */
    readonly signal?: AbortSignal | undefined
  }

/** The ids in the path, if it has some. */
type IdsOf<Name extends Route> = string extends keyof Operations[Name]['path']
  ? unknown
  : Pick<Operations[Name], 'path'>

type Answer<Name extends Route> =
  | { readonly isGood: true; readonly body: Operations[Name]['answer'] }
  | { readonly isGood: false; readonly error: Refusal }

/** No answer arrived: the server may have done the work or not. */
const NO_ANSWER: Refusal = {
  type: 'error',
  code: 'network_error',
  status: 0,
  message: 'No answer arrived. Check the connection and try again.',
  details: [],
  requestId: null,
  retryAfterSeconds: null,
}

/** Longer than the server takes for any request. */
const PATIENCE_MS = 60_000

/**
 * Calls an operation with the session of the user. Never throws: what went wrong is part of the answer. The client of the
 * pages for buyers does less, and is smaller for it.
 */
export async function call<Name extends Route>(route: Name, given: Given<Name>): Promise<Answer<Name>> {
  const { path: ids = {}, query = {}, headers, body, signal } = given as Loose
  const [method = '', path = ''] = route.split(' ')
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(ids[name] ?? ''))
  const parameters = queryOf(query)
  const isUse = isPersonHere()
  try {
    const response = await fetch(parameters ? `${address}?${parameters}` : address, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(!isUse && { 'x-background': 'true' }),
        ...headers,
      },
      credentials: 'same-origin',
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    noteServiceTime(response.headers.get('x-switchyard-time'))
    const text = await response.text()
    const answer = text === '' ? undefined : JSON.parse(text)
    if (response.ok) {
      if (isUse) noteUse()
      return { isGood: true, body: answer }
    }
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    const requestId = response.headers.get('x-request-id')
    return {
      isGood: false,
      error: { ...answer, requestId, retryAfterSeconds: Number.isFinite(wait) ? wait : null },
    }
  } catch {
    return { isGood: false, error: NO_ANSWER }
  }
}

type Loose = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** A list is sent as one parameter for each of its values. */
function queryOf(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  return new URLSearchParams(pairs).toString()
}

/** For so long after the last input, a person is taken to be at the page. */
const PRESENT_MS = 60_000
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart']

let lastInput = performance.now()

for (const kind of INPUTS) addEventListener(kind, noteInput, { capture: true, passive: true })

function noteInput(): void {
  lastInput = performance.now()
}

/** What a page asks while its person is away must not keep the session alive: the server is told so. */
function isPersonHere(): boolean {
  return performance.now() - lastInput < PRESENT_MS
}
