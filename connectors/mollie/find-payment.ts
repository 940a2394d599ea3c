import type { Link } from '#connectors/contract/connector.ts'
import { lost } from '#connectors/contract/requests.ts'
import { momentIn } from './read-payment.ts'
import { isId, isObject, nextIn, send } from './wire.ts'

/** How far back payments are looked through. Mollie cannot be asked for a mark, and gives at most so many at once. */
const PAGE_SIZE = 250
const PAGES_MAX = 8
/** A payment cannot be older than its request, but for the difference of two clocks. */
const MARGIN_MS = 3_600_000

type Sought = {
  /** A mark in the metadata of the payment. */
  readonly mark: 'attempt' | 'transaction'
  readonly id: string
  /** Older payments are not looked through. Null: the payment is older than what is asked about. */
  readonly since: Date | null
}

/** The id of the payment with our mark, among the newest ones. Null: it is not among them. */
export async function findPayment(link: Link, { mark, id, since }: Sought) {
  let from: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(from !== null && { from }) })
    const reply = await send(link, { path: `payments?${query}` })
    const body = reply.kind === 'answer' ? reply.body : {}
    const { _embedded: embedded } = body
    const listed = isObject(embedded) ? embedded['payments'] : null
    if (!Array.isArray(listed)) return lost('Mollie did not list its payments')
    const payments = listed.filter(isObject)
    const found = payments.find(({ metadata }) => isObject(metadata) && metadata[mark] === id)?.['id']
    if (isId('tr', found)) return found
    from = nextIn(body)
    const oldest = momentIn(payments.at(-1)?.['createdAt'])
    const isBefore = since !== null && oldest !== null && oldest.getTime() < since.getTime() - MARGIN_MS
    if (from === null || isBefore) return null
  }
  return null
}
