import type { Link, Unknown } from '#connectors/contract/connector.ts'
import {
  type ActivateAnswer,
  GIFT_CARD_ERROR_CODES,
  type GiftCardAnswer,
  type GiftCardErrorCode,
  type GiftCardRefused,
  type PresentedCard,
} from '#connectors/contract/gift-card.ts'

const PROVIDER_URL = 'https://gift-cards.simulator.invalid'

/** Answers that say that the provider has done nothing, and why. Other errors prove nothing. */
const REFUSALS: Readonly<Record<string, GiftCardErrorCode>> = {
  '400 bad_request': 'unknown_error',
  '401 unknown_merchant': 'invalid_service_credentials',
  '409 attempt_closed': 'operation_canceled',
}

export type Body = Readonly<Record<string, unknown>>
export type Sending = { readonly path: string; readonly body?: object; readonly fault?: string | null }

/** What came back. `lost`: nothing readable, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'answer'; readonly body: Body }
  | { readonly kind: 'refusal'; readonly error: string }
  | { readonly kind: 'lost' }
  | { readonly kind: 'unsent'; readonly option: string }

/** Never throws. A failed request's message may contain what was sent, so it is not repeated. */
export async function send(link: Link, sending: Sending): Promise<Reply> {
  try {
    const response = await link.fetch(`${PROVIDER_URL}/${sending.path}`, toRequest(link, sending))
    const body: unknown = await response.json()
    if (!isObject(body)) return { kind: 'lost' }
    if (response.status === 200) return { kind: 'answer', body }
    const isRefusal = response.status >= 400 && response.status < 500 && typeof body['error'] === 'string'
    return isRefusal ? { kind: 'refusal', error: `${response.status} ${body['error']}` } : { kind: 'lost' }
  } catch {
    return { kind: 'lost' }
  }
}

function toRequest({ fields }: Link, { body, fault }: Sending): RequestInit {
  return {
    method: body ? 'POST' : 'GET',
    headers: {
      // A header allows few characters; an API key may have any.
      'x-api-key': encodeURIComponent(fields['api_key'] ?? ''),
      ...(body && { 'content-type': 'application/json' }),
      ...(fault && { 'x-fault': fault }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

/**
 * The provider's answer about one attempt. Strict: an answer that is only nearly right may be meant for
 * another client.
 */
export function toAnswer(reply: Reply, operation: string): GiftCardAnswer {
  if (reply.kind !== 'answer') return withoutEntry(reply)
  const { body } = reply
  const { reference } = body
  if (body['operation'] !== operation || typeof reference !== 'string' || reference === '') return unknown()
  if (body['status'] === 'approved') return { outcome: 'approved', reference }
  return toRefusal(body) ?? unknown()
}

export function toActivation(reply: Reply): ActivateAnswer {
  const answer = toAnswer(reply, 'activate')
  if (answer.outcome !== 'approved') return answer
  const expiresAt = reply.kind === 'answer' ? reply.body['expires_at'] : null
  return { ...answer, expiresAt: typeof expiresAt === 'string' ? expiresAt : null }
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
  if (reply.kind === 'unsent') {
    const rawMessage = `connection_options.mock-gift-card.${reply.option} is not one that the simulator knows`
    return { outcome: 'refused', code: 'invalid_service_configuration', rawCode: null, rawMessage }
  }
  const code = REFUSALS[reply.error]
  if (!code) return unknown(`the provider answered ${reply.error}`)
  return { outcome: 'refused', code, rawCode: reply.error, rawMessage: null }
}

export function unknown(reason = 'the provider gave no readable answer'): Unknown {
  return { outcome: 'unknown', reason }
}

export function toWire({ number, pin }: PresentedCard): object {
  return { number: number.use(String), pin: pin?.use(String) ?? null }
}

/** The provider was made for this service, so its codes are those of our contract. */
function isErrorCode(value: unknown): value is GiftCardErrorCode {
  return GIFT_CARD_ERROR_CODES.some((code) => code === value)
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string'
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null
}
