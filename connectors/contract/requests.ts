import type { Link, Unknown } from './connector.ts'

/** Connectors whose providers speak JSON share these. */

type Json = Readonly<Record<string, unknown>>

type Asking = {
  readonly method: string
  /** Those that are undefined are not sent. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body?: object | undefined
}

/** What `fetch` takes. A body is sent as JSON, and without one no content type. */
export function jsonRequest({ method, headers, body }: Asking): RequestInit {
  const given = Object.entries({ ...(body && { 'content-type': 'application/json' }), ...headers })
  return {
    method,
    headers: Object.fromEntries(
      given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    ...(body && { body: JSON.stringify(body) }),
  }
}

/** A link for requests that may have been sent before. */
export function again(link: Link): Link & { readonly isAgain: true } {
  return { ...link, isAgain: true }
}

export function lost(reason: string): Unknown {
  return { outcome: 'unknown', reason }
}

/** A text of a provider that merchants may see. A long number in it could be a card's. */
export function safe(text: unknown): string | null {
  if (typeof text !== 'string' || !/^[\x20-\x7e]{1,200}$/.test(text)) return null
  return /\d{12}/.test(text.replaceAll(/[ -]/g, '')) ? null : text
}

/** Names of kinds of messages, as the server logs them. */
export function unread(...kinds: readonly unknown[]): { readonly unread?: readonly string[] } {
  return kinds.length === 0 ? {} : { unread: kinds.map((kind) => safe(kind) ?? 'a kind without a name') }
}

/** Without what is not known. */
export function withoutNulls(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null && value !== ''))
}
