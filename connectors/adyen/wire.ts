import type { Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { lost, safe } from '#connectors/contract/requests.ts'
import { ERRORS } from './mapping.ts'

export type Json = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing that Adyen documents, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Json }
  /** Status 204: the end of a request that asks for no object. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'error'; readonly status: number; readonly errorCode: string }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'unsent'; readonly refusal: Refused }

export type Sending = {
  /** Left out: payments. */
  readonly api?: 'disputes'
  /** Left out: POST. */
  readonly method?: 'DELETE'
  readonly path: string
  readonly body?: object
  /** Adyen repeats its first answer to a key. Null only for questions. */
  readonly key: string | null
}

type Line = Pick<Link, 'fetch' | 'fields' | 'environment'> & { readonly isAgain?: true }

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Line, sending: Sending): Promise<Reply> {
  const reply = await ask(link, sending)
  if (!link.isAgain || !isShutOut(reply)) return reply
  return { kind: 'lost', reason: 'Adyen did not let the repetition in' }
}

/** Adyen did not look at the request. So it says nothing about an earlier one with the same key. */
function isShutOut(reply: Reply): boolean {
  return reply.kind === 'unsent' || (reply.kind === 'error' && [401, 403, 429].includes(reply.status))
}

async function ask(link: Line, { api, method, path, body, key }: Sending): Promise<Reply> {
  const origin = api === 'disputes' ? disputesOf(link) : checkoutOf(link)
  if (origin === null) {
    const rawDescription = 'live_url_prefix is missing: Adyen needs it in production'
    return { kind: 'unsent', refusal: refused('invalid_service_configuration', { rawDescription }) }
  }
  try {
    const response = await link.fetch(`${origin}/${path}`, {
      method: method ?? 'POST',
      headers: {
        'x-api-key': link.fields['api_key'] ?? '',
        'content-type': 'application/json',
        ...(key !== null && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify({ ...body }) }),
    })
    if (method === 'DELETE' && response.status === 204) return { kind: 'empty' }
    return read(response, await response.json())
  } catch {
    return { kind: 'lost', reason: 'Adyen gave no readable answer' }
  }
}

/** https://docs.adyen.com/development-resources/live-endpoints */
function checkoutOf({ fields, environment }: Line): string | null {
  if (environment === 'production') {
    const prefix = fields['live_url_prefix'] ?? ''
    return PREFIX.test(prefix) ? `https://${prefix}-checkout-live.adyenpayments.com/checkout/v71` : null
  }
  return fields['stand_in_url']
    ? `${originOf(fields['stand_in_url'])}/v71`
    : 'https://checkout-test.adyen.com/v71'
}

/** Where disputes are answered. It has one address for all live accounts. */
function disputesOf({ fields, environment }: Line): string {
  const path = '/ca/services/DisputeService/v30'
  if (environment === 'production') return `https://ca-live.adyen.com${path}`
  return fields['stand_in_url']
    ? `${originOf(fields['stand_in_url'])}${path}`
    : `https://ca-test.adyen.com${path}`
}

/** Where webhooks are set up. It has one address for all live accounts. */
export function managementOf({ fields, environment }: Line): string {
  if (environment === 'production') return 'https://management-live.adyen.com/v3'
  return fields['stand_in_url']
    ? `${originOf(fields['stand_in_url'])}/v3`
    : 'https://management-test.adyen.com/v3'
}

/** As in `1797a841fbb37ca7-AdyenDemo`. Nothing else may get into the name of a host. */
export const PREFIX = /^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$/

export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : 'https://stand-in.invalid'
}

function read(response: Response, body: unknown): Reply {
  if (!isObject(body)) return { kind: 'lost', reason: 'Adyen answered with no object' }
  const { status } = response
  if (status === 200 || status === 201) return { kind: 'answer', body }
  // Adyen has not decided yet: the same request has to come again.
  if (response.headers.get('transient-error') === 'true') {
    return { kind: 'lost', reason: 'Adyen could not process the request now' }
  }
  const { errorCode, errorType, status: stated } = body
  if (typeof errorCode !== 'string' || typeof errorType !== 'string' || stated !== status) {
    return { kind: 'lost', reason: `Adyen answered ${status} with something else than it should` }
  }
  return { kind: 'error', status, errorCode }
}

/**
 * Whether Adyen says that it has done nothing. It does with errors 400 to 499, but for those about keys, and with the
 * errors 905 that it sends as 500 before it has chosen an acquirer.
 */
export function toRefusal(reply: Exclude<Reply, { kind: 'answer' }>): Refused | Unknown {
  if (reply.kind === 'empty') return lost('Adyen answered with nothing')
  if (reply.kind === 'unsent') return reply.refusal
  if (reply.kind === 'lost') return { outcome: 'unknown', reason: reply.reason }
  const { status, errorCode } = reply
  const row = ERRORS[errorCode]
  const facts = { rawCode: errorCode, rawDescription: row?.meaning ?? null }
  const isCertain = status < 500 || errorCode.startsWith('905')
  if (!isCertain || row?.code === null) {
    return { outcome: 'unknown', reason: `Adyen answered ${status} with the error ${safe(errorCode)}` }
  }
  if (status === 401) return refused('invalid_service_credentials', facts)
  if (status === 429) return refused('service_rate_limit', facts)
  if (row) return refused(row.code, facts)
  return refused(status === 403 ? 'insufficient_service_permissions' : 'invalid_service_request', facts)
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Adyen's reference of a payment or a modification. */
export function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Z0-9]{16}$/.test(value)
}
