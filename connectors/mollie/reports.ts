import { reportEnd, reportLine, streamObject } from '#connectors/contract/json-report.ts'
import type { ListAnswer, ReportFile, ReportLink, Reports } from '#connectors/contract/reports.ts'
import { fromMollie } from './money.ts'
import { parserFor } from './parse-report.ts'
import { momentIn } from './read-payment.ts'
import { attemptOf, isId, isObject, type Json, nextIn, originFor } from './wire.ts'

/**
 * Mollie has no files: each settlement that was paid out is one, made of its payments, captures, refunds and chargebacks, and of what
 * they cost. `type` is Mollie's name of the method. Lines of other methods count in the sum, and are another service's.
 */
export function reportsOf(type: string): Reports {
  return { list, read, parse: parserFor(type) }
}

const PAGE_SIZE = 250
const PAGES_MAX = 8

async function list(since: Date, link: ReportLink): Promise<ListAnswer> {
  // Test payments are never settled, so these would be those of real ones.
  if (link.environment === 'sandbox' && !link.fields['stand_in_url'])
    return { outcome: 'listed', files: [], hasMore: false }
  const files: ReportFile[] = []
  let from: string | null = null
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(from !== null && { from }) })
    const body = await ask(`settlements?${query}`, link)
    if (typeof body === 'string') return { outcome: 'unreachable', message: body }
    const settlements = itemsIn(body, 'settlements')
    if (!settlements) return { outcome: 'unreachable', message: UNREADABLE }
    files.push(...settlements.flatMap(toFile))
    from = nextIn(body)
    if (from === null) break
  }
  const published = files.filter(({ publishedAt }) => publishedAt >= since)
  return {
    outcome: 'listed',
    files: published.sort((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime()),
    hasMore: false,
  }
}

const UNREADABLE = 'Mollie gave no readable answer'

async function ask(path: string, link: ReportLink): Promise<Json | string> {
  try {
    const response = await link.fetch(`${originFor(link)}/v2/${path}`, { headers: headersOf(link) })
    if ([401, 403].includes(response.status))
      return 'Mollie does not accept access_token, or it may not read settlements and payments'
    const body: unknown = await response.json()
    return response.status === 200 && isObject(body) ? body : UNREADABLE
  } catch {
    return UNREADABLE
  }
}

function headersOf({ fields }: ReportLink): Record<string, string> {
  return { authorization: `Bearer ${fields['access_token'] ?? ''}` }
}

/** Only what was paid out: it changes no more. */
function toFile({ id, status, settledAt }: Json): readonly ReportFile[] {
  const publishedAt = momentIn(settledAt)
  return status === 'paidout' && isId('stl', id) && publishedAt !== null
    ? [{ id, name: `settlement ${id}`, publishedAt }]
    : []
}

const LISTS = {
  payments: 'payment',
  captures: 'capture',
  refunds: 'refund',
  chargebacks: 'chargeback',
} as const
type List = keyof typeof LISTS

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  if (!isId('stl', fileId)) throw new Error('this is no settlement of Mollie')
  const settlement = await fetchObject(`settlements/${fileId}`, link)
  const whole = fromMollie(settlement['amount'])
  const { id, settledAt, balanceId } = settlement
  if (id !== fileId || !whole || typeof settledAt !== 'string') throw notDelivered()
  yield reportLine({ line: 'settlement', id, settledAt, balance: balanceId, ...whole })
  let count = 0
  for (const name of Object.keys(LISTS) as List[]) {
    for await (const item of itemsOf(fileId, name, link)) {
      const short = shorten(LISTS[name], item, whole.currency)
      if (!short) continue
      count += 1
      yield reportLine(short)
    }
  }
  for (const cost of periodsOf(settlement)) {
    count += 1
    yield reportLine(cost)
  }
  yield reportEnd(count)
}

async function* itemsOf(id: string, name: List, link: ReportLink): AsyncGenerator<Json> {
  let from: string | null = null
  do {
    const query = new URLSearchParams({
      limit: String(PAGE_SIZE),
      ...(from !== null && { from }),
      // What belongs to a payment does not name its method.
      ...(name !== 'payments' && { embed: 'payment' }),
    })
    const body = await fetchObject(`settlements/${id}/${name}?${query}`, link)
    const items = itemsIn(body, name)
    if (!items) throw notDelivered()
    yield* items
    from = nextIn(body)
  } while (from !== null)
}

/** Null: it was not settled by Mollie, such as a payment with PayPal. */
function shorten(kind: (typeof LISTS)[List], item: Json, currency: string): object | null {
  if (item['settlementAmount'] == null) return null
  const settled = fromMollie(item['settlementAmount'])
  const original = fromMollie(item['amount'])
  const { id, createdAt, reason } = item
  const embedded = isObject(item['_embedded']) ? item['_embedded']['payment'] : null
  const payment = kind === 'payment' ? item : isObject(embedded) ? embedded : {}
  const { code, description } = isObject(reason) ? reason : {}
  if (settled?.currency !== currency || !original || typeof id !== 'string' || typeof createdAt !== 'string')
    throw new Error('Mollie lists something in a settlement that we cannot read')
  const sign = kind === 'payment' || kind === 'capture' ? 1 : -1
  return {
    line: 'item',
    kind,
    id,
    payment: kind === 'payment' ? id : item['paymentId'],
    method: payment['method'] ?? null,
    attempt: attemptOf(item),
    amount: sign * Math.abs(settled.amount),
    original: { amount: sign * Math.abs(original.amount), currency: original.currency },
    at: createdAt,
    code: code ?? null,
    reason: description ?? null,
  }
}

/** What is in the settlement, and in none of its lists. */
const UNLISTED = ['applicationfee', 'authorizationreversal', 'kickback', 'rollingreserve', 'shiftedfee']

/** By year and month: what the payments cost, and what else was added or taken. */
function periodsOf({ periods }: Json): readonly object[] {
  const months = Object.values(isObject(periods) ? periods : {}).flatMap((year) =>
    Object.values(isObject(year) ? year : {}),
  )
  return months.filter(isObject).flatMap(({ costs, revenue }) => [
    ...entriesIn(costs).map(({ method, description, amount }) => ({
      line: 'cost',
      method,
      description,
      amount: -amount,
    })),
    ...entriesIn(revenue)
      .filter(({ method }) => UNLISTED.includes(String(method)))
      .map((entry) => ({ line: 'other', ...entry })),
  ])
}

function entriesIn(list: unknown) {
  return (Array.isArray(list) ? list.filter(isObject) : []).map(({ method, description, amountGross }) => {
    const gross = fromMollie(amountGross)
    if (!gross) throw new Error('Mollie states a cost that we cannot read')
    return { method: method ?? null, description: description ?? null, amount: gross.amount }
  })
}

function itemsIn({ _embedded: embedded }: Json, name: string): readonly Json[] | null {
  const items = isObject(embedded) ? embedded[name] : null
  return Array.isArray(items) && items.every(isObject) ? items : null
}

async function fetchObject(path: string, link: ReportLink): Promise<Json> {
  const body = await streamObject(link, `${originFor(link)}/v2/${path}`, { headers: headersOf(link) })
  if (body === null) throw notDelivered()
  return body
}

function notDelivered(): Error {
  return new Error('Mollie did not deliver the settlement')
}
