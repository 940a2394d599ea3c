import { ERROR_CODES, type ErrorCode } from '#connectors/contract/codes.ts'
import {
  type Answer,
  AVS_RESPONSE_CODES,
  type AvsResponseCode,
  CVV_RESPONSE_CODES,
  type CvvResponseCode,
  type Facts,
  type Link,
} from '#connectors/contract/connector.ts'
import type { Instrument } from '#connectors/contract/orders.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { secret } from '#connectors/contract/secret.ts'

export const PROCESSOR_URL = 'https://processor.simulator.invalid'

/** What came back. `lost`: nothing readable, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'refusal'; readonly error: string }
  | { readonly kind: 'lost'; readonly reason: string }

/** The processor's answer about one attempt. */
export type Entry = {
  readonly operation: string
  readonly status: 'approved' | 'refused' | 'pending'
  readonly reference: string
  readonly amount: number
  readonly code: string | null
  readonly description: string | null
  readonly response_code: string | null
  readonly avs: AvsResponseCode | null
  readonly cvv: CvvResponseCode | null
  readonly advice_code: string | null
  readonly scheme_transaction_id: string | null
  readonly do_not_retry: boolean
  /** Only of what a notification ends. */
  readonly attempt_id?: string
  /** Only of a token. */
  readonly token?: string | null
  readonly label?: string | null
}

/** Answers that say that the processor has done nothing, and why. Other errors prove nothing. */
const REFUSALS: Readonly<Record<string, ErrorCode>> = {
  '400 bad_request': 'invalid_service_request',
  '401 unknown_merchant': 'invalid_service_credentials',
  '404 unknown_reference': 'unknown_service_resource',
  '409 attempt_closed': 'service_resource_conflict',
}

type Line = Pick<Link, 'fetch' | 'fields'>
type Sending = { readonly path: string; readonly body?: object; readonly fault?: string | null }

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(link: Link, sending: Sending): Promise<Reply> {
  const response = await exchange(link, sending)
  if (!response) return { kind: 'lost', reason: 'the processor gave no readable answer' }
  const { status, body } = response
  if (status === 200 && isEntry(body)) return { kind: 'entry', entry: body }
  if (status >= 400 && status < 500 && typeof body['error'] === 'string') {
    return { kind: 'refusal', error: `${status} ${body['error']}` }
  }
  return { kind: 'lost', reason: `the processor answered ${status} with something else than it should` }
}

/** Null if no JSON object came back. */
export async function exchange(
  link: Line,
  sending: Sending,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> } | null> {
  try {
    const response = await link.fetch(`${PROCESSOR_URL}/${sending.path}`, toRequest(link, sending))
    const body: unknown = await response.json()
    return isObject(body) ? { status: response.status, body } : null
  } catch {
    return null
  }
}

/** A header allows few characters; a merchant's id may have any. */
export function headersOf(fields: Link['fields']): Record<string, string> {
  return { 'x-merchant-id': encodeURIComponent(fields['merchant_id'] ?? '') }
}

function toRequest({ fields }: Line, { body, fault }: Sending): RequestInit {
  return {
    method: body ? 'POST' : 'GET',
    headers: {
      ...headersOf(fields),
      ...(body && { 'content-type': 'application/json' }),
      ...(fault && { 'x-fault': fault }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }
}

export function toAnswer(reply: Reply): Answer {
  if (reply.kind === 'entry') return fromEntry(reply.entry)
  if (reply.kind === 'lost') return { outcome: 'unknown', reason: reply.reason }
  const code = REFUSALS[reply.error]
  if (!code) return { outcome: 'unknown', reason: `the processor answered ${reply.error}` }
  return refused(code, { rawCode: reply.error, rawDescription: code })
}

export function fromEntry(entry: Entry): Exclude<Answer, { outcome: 'unknown' }> {
  const { status, reference, amount, description } = entry
  const facts: Facts = {
    rawCode: entry.code,
    rawDescription: description,
    authResponseCode: entry.response_code,
    isoResponseCode: entry.response_code,
    avsResponseCode: entry.avs,
    cvvResponseCode: entry.cvv,
    merchantAdviceCode: entry.advice_code,
    schemeTransactionId: entry.scheme_transaction_id,
  }
  if (status === 'approved') {
    const { token, label = null } = entry
    const stored = token ? { token: { value: secret(token), label } } : {}
    return { outcome: 'approved', reference, amount, facts, ...stored }
  }
  if (status === 'pending') return { outcome: 'pending', reference, facts }
  const answer = refused(isErrorCode(description) ? description : 'unknown_error', facts)
  return { ...answer, reference, isRetriable: answer.isRetriable && !entry.do_not_retry }
}

export function toWire(instrument: Instrument): object {
  switch (instrument.kind) {
    case 'card':
      return {
        type: 'card',
        number: instrument.number.use(String),
        expiration_date: instrument.expirationDate,
        security_code: instrument.securityCode?.use(String) ?? null,
        wallet: instrument.source === 'card' ? null : instrument.source,
      }
    case 'network-token':
      return {
        type: 'network-token',
        number: instrument.token.use(String),
        expiration_date: instrument.expirationDate,
        cryptogram: instrument.cryptogram?.use(String) ?? null,
        eci: instrument.eci,
        cardholder_name: instrument.cardholderName,
        card_source: instrument.cardSource,
      }
    case 'wallet':
      return {
        type: 'wallet',
        wallet: instrument.wallet,
        payload: instrument.token.use(String),
        checkout_token: instrument.checkoutToken?.use(String) ?? null,
        cardholder_name: instrument.cardholderName,
        card_scheme: instrument.cardScheme,
        card_type: instrument.cardType,
        account_verified: instrument.assurance?.isAccountVerified ?? null,
        card_holder_authenticated: instrument.assurance?.isCardHolderAuthenticated ?? null,
      }
    case 'provider-token':
      return {
        type: 'token',
        token: instrument.token.use(String),
        security_code: instrument.securityCode?.use(String) ?? null,
      }
    default:
      // The manifest names those above, so the server sends no others. The processor refuses them by
      // their type.
      return { type: instrument.kind }
  }
}

/** Strict: an answer that is only nearly right may be meant for another client. */
export function isEntry(value: unknown): value is Entry {
  return (
    isObject(value) &&
    typeof value['operation'] === 'string' &&
    typeof value['reference'] === 'string' &&
    value['reference'] !== '' &&
    Number.isInteger(value['amount']) &&
    isStatus(value['status'], value['description']) &&
    isTextOrNull(value['code']) &&
    isTextOrNull(value['response_code']) &&
    isTextOrNull(value['advice_code']) &&
    isTextOrNull(value['scheme_transaction_id']) &&
    isOneOfOrNull(value['avs'], AVS_RESPONSE_CODES) &&
    isOneOfOrNull(value['cvv'], CVV_RESPONSE_CODES) &&
    typeof value['do_not_retry'] === 'boolean' &&
    isTextOrNull(value['token'] ?? null) &&
    isTextOrNull(value['label'] ?? null)
  )
}

/** A refusal whose reason is not in our contract cannot be told to a merchant. */
function isStatus(status: unknown, description: unknown): boolean {
  if (status === 'refused') return isErrorCode(description)
  return (status === 'approved' || status === 'pending') && isTextOrNull(description)
}

/** The processor was made for this service, so its descriptions are the codes of our contract. */
function isErrorCode(text: unknown): text is ErrorCode {
  return typeof text === 'string' && Object.hasOwn(ERROR_CODES, text)
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}

function isOneOfOrNull(value: unknown, all: readonly string[]): boolean {
  return value === null || all.some((one) => one === value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
