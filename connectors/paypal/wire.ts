import type { Link } from '#connectors/contract/connector.ts'
import { encodeParts, type Part } from '#connectors/contract/multipart.ts'
import { accessToken, forgetAccessToken } from './access-token.ts'
import { apiOf } from './address.ts'

export type Json = Readonly<Record<string, unknown>>

/**
 * `unsent`: certain that nothing was asked, because there was no token. `lost`: the request may have been carried out.
 */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Json }
  | { readonly kind: 'unsent'; readonly why: 'refused' | 'lost' }
  | { readonly kind: 'lost' }

export type Sending = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** PayPal does what it gets under the same key once. */
  readonly key?: string
  readonly body?: object
  /** In place of a body: a form with files. It needs a key. */
  readonly parts?: readonly Part[]
}

/** Never throws, because the error of a failed request may repeat what was sent. */
export async function send(link: Link, sending: Sending): Promise<Reply> {
  const reply = await sendOnce(link, sending)
  if (reply.kind !== 'answer' || reply.status !== 401) return reply
  // PayPal may end a token early. A request with such a token did nothing.
  await forgetAccessToken(link)
  return sendOnce(link, sending)
}

async function sendOnce(link: Link, { method, path, key, body, parts }: Sending): Promise<Reply> {
  const got = await accessToken(link)
  if ('why' in got) return { kind: 'unsent', why: got.why }
  const form = parts && key !== undefined ? encodeParts(parts, key) : null
  try {
    const response = await link.fetch(`${apiOf(link)}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${got.token}`,
        accept: 'application/json',
        prefer: 'return=representation',
        ...(body && { 'content-type': 'application/json' }),
        ...(form && { 'content-type': form.contentType }),
        ...(key && { 'paypal-request-id': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(form && { body: form.body }),
    })
    const { status } = response
    const text = await response.text()
    // Deleting has no content.
    const read: unknown = status === 204 ? {} : JSON.parse(text)
    return isObject(read) ? { kind: 'answer', status, body: read } : { kind: 'lost' }
  } catch {
    return { kind: 'lost' }
  }
}

/** A part of a path. PayPal's ids have letters, digits and dashes. */
export function part(id: string): string {
  return encodeURIComponent(id)
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objectIn(value: unknown, name: string): Json {
  const inner = isObject(value) ? value[name] : null
  return isObject(inner) ? inner : {}
}

export function listIn(value: unknown, name: string): readonly Json[] {
  const inner = isObject(value) ? value[name] : null
  return Array.isArray(inner) ? inner.filter(isObject) : []
}

export function textIn(value: unknown, name: string): string | null {
  const inner = isObject(value) ? value[name] : null
  return typeof inner === 'string' && inner !== '' ? inner : null
}
