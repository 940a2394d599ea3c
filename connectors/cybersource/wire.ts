import { createHash, createHmac } from 'node:crypto'
import type { Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { codeOfError } from './mapping.ts'

export type Wire = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing by which CyberSource says what it did, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Wire }
  | {
      readonly kind: 'error'
      readonly status: number
      readonly reason: string | null
      /** Places of the request that are missing or wrong, never their values. */
      readonly places: readonly string[]
    }
  | { readonly kind: 'lost'; readonly reason: string }

const HOSTS = { sandbox: 'https://apitest.cybersource.com', production: 'https://api.cybersource.com' }

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Link, path: string, body?: object): Promise<Reply> {
  const method = body ? 'POST' : 'GET'
  const text = body && JSON.stringify(body)
  const url = new URL(path, hostOf(link))
  try {
    const response = await link.fetch(url.href, {
      method,
      headers: { accept: 'application/hal+json', ...signed(link, { method, url, text }) },
      ...(text !== undefined && { body: text }),
    })
    return readReply(response.status, await readJson(response))
  } catch {
    return { kind: 'lost', reason: 'CyberSource gave no readable answer' }
  }
}

/** A firewall or the door before the API answers these, or the API itself: the request was not carried out. */
const NOT_DONE: readonly number[] = [401, 403, 404, 429]

function readReply(status: number, told: unknown): Reply {
  if (!isRecord(told)) return { kind: 'lost', reason: `CyberSource answered ${status} without JSON` }
  if (status === 200 || status === 201) return { kind: 'answer', body: told }
  const reason = textOf(told, 'reason')
  const isRefusal = status === 400 && told['status'] === 'INVALID_REQUEST' && reason !== null
  if (isRefusal || NOT_DONE.includes(status)) {
    return { kind: 'error', status, reason: safe(reason), places: placesIn(told) }
  }
  return { kind: 'lost', reason: `CyberSource answered ${status}, which says nothing about the request` }
}

type Signing = { readonly method: string; readonly url: URL; readonly text: string | undefined }

/**
 * HTTP signature: HMAC-SHA256 over these headers, in this order, with the shared secret. A meta key belongs to a portfolio, which signs;
 * the request is sent in the name of the merchant that a payment's options say.
 */
function signed({ fields, options, now }: Link, { method, url, text }: Signing): Record<string, string> {
  const { merchant_id: merchant = '', key_id = '', shared_secret = '' } = fields
  const date = now().toUTCString()
  const digest = text && `SHA-256=${createHash('sha256').update(text).digest('base64')}`
  const parts = [
    ['host', url.host],
    ['v-c-date', date],
    ['request-target', `${method.toLowerCase()} ${url.pathname}${url.search}`],
    ...(digest ? [['digest', digest]] : []),
    ['v-c-merchant-id', merchant],
  ]
  const signature = createHmac('sha256', Buffer.from(shared_secret, 'base64'))
    .update(parts.map((part) => part.join(': ')).join('\n'))
    .digest('base64')
  const headers = parts.map(([name]) => name).join(' ')
  const { meta_key_merchant_id: transacting } = options
  return {
    'v-c-merchant-id':
      typeof transacting === 'string' && /^[\w-]{1,60}$/.test(transacting) ? transacting : merchant,
    'v-c-date': date,
    ...(digest && { digest, 'content-type': 'application/json' }),
    signature: `keyid="${key_id}", algorithm="HmacSHA256", headers="${headers}", signature="${signature}"`,
  }
}

/** In a sandbox, merchants may name the address of a stand-in. */
function hostOf({ fields, environment }: Link): string {
  const given = fields['stand_in_url']
  return environment === 'sandbox' && given ? given : HOSTS[environment]
}

/** What a reply that is no answer means. */
export function toRefusal(reply: Exclude<Reply, { kind: 'answer' }>): Refused | Unknown {
  if (reply.kind === 'lost') return lost(reply.reason)
  const { status, reason, places } = reply
  const rawDescription = places.length > 0 ? `wrong or missing: ${places.join(', ')}` : null
  const facts = { rawCode: reason ?? String(status), rawDescription }
  if (status === 401) return refused('invalid_service_credentials', facts)
  if (status === 403) return refused('insufficient_service_permissions', facts)
  if (status === 404) return refused('unknown_service_resource', facts)
  if (status === 429) return refused('service_rate_limit', facts)
  return refused(codeOfError(reason, places), facts)
}

const PLACES_MAX = 5

function placesIn({ details }: Wire): readonly string[] {
  const places = (Array.isArray(details) ? details : []).flatMap((detail) => {
    const place = isRecord(detail) ? textOf(detail, 'field') : null
    return place !== null && /^[\w.[\]]{1,120}$/.test(place) ? [place] : []
  })
  return places.slice(0, PLACES_MAX)
}

export function isRecord(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object within an object, or an empty one. */
export function partOf(body: Wire, name: string): Wire {
  const part = body[name]
  return isRecord(part) ? part : {}
}

/** Null: there is none, or it is empty. */
export function textOf(body: Wire, name: string): string | null {
  const value = body[name]
  return typeof value === 'string' && value !== '' ? value : null
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
