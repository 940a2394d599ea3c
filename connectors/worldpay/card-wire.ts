import type { ErrorCode } from '#connectors/contract/codes.ts'
import type { Link, Refused, Unknown } from '#connectors/contract/connector.ts'
import { refused } from '#connectors/contract/refuse.ts'
import { jsonRequest, lost } from '#connectors/contract/requests.ts'
import { ERRORS } from './mapping.ts'
import { authorizationOf, hostOf, isRecord, placesIn, readJson, textOf, type Wire } from './wire.ts'

/** What came back. `lost`: nothing that Worldpay documents, so the request may have been carried out or not. */
export type Reply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Wire }
  | {
      readonly kind: 'error'
      readonly status: number
      readonly name: string | null
      readonly places: readonly string[]
    }
  | { readonly kind: 'lost'; readonly reason: string }

const PAYMENTS = 'application/vnd.worldpay.payments-v7+json'
const PAYOUTS = 'application/vnd.worldpay.payouts-v4+json'
const TOKENS = 'application/vnd.worldpay.tokens-v3.hal+json'
const QUERIES = 'application/vnd.worldpay.payment-queries-v1.hal+json'

const DONE: readonly number[] = [200, 201, 202]
/** Worldpay says that such requests can be sent again once they are mended: nothing was done. */
const NOT_DONE: readonly number[] = [400, 401, 403, 404, 409, 415, 422, 429]

/** Never throws. The reasons are our own words: a failed request's message may contain what was sent. */
export async function send(
  link: Link,
  path: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<Reply> {
  const ofPayments = body ? PAYMENTS : QUERIES
  const media = path.startsWith('payouts/') ? PAYOUTS : path.startsWith('tokens/') ? TOKENS : ofPayments
  try {
    const authorization = authorizationOf(link.fields)
    const headers = { authorization, accept: media, 'content-type': body && media }
    const response = await link.fetch(`${hostOf(link)}/${path}`, jsonRequest({ method, headers, body }))
    return response.status === 204 ? { kind: 'answer', status: 204, body: {} } : await read(response)
  } catch {
    return { kind: 'lost', reason: 'Worldpay gave no readable answer' }
  }
}

async function read(response: Response): Promise<Reply> {
  const { status } = response
  const told = await readJson(response)
  if (DONE.includes(status) && isRecord(told)) return { kind: 'answer', status, body: told }
  const name = isRecord(told) ? wordIn(textOf(told, 'errorName')) : null
  // The firewall before the API answers 403 with a page, others with errors of their own.
  if (NOT_DONE.includes(status) && (name !== null || status === 403)) {
    return { kind: 'error', status, name, places: placesIn(told) }
  }
  return { kind: 'lost', reason: `Worldpay answered ${status} with something else than it should` }
}

const FIREWALL =
  'the firewall of Worldpay refused the request: look for unusual signs in names and addresses, and ask Worldpay whether it lets your addresses in'

/** What a reply that is no answer means. `missing`: what a 404 is about. */
export function toRefusal(
  reply: Exclude<Reply, { kind: 'answer' }>,
  missing: ErrorCode | null = 'unknown_service_resource',
): Refused | Unknown {
  if (reply.kind === 'lost') return lost(reply.reason)
  const { status, name, places } = reply
  const facts = { rawCode: name ?? String(status), rawDescription: wordsOf(places) }
  if (status === 401) return refused('invalid_service_credentials', facts)
  if (status === 403 && name === null) {
    return refused('insufficient_service_permissions', { rawCode: '403', rawDescription: FIREWALL })
  }
  if (status === 404) return missing ? refused(missing, facts) : lost('Worldpay has no such address')
  if (status === 429) return refused('service_rate_limit', facts)
  return refused(ERRORS[name ?? ''] ?? 'invalid_service_request', facts)
}

/** Places of the request, never its values: these may be a card's. */
function wordsOf(places: readonly string[]): string | null {
  return places.length > 0 ? `wrong: ${places.join(', ')}` : null
}

function wordIn(text: string | null): string | null {
  return text !== null && /^\w{1,80}$/.test(text) ? text : null
}

/** The scheme's id of a payment. Visa's are long numbers, and Mastercard fills its own with blanks. */
export function schemeReferenceIn({ scheme }: Wire): string | null {
  const reference = isRecord(scheme) ? textOf(scheme, 'reference')?.trim() : null
  return reference && /^[\x20-\x7e]{1,255}$/.test(reference) ? reference : null
}
