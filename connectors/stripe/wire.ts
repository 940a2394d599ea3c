import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Facts, Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { encodeParts } from '#connectors/contract/multipart.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { MAPPING } from './mapping.ts'

const API = 'https://api.stripe.com'
const FILES = 'https://files.stripe.com'
/** The version of the official types that the tests compare with. Answers of another version could read otherwise. */
export const API_VERSION = '2026-10-28.endive'

export type Body = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing readable, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'object'; readonly body: Body }
  | { readonly kind: 'refusal'; readonly status: number; readonly error: Body }
  | { readonly kind: 'lost'; readonly reason: string }

export type Sending = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly form?: object
  /** The idempotency key. Everything that moves money has one. */
  readonly key?: string
  /** A file, beside the form. */
  readonly file?: Upload
}

type Upload = { readonly name: string; readonly contentType: string; readonly content: Buffer<ArrayBuffer> }

type Line = Pick<Link, 'fetch' | 'fields'> & Partial<Pick<Link, 'options' | 'environment'>>

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Line, sending: Sending): Promise<Reply> {
  if (link.environment === 'sandbox' && /_live_/.test(link.fields['secret_key'] ?? '')) {
    return { kind: 'refusal', status: 401, error: { type: 'sandbox_with_live_key' } }
  }
  try {
    const response = await link.fetch(urlOf(link, sending), toRequest(link, sending))
    return toReply(response.status, await response.json())
  } catch {
    return { kind: 'lost', reason: 'Stripe gave no readable answer' }
  }
}

/** Secrets go into bodies and headers only: addresses appear in logs. */
export function urlOf({ fields, environment }: Line, { method, path, form = {}, file }: Sending): string {
  const own = file ? FILES : API
  const origin = environment === 'production' ? own : fields['stand_in_url'] || own
  const query = method === 'POST' ? '' : encodeForm(form)
  return `${origin}${path}${query === '' ? '' : `?${query}`}`
}

export function toRequest({ fields, options }: Line, { method, form = {}, key, file }: Sending): RequestInit {
  const connect = options?.['stripe_connect'] as { stripe_account?: unknown } | null | undefined
  const account = connect?.stripe_account
  const parts = file && key !== undefined ? encodeParts(partsOf(form, file), key) : null
  return {
    method,
    headers: {
      authorization: `Bearer ${fields['secret_key'] ?? ''}`,
      'stripe-version': API_VERSION,
      ...(typeof account === 'string' && { 'stripe-account': account }),
      ...(method === 'POST' && { 'content-type': parts?.contentType ?? 'application/x-www-form-urlencoded' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    ...(method === 'POST' && { body: parts?.body ?? encodeForm(form) }),
  }
}

function partsOf(form: object, { name: fileName, contentType, content }: Upload) {
  const texts = Object.entries(form).map(([name, text]) => ({ name, text: String(text) }))
  return [...texts, { name: 'file', fileName, contentType, content }]
}

function toReply(status: number, body: unknown): Reply {
  if (!isObject(body)) return { kind: 'lost', reason: 'Stripe answered with something that is no object' }
  if (status === 200 && !('error' in body)) return { kind: 'object', body }
  const { error } = body
  if (status >= 400 && status < 500 && isObject(error) && typeof error['type'] === 'string') {
    return { kind: 'refusal', status, error }
  }
  return { kind: 'lost', reason: `Stripe answered ${status} with something else than it documents` }
}

/** What a reply that is no object means. */
export function toRefusal(reply: Exclude<Reply, { kind: 'object' }>): Refused | Unknown {
  if (reply.kind === 'lost') return { outcome: 'unknown', reason: reply.reason }
  const { status, error } = reply
  const meaning = meaningOf(status, error)
  if (meaning === 'unknown') {
    return {
      outcome: 'unknown',
      reason: `Stripe answered ${status}, which does not say that nothing happened`,
    }
  }
  const subject = [error['payment_intent'], error['setup_intent']].find(isObject)
  const reference = typeof subject?.['id'] === 'string' ? subject['id'] : null
  return refusedFor(meaning, error, reference)
}

/** A refusal for Stripe's reason: of an error, or of a payment that failed. */
export function refusedFor(code: ErrorCode, error: Body, reference: string | null): Refused {
  const isFinal =
    error['advice_code'] === 'do_not_try_again' ||
    MAPPING.finalDeclineCodes.includes(String(error['decline_code'] ?? error['code']))
  const answer = refused(code, factsOfError(error), reference)
  return { ...answer, isRetriable: answer.isRetriable && !isFinal }
}

export function unknown(reason: string): Unknown {
  return { outcome: 'unknown', reason }
}

/** A request before the one that moves money was lost: it is certain that no money moved. */
export function withoutMoney(reason: string): Refused {
  return refused('service_network_error', { rawDescription: reason })
}

/** The decline code says most, then the code, then the HTTP status. */
export function meaningOf(status: number, error: Body): ErrorCode | 'unknown' {
  const { type, code, decline_code: declineCode } = error
  const byStatus = MAPPING.httpStatuses[status] ?? 'unknown'
  // The first request with this key may have done it.
  if (type === 'idempotency_error' || byStatus === 'unknown') return 'unknown'
  if (typeof declineCode === 'string' && declineCode !== '') {
    return MAPPING.declineCodes[declineCode] ?? 'other_decline'
  }
  if (typeof code === 'string') return MAPPING.codes[code] ?? byStatus
  return byStatus
}

function factsOfError(error: Body): Facts {
  const { type, code, decline_code: declineCode, message } = error
  const advice = text(error['network_advice_code']) ?? text(error['advice_code'])
  return {
    rawCode: text(declineCode) ?? text(code) ?? text(type),
    rawDescription: typeof message === 'string' ? scrubbed(message) : null,
    isoResponseCode: text(error['network_decline_code']),
    ...(advice !== null && { merchantAdviceCode: advice }),
  }
}

/** Stripe's sentences may repeat what was sent. Numbers and keys do not belong in an answer. */
function scrubbed(message: string): string {
  return message
    .replace(/\b(sk|rk|pk|whsec)_[A-Za-z0-9_*]+/g, '***')
    .replace(/[A-Z]{2}\d{2}[A-Z0-9]{8,}|\d{6,}/g, '***')
    .slice(0, 500)
}

export function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Stripe takes forms: `{ card: { exp_month: 12 }, expand: ['a'] }` is `card[exp_month]=12&expand[0]=a`. Null is left out. */
function encodeForm(form: object): string {
  const pairs: [string, string][] = []
  const visit = (value: unknown, name: string): void => {
    if (value === undefined || value === null) return
    if (typeof value !== 'object') {
      pairs.push([name, String(value)])
      return
    }
    for (const [key, part] of Object.entries(value)) visit(part, name === '' ? key : `${name}[${key}]`)
  }
  visit(form, '')
  return new URLSearchParams(pairs).toString()
}
