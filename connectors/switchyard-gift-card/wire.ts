import type { Link, Unknown } from '#connectors/contract/connector.ts'
import {
  GIFT_CARD_ERROR_CODES,
  type GiftCardErrorCode,
  type GiftCardRefused,
  type PresentedCard,
} from '#connectors/contract/gift-card.ts'

const ISSUER_URL = 'https://gift-cards.switchyard.invalid'

/** Answers that say that the issuer has done nothing, and why. Other errors prove nothing. */
const REFUSALS: Readonly<Record<string, { readonly code: GiftCardErrorCode; readonly message: string }>> = {
  '400 bad_request': { code: 'unknown_error', message: 'the issuer does not understand the request' },
  '401 missing_program': {
    code: 'invalid_service_credentials',
    message: 'program or program_key is missing',
  },
  '401 weak_key_program': {
    code: 'invalid_service_configuration',
    message: 'program_key needs at least 16 characters',
  },
  '409 attempt_closed': { code: 'operation_canceled', message: 'the attempt was closed before it arrived' },
}

export type Body = Readonly<Record<string, unknown>>

/** What came back. `lost`: nothing readable, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'refusal'; readonly error: string }
  | { readonly kind: 'lost' }

/** Never throws. A failed request's message may contain what was sent, so it is not repeated. */
export async function send(link: Link, path: string, body?: object): Promise<Reply> {
  try {
    const response = await link.fetch(`${ISSUER_URL}/${path}`, toRequest(link, body))
    const answer: unknown = await response.json()
    if (!isObject(answer)) return { kind: 'lost' }
    if (response.status === 200) return { kind: 'answer', body: answer }
    const { error } = answer
    const isRefusal = response.status >= 400 && response.status < 500 && typeof error === 'string'
    return isRefusal ? { kind: 'refusal', error: `${response.status} ${error}` } : { kind: 'lost' }
  } catch {
    return { kind: 'lost' }
  }
}

/** A header allows few characters; a name may have any. */
function toRequest({ fields }: Link, body?: object): RequestInit {
  return {
    method: body ? 'POST' : 'GET',
    headers: {
      'x-program': encodeURIComponent(fields['program'] ?? ''),
      'x-program-key': encodeURIComponent(fields['program_key'] ?? ''),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

/** The issuer's answer about one attempt, with all details of an approval. */
export type Entry = {
  readonly outcome: 'approved'
  readonly reference: string
  readonly expiresAt: string | null
  readonly url: string | null
}

/** Strict: an answer that is only nearly right may be meant for another client. */
export function toEntry(reply: Reply, operation: string): Entry | GiftCardRefused | Unknown {
  if (reply.kind !== 'answer') return withoutEntry(reply)
  const { body } = reply
  const { reference, expires_at: expiresAt = null, url = null } = body
  if (body['operation'] !== operation || typeof reference !== 'string' || reference === '') return unknown()
  if (body['status'] !== 'approved') return toRefusal(body) ?? unknown()
  if (!isTextOrNull(expiresAt) || !isTextOrNull(url)) return unknown()
  return { outcome: 'approved', reference, expiresAt, url }
}

/** Null if it is no refusal, or if its reason is not in our contract. */
export function toRefusal(body: Body): GiftCardRefused | null {
  const { status, code, raw_code: rawCode, raw_message: rawMessage } = body
  if (status !== 'refused' || !isErrorCode(code) || !isTextOrNull(rawCode) || !isTextOrNull(rawMessage)) {
    return null
  }
  return { outcome: 'refused', code, rawCode, rawMessage }
}

export function withoutEntry(reply: Exclude<Reply, { kind: 'answer' }>): GiftCardRefused | Unknown {
  if (reply.kind === 'lost') return unknown()
  const refusal = REFUSALS[reply.error]
  if (!refusal) return unknown(`the issuer answered ${reply.error}`)
  return { outcome: 'refused', code: refusal.code, rawCode: reply.error, rawMessage: refusal.message }
}

export function unknown(reason = 'the issuer gave no readable answer'): Unknown {
  return { outcome: 'unknown', reason }
}

export function toWire({ number, pin }: PresentedCard): object {
  return { number: number.use(String), pin: pin?.use(String) ?? null }
}

/** The issuer was made for this service, so its codes are those of our contract. */
function isErrorCode(value: unknown): value is GiftCardErrorCode {
  return GIFT_CARD_ERROR_CODES.some((code) => code === value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}
