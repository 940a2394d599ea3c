import type { Json, Movement } from './books.ts'
import type { Desk } from './desk.ts'
import type { Answer } from './idempotency.ts'
import { writeMoney } from './money.ts'
import { Problem, TooMuch } from './problem.ts'
import { self } from './views.ts'

const DAY = 24 * 3_600_000

/** "It takes a maximum of three hours for executed transactions to appear in the list transactions call." */
const REPORTING_LAG = 3 * 3_600_000

export function searchTransactions(desk: Desk, clientId: string, query: URLSearchParams): Answer {
  const { books, url } = desk
  requireReporting(desk, clientId)
  const start = dateOf(query, 'start_date')
  const end = dateOf(query, 'end_date')
  // "The maximum supported range is 31 days."
  if (end <= start || end - start > 31 * DAY) throw new Problem(400, 'INVALID_REQUEST')
  const currency = query.get('transaction_currency')
  const size = numberOf(query, 'page_size', { standard: 100, max: 500 })
  const page = numberOf(query, 'page', { standard: 1, max: 2_147_483_647 })
  const refreshed = books.now().getTime() - REPORTING_LAG
  const found = books.movements
    .filter(({ at, ...one }) => {
      const time = Math.floor(at.getTime() / 1_000) * 1_000
      const isAsked = one.clientId === clientId && (!currency || one.amount.currency === currency)
      return isAsked && time >= start && time <= end && time <= refreshed
    })
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
  if (found.length > desk.searchedMost) throw new TooMuch()
  const shown = found.slice((page - 1) * size, page * size)
  return {
    status: 200,
    body: {
      ...(shown.length > 0 && { transaction_details: shown.map(viewMovement) }),
      account_number: books.clients.find(({ id }) => id === clientId)?.merchantId,
      start_date: wireDate(start),
      end_date: wireDate(end),
      last_refreshed_datetime: wireDate(refreshed),
      page,
      total_items: found.length,
      total_pages: Math.ceil(found.length / size),
      links: [self(url(), `/v1/reporting/transactions?${query}`)],
    },
  }
}

export function showBalances(desk: Desk, clientId: string): Answer {
  const { books } = desk
  requireReporting(desk, clientId)
  const totals = new Map<string, number>([['USD', 0]])
  for (const { amount, gross, fee, clientId: owner } of books.movements) {
    if (owner === clientId) totals.set(amount.currency, (totals.get(amount.currency) ?? 0) + gross + fee)
  }
  const balances = [...totals].map(([currency, hundredths]) => ({
    currency,
    primary: currency === 'USD',
    total_balance: writeMoney({ currency, hundredths }),
    available_balance: writeMoney({ currency, hundredths }),
    withheld_balance: writeMoney({ currency, hundredths: 0 }),
  }))
  const now = wireDate(books.now().getTime())
  const account = books.clients.find(({ id }) => id === clientId)?.merchantId
  return { status: 200, body: { balances, account_id: account, as_of_time: now, last_refresh_time: now } }
}

function viewMovement(movement: Movement): Json {
  const { id, code, referenceId, referenceType, amount, gross, fee, invoiceId, customId, at } = movement
  return {
    transaction_info: {
      paypal_account_id: 'BUYER00000001',
      transaction_id: id,
      ...(referenceId && { paypal_reference_id: referenceId, paypal_reference_id_type: referenceType }),
      transaction_event_code: code,
      transaction_initiation_date: wireDate(at.getTime()),
      transaction_updated_date: wireDate(at.getTime()),
      transaction_amount: writeMoney({ ...amount, hundredths: gross }),
      ...(fee !== 0 && { fee_amount: writeMoney({ ...amount, hundredths: fee }) }),
      transaction_status: 'S',
      ...(invoiceId && { invoice_id: invoiceId }),
      ...(customId && { custom_field: customId }),
    },
  }
}

function requireReporting({ books }: Desk, clientId: string): void {
  const client = books.clients.find(({ id }) => id === clientId)
  if (!client?.features.includes('reporting')) throw new Problem(403, 'PERMISSION_DENIED')
}

function dateOf(query: URLSearchParams, name: string): number {
  const time = Date.parse(query.get(name) ?? '')
  if (Number.isNaN(time)) throw new Problem(400, 'INVALID_REQUEST', { field: name })
  return time
}

function numberOf(
  query: URLSearchParams,
  name: string,
  { standard, max }: { readonly standard: number; readonly max: number },
): number {
  const value = Number(query.get(name) ?? standard)
  if (!Number.isInteger(value) || value < 1 || value > max) throw new Problem(400, 'INVALID_REQUEST')
  return value
}

/** Transaction Search writes an offset instead of a Z. */
function wireDate(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, '+00:00')
}
