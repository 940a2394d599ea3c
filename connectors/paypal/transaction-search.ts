import type { ReportLink } from '#connectors/contract/reports.ts'
import { apiOf } from './address.ts'
import { isObject, type Json } from './wire.ts'

export type Asking = { readonly link: ReportLink; readonly token: string }

/** From a time to another, both included, and optionally of one currency. */
export type Range = { readonly start: number; readonly end: number; readonly currency?: string }

/** The address of a page of the search, with all movements of the balance. */
export function searchAddress(
  link: ReportLink,
  range: Range,
  page: { readonly size: number; readonly number: number },
) {
  const query = new URLSearchParams({
    start_date: wireTime(range.start),
    end_date: wireTime(range.end),
    fields: 'transaction_info',
    balance_affecting_records_only: 'Y',
    page_size: String(page.size),
    page: String(page.number),
    ...(range.currency && { transaction_currency: range.currency }),
  })
  return `${apiOf(link)}/v1/reporting/transactions?${query}`
}

export function headersOf({ token }: Asking): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/json' }
}

/**
 * PayPal finds at most 10,000 movements at once, and refuses a search that has more.
 * https://developer.paypal.com/docs/api/transaction-search/v1/#transactions_get
 */
export function isTooMuch(status: number, body: unknown): boolean {
  return status === 400 && isObject(body) && body['name'] === 'RESULTSET_TOO_LARGE'
}

const TOO_MUCH: Json = { total_items: Number.MAX_SAFE_INTEGER }

/** The answer, or a sentence about why there is none. `TOO_MUCH` if a search finds more than PayPal shows. */
export async function get(url: string, asking: Asking): Promise<Json | string> {
  try {
    const response = await asking.link.fetch(url, { headers: headersOf(asking) })
    const body: unknown = await response.json()
    if (isTooMuch(response.status, body)) return TOO_MUCH
    if (response.status === 403) return 'the app of this client_id may not use Transaction Search at PayPal'
    return response.status === 200 && isObject(body) ? body : 'PayPal gave no readable answer'
  } catch {
    // The error may repeat what was sent.
    return 'PayPal gave no readable answer'
  }
}

function wireTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}
