import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { jsonRequest, lost, safe } from '#connectors/contract/requests.ts'
import { ERRORS } from './mapping.ts'

export type Json = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing that Checkout.com documents, so the request may have been carried out or not. */
export type Reply =
  /** A list is under `items`. An answer without a body has none of its fields. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: Json }
  | { readonly kind: 'error'; readonly status: number; readonly code: string | null }
  | { readonly kind: 'lost'; readonly reason: string }

export type Sending = {
  readonly method?: 'GET' | 'DELETE' | 'PATCH'
  readonly path: string
  readonly body?: object
  /** Checkout.com repeats its answer to a key if it carried the request out. Left out only where nothing moves. */
  readonly key?: string
}

type Line = Pick<Link, 'fetch' | 'fields' | 'environment'> & { readonly isAgain?: true }

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Line, sending: Sending): Promise<Reply> {
  const { method = 'POST', path, body, key } = sending
  if (link.environment === 'sandbox' && isLiveKey(link.fields['secret_key'] ?? '')) {
    return { kind: 'error', status: 401, code: 'sandbox_with_live_key' }
  }
  try {
    const { url, headers } = addressOf(path, link)
    const keyed = { ...headers, 'cko-idempotency-key': key }
    const response = await link.fetch(url, jsonRequest({ method, headers: keyed, body }))
    const reply = read(response.status, await response.text(), method)
    // Checkout.com did not look at the request. So it says nothing about an earlier one with the same key.
    const isShutOut = link.isAgain && reply.kind === 'error' && reply.status === 401
    return isShutOut ? { kind: 'lost', reason: 'Checkout.com did not let the repetition in' } : reply
  } catch {
    return { kind: 'lost', reason: 'Checkout.com gave no readable answer' }
  }
}

/** Where to ask, and with which key. */
export function addressOf(path: string, link: Omit<Line, 'fetch'>) {
  const authorization = `Bearer ${link.fields['secret_key'] ?? ''}`
  return { url: `${originFor(link)}/${path}`, headers: { authorization } }
}

/** Each account has a prefix of its own. Nothing else may get into the name of a host. */
export const PREFIX = /^(pl-)?[a-z0-9]+$/

function originFor({ fields, environment }: Omit<Line, 'fetch'>): string {
  const standIn = environment === 'sandbox' ? fields['stand_in_url'] : undefined
  if (standIn) return URL.canParse(standIn) ? new URL(standIn).origin : 'https://stand-in.invalid'
  const prefix = PREFIX.test(fields['url_prefix'] ?? '') ? `${fields['url_prefix']}.` : ''
  return `https://${prefix}api.${environment === 'production' ? '' : 'sandbox.'}checkout.com`
}

export const SECRET_KEY = /^sk_(sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/

function isLiveKey(key: string): boolean {
  return SECRET_KEY.test(key) && !key.startsWith('sk_sbox_')
}

const DONE: readonly number[] = [200, 201, 202, 204]
/** Statuses that say that nothing was done. A 429 may be about a twin that is under way. */
const NOT_DONE: readonly number[] = [400, 401, 403, 404, 422]

function read(status: number, text: string, method: string): Reply {
  if (status === 204 && text === '' && ['DELETE', 'PATCH'].includes(method))
    return { kind: 'answer', status, body: {} }
  // These may come without a body.
  if (text === '' && [401, 403, 404].includes(status)) return { kind: 'error', status, code: null }
  const body: unknown = JSON.parse(text)
  if (DONE.includes(status)) {
    if (Array.isArray(body)) return { kind: 'answer', status, body: { items: body } }
    return isObject(body) ? { kind: 'answer', status, body } : lostWith(status)
  }
  const codes = isObject(body) ? body['error_codes'] : null
  const code = Array.isArray(codes) && typeof codes[0] === 'string' ? codes[0] : null
  const isStated = code !== null || (isObject(body) && typeof body['error_type'] === 'string')
  return NOT_DONE.includes(status) && isStated ? { kind: 'error', status, code } : lostWith(status)
}

function lostWith(status: number): Reply {
  return { kind: 'lost', reason: `Checkout.com answered ${status} with something else than it should` }
}

/** What a reply that is no answer means. `forbidden`: why Checkout.com does not allow this request. */
export function toRefusal(
  reply: Exclude<Reply, { kind: 'answer' }>,
  forbidden: ErrorCode = 'insufficient_service_permissions',
): Refused | Unknown {
  if (reply.kind === 'lost') return lost(reply.reason)
  const { status, code } = reply
  const facts = { rawCode: safe(code) ?? String(status) }
  if (status === 401) return refused('invalid_service_credentials', facts)
  if (status === 403) return refused(forbidden, facts)
  if (status === 404) return refused('unknown_service_resource', facts)
  return refused(ERRORS[code ?? ''] ?? 'invalid_service_request', facts)
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Payments that were looked for, and how many there are. */
export function isPage(body: Json): body is Json & { readonly data: readonly unknown[] } {
  return Array.isArray(body['data']) && Number.isSafeInteger(body['total_count'])
}

/** Checkout.com's id of a payment (`pay`), an action (`act`) or a stored card (`src`). */
export function isId(prefix: 'pay' | 'act' | 'src', value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(`${prefix}_`) && /^\w{30}$/.test(value)
}
