import type { Operations, Schemas } from './schema.d.ts'
import { within } from './within.ts'

export type Route = keyof Operations

export type ErrorBody = {
  readonly type: 'error'
  readonly code: string
  /** 0 if no answer arrived. */
  readonly status: number
  readonly message: string
  readonly details: readonly Schemas['ErrorDetail'][]
}

type Given<Name extends Route> = Pick<Operations[Name], 'path'> &
  (Operations[Name] extends { readonly body: infer Body } ? { readonly body: Body } : unknown) & {
    readonly query?: Operations[Name]['query']
    readonly headers?: Readonly<Record<string, string>>
    /** After this time without an answer, the call fails as if the connection was lost. */
    readonly timeoutMs?: number
  }

export type Answer<Name extends Route> =
  | { readonly isGood: true; readonly body: Operations[Name]['answer'] }
  | { readonly isGood: false; readonly error: ErrorBody }

/** No answer arrived: the server may have done the work or not. */
const NO_ANSWER: ErrorBody = {
  type: 'error',
  code: 'network_error',
  status: 0,
  message: 'No answer arrived. Check the connection and try again.',
  details: [],
}

/** Calls an operation of the server that this page is from. Never throws: what went wrong is part of the answer. */
export async function call<Name extends Route>(route: Name, given: Given<Name>): Promise<Answer<Name>> {
  const [method = '', path = ''] = route.split(' ')
  const ids = given.path as Readonly<Record<string, string>>
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(ids[name] ?? ''))
  const query = new URLSearchParams((given.query ?? {}) as Record<string, string>).toString()
  const body = 'body' in given ? JSON.stringify(given.body) : undefined
  try {
    const response = await fetch(query ? `${address}?${query}` : address, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...given.headers },
      credentials: 'omit',
      redirect: 'error',
      signal: within(given.timeoutMs ?? 30_000),
      ...(body !== undefined && { body }),
    })
    const answer = response.status === 204 ? undefined : await response.json()
    return response.ok ? { isGood: true, body: answer } : { isGood: false, error: answer }
  } catch {
    return { isGood: false, error: NO_ANSWER }
  }
}
