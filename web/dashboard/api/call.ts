import type { ErrorBody, Route } from '../../api/client.ts'
import type { Operations } from '../../api/schema.d.ts'
import { isPersonHere } from './presence.ts'
import { noteServiceTime } from './service-time.ts'
import { noteUse } from './session.ts'

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
