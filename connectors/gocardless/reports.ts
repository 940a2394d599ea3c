import { parserOf, reportEnd, reportLine, streamObject, wholeIn } from '#connectors/contract/json-report.ts'
import {
  type ListAnswer,
  type ReportFile,
  type ReportHeader,
  type ReportLine,
  type ReportLineKind,
  type ReportLink,
  type Reports,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { headersOf, isId, type Json, linkIn, list, markOf, momentIn, originFor, pageOf } from './wire.ts'

/** A payout is a file, made of its items. `method` is ours: a service reads its own lines, and all lines count in the sum. */
export function reportsOf(method: string): Reports {
  return { list: listPayouts, read, parse: parserFor(method) }
}

const PAGE_SIZE = '500'

async function listPayouts(since: Date, link: ReportLink): Promise<ListAnswer> {
  const files: ReportFile[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(link, 'payouts', {
      'created_at[gte]': since.toISOString(),
      status: 'paid',
      payout_type: 'merchant',
      limit: PAGE_SIZE,
      ...(after !== null && { after }),
    })
    if (!page) return { outcome: 'unreachable', message: 'GoCardless did not list its payouts' }
    files.push(...page.items.flatMap(toFile))
    after = page.after
  } while (after !== null)
  const published = files.filter(({ publishedAt }) => publishedAt >= since)
  const inOrder = published.sort((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime())
  return { outcome: 'listed', files: inOrder, hasMore: false }
}

function toFile({ id, created_at: createdAt }: Json): readonly ReportFile[] {
  const publishedAt = momentIn(createdAt)
  return isId('PO', id) && publishedAt ? [{ id, name: `payout ${id}`, publishedAt }] : []
}

/** GoCardless counts fees in tenths of the smallest unit, and rounds the payout. */
const TENTHS = 10

/** What items mean. All others are fees of the payment that they name. */
const KINDS: Readonly<Record<string, ReportLineKind>> = {
  payment_paid_out: 'settlement',
  payment_failed: 'settlement',
  payment_charged_back: 'chargeback',
  payment_refunded: 'refund_settlement',
  refund_funds_returned: 'refund_settlement',
  refund: 'other',
  revenue_share: 'other',
}

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  if (!isId('PO', fileId)) throw new Error('this is no payout of GoCardless')
  const { payouts: payout } = await fetchObject(`payouts/${fileId}`, link)
  const { id, amount, currency, created_at: at } = (payout ?? {}) as Json
  const { creditor = null } = ((payout as Json)['links'] ?? {}) as Json
  if (id !== fileId || typeof amount !== 'number' || typeof at !== 'string') throw notDelivered()
  const whole = amount * TENTHS
  yield reportLine({ line: 'payout', id, at, creditor, currency, amount: whole })
  let count = 0
  let left = whole
  const payments = new Map<string, Json>()
  for await (const item of itemsOf(fileId, link)) {
    const payment = linkIn(item, 'payment')
    if (isId('PM', payment) && !payments.has(payment)) payments.set(payment, await paymentOf(payment, link))
    const line = shorten(item, payments.get(String(payment)) ?? {})
    left -= line.amount
    count += 1
    yield reportLine(line)
  }
  if (Math.abs(left) * 2 > TENTHS) throw new Error('the items do not add up to the payout')
  yield reportLine({ line: 'rounding', amount: left })
  yield reportEnd(count + 1)
}

async function* itemsOf(payout: string, link: ReportLink): AsyncGenerator<Json> {
  let after: string | null = null
  do {
    const query = new URLSearchParams({ payout, limit: PAGE_SIZE, ...(after !== null && { after }) })
    const page = pageOf(await fetchObject(`payout_items?${query}`, link), 'payout_items')
    if (!page) throw notDelivered()
    yield* page.items
    after = page.after
  } while (after !== null)
}

/** The mark says which service has made the payment, and what it was in its own currency. */
async function paymentOf(id: string, link: ReportLink): Promise<Json> {
  const { payments: payment } = await fetchObject(`payments/${id}`, link)
  return (payment ?? {}) as Json
}

function shorten(item: Json, payment: Json) {
  const { type, amount } = item
  const tenths = /^-?\d{1,15}(\.\d)?$/.test(String(amount)) ? Math.round(Number(amount) * TENTHS) : null
  if (tenths === null || typeof type !== 'string')
    throw new Error('GoCardless lists an item of a payout that we cannot read')
  const { id = null } = payment
  return {
    line: 'item',
    type,
    payment: id,
    refund: linkIn(item, 'refund') ?? null,
    method: markOf(payment, 'method'),
    attempt: type === 'payment_paid_out' ? markOf(payment, 'attempt') : null,
    amount: tenths,
  }
}

async function fetchObject(path: string, link: ReportLink): Promise<Json> {
  const body = await streamObject(link, `${originFor(link)}/${path}`, { headers: headersOf(link) })
  if (!body) throw notDelivered()
  return body
}

function notDelivered(): Error {
  return new Error('GoCardless did not deliver the payout')
}

type Header = ReportHeader & { readonly postedAt: Date }

function parserFor(method: string): Reports['parse'] {
  return parserOf<Header>({
    whole: 'payout',
    toHeader,
    sumOf: 'amount',
    toLine: (fields, number, header) => toLine(fields, number, { method, header }),
  })
}

function toHeader({ line, id, at, creditor, currency }: Json, number: number): Header {
  const postedAt = momentIn(at)
  if (line !== 'payout' || typeof id !== 'string' || typeof currency !== 'string' || !postedAt)
    throw new UnreadableReport(number, 'the file does not begin with a payout')
  const account = typeof creditor === 'string' ? creditor : 'gocardless'
  const date = postedAt.toISOString().slice(0, 10)
  return { type: 'header', reportId: id, date, account, currency, postedAt }
}

type Of = { readonly method: string; readonly header: Header }

/** Null if it is not about this method. */
function toLine(fields: Json, number: number, { method, header }: Of): ReportLine | null {
  const { line, type, payment, refund, attempt } = fields
  if (line !== 'item' && line !== 'rounding') throw new UnreadableReport(number, 'this is no line')
  const tenths = wholeIn(fields, 'amount', number)
  if (fields['method'] !== method) return null
  const named = KINDS[String(type)]
  // A chargeback that gives money was cancelled.
  const kind = named === 'chargeback' && tenths > 0 ? 'chargeback_reversal' : (named ?? 'other')
  const reference = textOf(kind === 'refund_settlement' ? refund : payment)
  const isFee = named === undefined
  return {
    type: 'line',
    number,
    kind: reference === null ? 'other' : kind,
    id: null,
    reference: isFee ? null : reference,
    ourReference: textOf(attempt),
    amount: isFee ? 0 : Math.round(tenths / TENTHS),
    currency: header.currency,
    commission: isFee ? Math.round(-tenths / TENTHS) : 0,
    interchange: null,
    markup: null,
    schemeFee: null,
    original: null,
    exchangeRate: null,
    postedAt: header.postedAt,
    code: null,
    reason: textOf(type),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
