import type { OutcomeOrder } from '#connectors/contract/anti-fraud.ts'
import type { Link } from '#connectors/contract/connector.ts'
import { jsonRequest, withoutNulls } from '#connectors/contract/requests.ts'
import { isObject } from '#connectors/contract/shapes.ts'

export type Json = Readonly<Record<string, unknown>>

export type Asked =
  | { readonly outcome: 'answered'; readonly body: Json }
  /** `unavailable` may be better later. `error` stays until somebody mends it. */
  | { readonly outcome: 'unavailable' | 'error' | 'unknown'; readonly reason: string }

const API = 'https://api.signifyd.com'

/** In a sandbox, merchants may name the address of a stand-in. Signifyd has one address: the key says which team it is of. */
export function apiOf({ fields, environment }: Pick<Link, 'fields' | 'environment'>): string {
  const given = fields['stand_in_url']
  return environment === 'sandbox' && given ? given.replace(/\/+$/, '') : API
}

/** The reasons are our own words: Signifyd's may repeat what was sent. */
export async function post(link: Link, event: 'checkouts' | 'transactions', body: Json): Promise<Asked> {
  const key = Buffer.from(link.fields['api_key'] ?? '').toString('base64')
  const headers = { authorization: `Basic ${key}`, accept: 'application/json' }
  let response: Response
  try {
    const asked = jsonRequest({ method: 'POST', headers, body })
    response = await link.fetch(`${apiOf(link)}/v3/orders/events/${event}`, asked)
  } catch {
    return { outcome: 'unavailable', reason: 'Signifyd could not be reached' }
  }
  const { status } = response
  if (status === 429 || status >= 500)
    return { outcome: 'unavailable', reason: `Signifyd answered ${status}` }
  if (status === 401 || status === 403)
    return { outcome: 'error', reason: 'Signifyd refused the API key. Enter the key of your team again' }
  const told: unknown = await response.json().catch(() => null)
  if ((status === 200 || status === 201) && isObject(told)) return { outcome: 'answered', body: told }
  if (status !== 400 && status !== 409)
    return { outcome: 'unknown', reason: `Signifyd answered ${status} without a decision` }
  const places = isObject(told) && isObject(told['errors']) ? Object.keys(told['errors']) : []
  const safe = places.filter((place) => /^[\w.[\]]{1,80}$/.test(place)).slice(0, 5)
  const what = safe.length > 0 ? `${safe.join(', ')} of the order` : 'the order'
  return { outcome: 'error', reason: `Signifyd refused ${what} (${status})` }
}

/** Signifyd takes amounts in whole units of the currency. */
export function toUnits(amount: number, minorUnits: number): number {
  return Number((amount / 10 ** minorUnits).toFixed(minorUnits))
}

/** Ours that Signifyd has a word for. Whether a card is debit or credit is not said. */
const METHODS: Readonly<Record<string, string>> = {
  ach: 'ACH',
  alipay: 'ALI_PAY',
  amazonpay: 'AMAZON_PAYMENTS',
  applepay: 'APPLE_PAY',
  card: 'CREDIT_CARD',
  'gift-card': 'GIFT_CARD',
  googlepay: 'GOOGLE_PAY',
  paypal: 'PAYPAL_ACCOUNT',
}

type Paid = Pick<OutcomeOrder, 'method' | 'currency'> & { readonly id: string; readonly amount: number }

/** What Signifyd calls a transaction: one try to be paid. */
export function transactionOf({ id, method, amount, currency }: Paid, more: Json): Json {
  return withoutNulls({
    transactionId: id,
    paymentMethod: METHODS[method],
    amount,
    currency,
    ...more,
  })
}
