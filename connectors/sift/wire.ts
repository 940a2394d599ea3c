import type { OutcomeOrder } from '#connectors/contract/anti-fraud.ts'
import type { Link } from '#connectors/contract/connector.ts'

const API = 'https://api.sift.com'

/** In a sandbox, merchants may name the address of a stand-in. Sift has one address for live and for test accounts. */
export function apiOf({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  const given = fields['stand_in_url']
  return environment === 'sandbox' && given ? given.replace(/\/+$/, '') : API
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}

type Judged = Pick<OutcomeOrder, 'buyer' | 'fingerprint' | 'method' | 'bin'>

/** Sift takes these in ids of users. */
const USER_ID = /^[A-Za-z0-9=.\-_+@:&^%!$]{1,100}$/

/** Sift knows a buyer by id, and one without an account by the session of its script. Null: there is neither. */
export function namesOf({ buyer, fingerprint }: Judged): object | null {
  const names = [buyer?.externalIdentifier, buyer?.id, buyer?.emailAddress]
  const id = names.find((name) => name && USER_ID.test(name))
  if (!id && !fingerprint) return null
  return { ...(id && { $user_id: id }), ...(fingerprint && { $session_id: fingerprint }) }
}

const MICROS = 6

/** Sift takes amounts in millionths. */
export function toMicros(amount: number, minorUnits: number): number {
  return amount * 10 ** (MICROS - minorUnits)
}

const TYPES: Readonly<Record<string, string>> = {
  card: '$credit_card',
  applepay: '$digital_wallet',
  googlepay: '$digital_wallet',
  'click-to-pay': '$digital_wallet',
  paypal: '$third_party_processor',
  klarna: '$financing',
  'gift-card': '$gift_card',
  ach: '$ach_debit',
  sepa: '$sepa_direct_debit',
}

export function methodOf({ method, bin }: Judged): object {
  const type = TYPES[method] ?? '$electronic_fund_transfer'
  return { $payment_type: type, ...(bin && { $card_bin: bin.slice(0, 6) }) }
}

/** Null: Sift could not be reached. */
export async function postEvent(
  link: Link,
  path: string,
  event: object,
): Promise<{ readonly status: number; readonly body: unknown } | null> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ ...event, $api_key: link.fields['api_key'] }),
  }
  try {
    const response = await link.fetch(`${apiOf(link)}${path}`, init)
    return { status: response.status, body: await readJson(response) }
  } catch {
    return null
  }
}

type Refusal = { readonly outcome: 'unavailable' | 'error' | 'unknown'; readonly reason: string }

/** Sift's own numbers. Those below zero are its own troubles. */
const OK = 0
const INVALID_KEY = 51
const RATE_LIMITED = 60

/** Why Sift has judged nothing. It is not repeated in its words, which may hold what we sent. */
export function refusalIn(status: number, body: unknown): Refusal | undefined {
  if (status === 429 || status >= 500) return { outcome: 'unavailable', reason: `Sift answered ${status}` }
  const number = isRecord(body) ? body['status'] : undefined
  if (number === OK && status === 200) return undefined
  if (typeof number !== 'number') {
    return status === 401 || status === 403
      ? { outcome: 'error', reason: 'Sift refused the API key' }
      : { outcome: 'unknown', reason: `Sift answered ${status} without a status of its own` }
  }
  if (number === INVALID_KEY) return { outcome: 'error', reason: 'Sift does not know the API key' }
  if (number < OK || number === RATE_LIMITED)
    return { outcome: 'unavailable', reason: `Sift answered status ${number}` }
  return { outcome: 'error', reason: `Sift refused the order with status ${number}` }
}
