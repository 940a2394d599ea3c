import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { CODE_OF_STATUS, refused } from '#connectors/contract/refuse.ts'
import { jsonRequest, lost } from '#connectors/contract/requests.ts'
import { isObject } from '#connectors/contract/shapes.ts'
import { FIELDS, REASONS } from './mapping.ts'

export type Json = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing that GoCardless documents, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Json }
  | {
      readonly kind: 'error'
      readonly status: number
      readonly reason: string | null
      readonly field: string | null
      /** The id of what the same key has made before. */
      readonly before: string | null
    }
  | { readonly kind: 'lost'; readonly reason: string }

/** GoCardless puts each object and each list into one of this name. */
export type Resource =
  | 'billing_requests'
  | 'billing_request_flows'
  | 'events'
  | 'mandates'
  | 'payments'
  | 'payout_items'
  | 'payouts'
  | 'refunds'

type Line = Pick<Link, 'fetch' | 'fields' | 'environment'> & { readonly isAgain?: true }

/** The version by which GoCardless reads and writes. */
const VERSION = '2015-07-06'

export function headersOf({ fields }: Pick<Link, 'fields'>) {
  return { authorization: `Bearer ${fields['access_token'] ?? ''}`, 'gocardless-version': VERSION }
}

/** The object of this id. */
export function show(link: Line, resource: Resource, id: string): Promise<Reply> {
  return send(link, { path: `${resource}/${encodeURIComponent(id)}`, within: resource })
}

/** Makes an object, once for each key. GoCardless names the object that the key has made before, and it is shown. */
export async function make(link: Line, resource: Resource, body: object, key?: string): Promise<Reply> {
  const reply = await send(link, { path: resource, within: resource, body: { [resource]: body }, key })
  if (reply.kind !== 'error' || reply.reason !== 'idempotent_creation_conflict') return reply
  const shown = reply.before === null ? reply : await show(link, resource, reply.before)
  // A refused question says nothing about the object.
  return shown.kind === 'error' ? lostBy('did not show what it has made before') : shown
}

export function cancelled(link: Line, resource: Resource, id: string, key: string): Promise<Reply> {
  const path = `${resource}/${encodeURIComponent(id)}/actions/cancel`
  return send(link, { path, within: resource, body: { data: {} }, key })
}

/** The objects of a page, or null. `after` is where the next page begins. */
export async function list(link: Line, resource: Resource, query: Readonly<Record<string, string>>) {
  const reply = await send(link, { path: `${resource}?${new URLSearchParams(query)}` })
  return reply.kind === 'answer' ? pageOf(reply.body, resource) : null
}

export function pageOf(body: Json, resource: Resource) {
  const { [resource]: items, meta } = body
  if (!Array.isArray(items)) return null
  const cursors = isObject(meta) ? meta['cursors'] : null
  const after = isObject(cursors) ? cursors['after'] : null
  return { items: items.filter(isObject), after: typeof after === 'string' ? after : null }
}

type Sending = {
  readonly path: string
  /** Left out: the body as it is. */
  readonly within?: Resource
  /** Left out: a question. */
  readonly body?: object
  readonly key?: string | undefined
}

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Line, sending: Sending): Promise<Reply> {
  const reply = await ask(link, sending)
  // GoCardless did not look at the request. So it says nothing about an earlier one with the same key.
  const isShutOut = link.isAgain && reply.kind === 'error' && [401, 403, 429].includes(reply.status)
  return isShutOut ? lostBy('did not let the repetition in') : reply
}

async function ask(link: Line, { path, within, body, key }: Sending): Promise<Reply> {
  try {
    const headers = { ...headersOf(link), 'idempotency-key': key }
    const method = body ? 'POST' : 'GET'
    const response = await link.fetch(`${originFor(link)}/${path}`, jsonRequest({ method, headers, body }))
    return read(response.status, JSON.parse(await response.text()), within)
  } catch {
    return lostBy('gave no readable answer')
  }
}

export function originFor({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  if (environment === 'production') return 'https://api.gocardless.com'
  const standIn = fields['stand_in_url']
  if (!standIn) return 'https://api-sandbox.gocardless.com'
  return URL.canParse(standIn) ? new URL(standIn).origin : 'https://stand-in.invalid'
}

function read(status: number, body: unknown, within: Resource | undefined): Reply {
  const given = isObject(body) ? body : {}
  const content = within === undefined ? given : given[within]
  if ((status === 200 || status === 201) && isObject(content)) return { kind: 'answer', body: content }
  const error = isObject(given['error']) ? given['error'] : {}
  // Errors of type `gocardless` happen inside GoCardless: the request may have been carried out.
  const isStated = error['code'] === status && typeof error['type'] === 'string'
  const [first] = Array.isArray(error['errors']) ? error['errors'].filter(isObject) : []
  const { reason = null, field, links } = first ?? {}
  const before = isObject(links) ? wordIn(links['conflicting_resource_id']) : null
  const isKnown = before !== null || CODE_OF_STATUS[status] !== undefined
  if (!isStated || error['type'] === 'gocardless' || !isKnown)
    return lostBy(`answered ${status} with something else than it should`)
  return { kind: 'error', status, reason: wordIn(reason), field: wordIn(field), before }
}

function wordIn(value: unknown): string | null {
  return typeof value === 'string' && /^[\w.]{1,80}$/.test(value) ? value : null
}

function lostBy(reason: string) {
  return { kind: 'lost', reason: `GoCardless ${reason}` } as const
}

/** What a reply that is no answer means. GoCardless's sentences are not shown: they may repeat a buyer's words. */
export function toRefusal(reply: Exclude<Reply, { kind: 'answer' }>): Refused | Unknown {
  if (reply.kind === 'lost') return lost(reply.reason)
  const { status, reason, field } = reply
  const known: ErrorCode | undefined = REASONS[reason ?? ''] ?? FIELDS[field?.split('.').at(-1) ?? '']
  return refused(known ?? CODE_OF_STATUS[status] ?? 'invalid_service_request', {
    rawCode: reason ?? String(status),
    rawDescription: field === null ? null : `GoCardless does not take ${field}`,
  })
}

/** GoCardless's ids of billing requests, mandates, payments, payouts and refunds. */
export function isId(prefix: 'BRQ' | 'MD' | 'PM' | 'PO' | 'RF', value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(prefix) && /^[A-Z0-9]{3,60}$/.test(value)
}

export function linkIn({ links }: Json, name: string): unknown {
  return isObject(links) ? links[name] : null
}

/** What we leave on billing requests, payments and refunds. Three keys at most. */
export function markOf({ metadata }: Json, name: 'amount' | 'attempt' | 'method'): string | null {
  const mark = isObject(metadata) ? metadata[name] : null
  return typeof mark === 'string' ? mark : null
}

export function momentIn(value: unknown): Date | null {
  const at = new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? null : at
}
