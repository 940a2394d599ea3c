import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { CODE_OF_STATUS, refused } from '#connectors/contract/refuse.ts'
import { jsonRequest, lost } from '#connectors/contract/requests.ts'
import { FIELDS } from './mapping.ts'

export type Json = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing that Mollie documents, so the request may have been carried out or not. */
export type Reply =
  /** A 202 has no body. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: Json }
  | { readonly kind: 'error'; readonly status: number; readonly field: string | null }
  | { readonly kind: 'lost'; readonly reason: string }

export type Sending = {
  /** Left out: GET. */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** Mollie repeats its first answer to a key. Left out only for questions. */
  readonly key?: string
}

type Line = Pick<Link, 'fetch' | 'fields' | 'environment'> & { readonly isAgain?: true }

/** Keys of both modes work at the same address, so nothing else tells test payments from real ones. */
export const API_KEY = /^(live|test)_[A-Za-z0-9]{30,}$/
const MODES = { sandbox: 'test_', production: 'live_' } as const

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Line, sending: Sending): Promise<Reply> {
  const reply = await ask(link, sending)
  // Mollie did not look at the request. So it says nothing about an earlier one with the same key.
  const isShutOut = link.isAgain && reply.kind === 'error' && [401, 403, 429].includes(reply.status)
  return isShutOut ? { kind: 'lost', reason: 'Mollie did not let the repetition in' } : reply
}

async function ask(link: Line, { method = 'GET', path, body, key }: Sending): Promise<Reply> {
  const { api_key: apiKey = '' } = link.fields
  if (!apiKey.startsWith(MODES[link.environment])) return { kind: 'error', status: 401, field: null }
  try {
    const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': key }
    const response = await link.fetch(`${originFor(link)}/v2/${path}`, jsonRequest({ method, headers, body }))
    return read(response.status, await response.text())
  } catch {
    return { kind: 'lost', reason: 'Mollie gave no readable answer' }
  }
}

export function originFor({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  const standIn = environment === 'sandbox' ? fields['stand_in_url'] : undefined
  if (!standIn) return 'https://api.mollie.com'
  return URL.canParse(standIn) ? new URL(standIn).origin : 'https://stand-in.invalid'
}

const DONE: readonly number[] = [200, 201]

function read(status: number, text: string): Reply {
  if (status === 202) return { kind: 'answer', status, body: {} }
  const body: unknown = JSON.parse(text)
  if (!isObject(body)) return lostWith(status)
  if (DONE.includes(status)) return { kind: 'answer', status, body }
  const isStated = body['status'] === status && typeof body['title'] === 'string'
  if (!isStated || CODE_OF_STATUS[status] === undefined) return lostWith(status)
  const { field } = body
  return {
    kind: 'error',
    status,
    field: typeof field === 'string' && /^[\w.[\]]{1,80}$/.test(field) ? field : null,
  }
}

function lostWith(status: number): Reply {
  return { kind: 'lost', reason: `Mollie answered ${status} with something else than it should` }
}

/** What a reply that is no answer means. `impossible`: why Mollie does not do this with this payment. */
export function toRefusal(
  reply: Exclude<Reply, { kind: 'answer' }>,
  impossible?: ErrorCode,
): Refused | Unknown {
  if (reply.kind === 'lost') return lost(reply.reason)
  const { status, field } = reply
  const facts = {
    rawCode: String(status),
    rawDescription: field === null ? null : `Mollie does not take ${field}`,
  }
  const named = Object.keys(FIELDS).find((one) => field?.startsWith(one)) ?? ''
  const code = status === 422 ? (FIELDS[named] ?? impossible) : undefined
  return refused(code ?? CODE_OF_STATUS[status] ?? 'invalid_service_request', facts)
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Mollie's id of a payment (`tr`), a capture (`cpt`), a refund (`re`), a chargeback (`chb`) or a settlement (`stl`). */
export function isId(prefix: 'tr' | 'cpt' | 're' | 'chb' | 'stl', value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(`${prefix}_`) && /^[a-z]+_\w{1,60}$/.test(value)
}

/** The mark that we leave on payments, captures and refunds. */
export function attemptOf({ metadata }: Json): string | null {
  const attempt = isObject(metadata) ? metadata['attempt'] : null
  return typeof attempt === 'string' ? attempt : null
}

/** The id with which the next page of a list begins. */
export function nextIn({ _links: links }: Json): string | null {
  const next = isObject(links) ? links['next'] : null
  const href = isObject(next) ? next['href'] : null
  const from = typeof href === 'string' ? URL.parse(href)?.searchParams.get('from') : null
  return from && /^[a-z]+_\w{1,60}$/.test(from) ? from : null
}
