import { reportEnd, reportLine, streamObject } from '#connectors/contract/json-report.ts'
import type { ListAnswer, ReportFile, ReportLink, Reports } from '#connectors/contract/reports.ts'
import { parserFor } from './parse-report.ts'
import { type Body, isObject, type Sending, send, text, toRequest, urlOf } from './wire.ts'

/**
 * Stripe has no files: each automatic payout is one, made of the balance transactions that it pays out.
 * `type` is Stripe's name of the method. Lines of other methods count in the sums, and are another service's.
 */
export function reportsOf(type: string): Reports {
  return { list, read, parse: parserFor(type) }
}

const PAGE = 100
const PAGES_MAX = 20

/** The longest time for which a payout is known to be under way to its bank, with a margin. */
const UNDER_WAY_SECONDS = 45 * 86_400

async function list(since: Date, link: ReportLink): Promise<ListAnswer> {
  const files: ReportFile[] = []
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const created = { gte: Math.floor(since.getTime() / 1_000) - UNDER_WAY_SECONDS }
    const form = { created, limit: PAGE, starting_after: after }
    const reply = await send(link, { method: 'GET', path: '/v1/payouts', form })
    const found = reply.kind === 'object' ? pageIn(reply.body) : null
    if (!found) return unreachable(reply.kind === 'refusal' ? reply.status : null)
    files.push(...found.data.flatMap(toFile))
    after = text(found.data.at(-1)?.['id']) ?? undefined
    if (!found.hasMore || after === undefined) break
  }
  const published = files.filter(({ publishedAt }) => publishedAt >= since)
  return {
    outcome: 'listed',
    files: published.sort((one, other) => one.publishedAt.getTime() - other.publishedAt.getTime()),
    hasMore: false,
  }
}

/**
 * Only payouts that Stripe has made by itself, and whose transactions are complete. They are there once they arrive: one
 * to a bank abroad may be made earlier and arrive later than another.
 */
function toFile(payout: Body): readonly ReportFile[] {
  const { id, created, arrival_date: arrival, automatic, status, reconciliation_status: reconciled } = payout
  if (typeof id !== 'string' || typeof created !== 'number' || typeof arrival !== 'number') return []
  if (automatic !== true || status !== 'paid' || reconciled !== 'completed') return []
  return [{ id, name: `payout ${id}`, publishedAt: new Date(Math.max(created, arrival) * 1_000) }]
}

async function* read(fileId: string, link: ReportLink): AsyncGenerator<Uint8Array> {
  const payout = await fetchObject(link, { method: 'GET', path: `/v1/payouts/${encodeURIComponent(fileId)}` })
  if (payout['object'] !== 'payout' || payout['id'] !== fileId) throw notDelivered()
  yield fileHeader(payout)
  let count = 0
  let after: string | undefined
  do {
    const form = {
      payout: fileId,
      limit: PAGE,
      starting_after: after,
      expand: ['data.source', 'data.source.charge'],
    }
    const found = pageIn(await fetchObject(link, { method: 'GET', path: '/v1/balance_transactions', form }))
    if (!found) throw notDelivered()
    for (const transaction of found.data) {
      // The payout's own transaction takes the sum away: it is not part of it.
      if (transaction['type'] === 'payout') continue
      count += 1
      yield fileLine(transaction)
    }
    after = found.hasMore ? (text(found.data.at(-1)?.['id']) ?? undefined) : undefined
  } while (after !== undefined)
  yield reportEnd(count)
}

async function fetchObject(link: ReportLink, sending: Sending): Promise<Body> {
  const body = await streamObject(link, urlOf(link, sending), toRequest(link, sending))
  if (body === null) throw notDelivered()
  return body
}

function pageIn(body: Body): { readonly data: readonly Body[]; readonly hasMore: boolean } | null {
  const { object, data, has_more: hasMore } = body
  if (object !== 'list' || !Array.isArray(data) || !data.every(isObject) || typeof hasMore !== 'boolean')
    return null
  return { data, hasMore }
}

function notDelivered(): Error {
  return new Error('Stripe did not deliver the transactions of the payout')
}

function unreachable(status: number | null): ListAnswer {
  if (status === 401) return { outcome: 'unreachable', message: 'Stripe does not accept the secret key' }
  if (status === 403) {
    return { outcome: 'unreachable', message: 'the secret key may not read Payouts and Balance transactions' }
  }
  return { outcome: 'unreachable', message: 'Stripe gave no readable answer' }
}

/**
 * The lines that we write of a payout: JSON, one to a line, with the fields that settlement needs and none about the
 * buyer. The same payout gives the same bytes.
 */

function fileHeader({ id, amount, currency, arrival_date, destination }: Body): Buffer {
  return reportLine({ line: 'payout', id, amount, currency, arrival_date, destination: destination ?? null })
}

function fileLine(transaction: Body): Buffer {
  const { id, type, reporting_category, amount, fee, net, currency, exchange_rate, created, source } =
    transaction
  return reportLine({
    line: 'transaction',
    id,
    type,
    reporting_category,
    amount,
    fee,
    net,
    currency,
    exchange_rate: exchange_rate ?? null,
    created,
    source: isObject(source) ? shortSource(source) : null,
  })
}

function shortSource(source: Body): object {
  const { object, id, amount, currency, payment_intent, reason, network_reason_code } = source
  const charge = object === 'charge' ? source : isObject(source['charge']) ? source['charge'] : {}
  const details = isObject(charge['payment_method_details']) ? charge['payment_method_details'] : {}
  const metadata = isObject(source['metadata']) ? source['metadata'] : {}
  return {
    object,
    id,
    amount,
    currency,
    payment_intent: isObject(payment_intent) ? payment_intent['id'] : (payment_intent ?? null),
    method: details['type'] ?? null,
    attempt: metadata['attempt'] ?? null,
    reason: reason ?? null,
    network_reason_code: network_reason_code ?? null,
  }
}
