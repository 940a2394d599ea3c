import { parserOf, wholeIn } from '#connectors/contract/json-report.ts'
import {
  type ReportHeader,
  type ReportLine,
  type ReportLineKind,
  type Reports,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { fromStripeAmount, stripeDecimalsOf } from './currency.ts'
import { type Body, isObject, text } from './wire.ts'

/** What a balance transaction is to us, by `type` and `reporting_category`. Others are fees, reserves, transfers. */
export const LINE_KINDS: Readonly<Record<string, ReportLineKind>> = {
  'charge charge': 'settlement',
  'payment charge': 'settlement',
  'payment_failure_refund charge_failure': 'settlement',
  'payment_reversal charge_failure': 'settlement',
  'refund refund': 'refund_settlement',
  'payment_refund refund': 'refund_settlement',
  'refund_failure refund_failure': 'refund_settlement',
  'adjustment dispute': 'chargeback',
  'adjustment dispute_reversal': 'chargeback_reversal',
}

/** Reads what `reports.ts` writes. Lines of other methods and of fees count in the payout's sum only. */
export function parserFor(method: string): Reports['parse'] {
  return parserOf({
    whole: 'payout',
    toHeader,
    sumOf: 'net',
    toLine: (fields, number) => toLine(fields, number, method),
  })
}

function toHeader(fields: Body, number: number): ReportHeader {
  const { line, id, currency, arrival_date: arrival } = fields
  if (line !== 'payout' || typeof id !== 'string' || typeof arrival !== 'number') {
    throw new UnreadableReport(number, 'the file does not begin with a payout')
  }
  return {
    type: 'header',
    reportId: id,
    date: new Date(arrival * 1_000).toISOString().slice(0, 10),
    account: text(fields['destination']) ?? 'stripe',
    currency: currencyOf(currency, number),
  }
}

/** Null if it is not about a payment of this method. */
function toLine(fields: Body, number: number, method: string): ReportLine | null {
  if (fields['line'] !== 'transaction') throw new UnreadableReport(number, 'this is no transaction')
  const kind = LINE_KINDS[`${fields['type']} ${fields['reporting_category']}`]
  const { source } = fields
  if (kind === undefined || !isObject(source) || source['method'] !== method) return null
  const reference = text(kind === 'refund_settlement' ? source['id'] : source['payment_intent'])
  // Charges without an intent were not made by us.
  if (reference === null) return null
  const currency = currencyOf(fields['currency'], number)
  const created = fields['created']
  if (typeof created !== 'number') throw new UnreadableReport(number, 'the time cannot be read')
  const isDispute = kind === 'chargeback' || kind === 'chargeback_reversal'
  return {
    type: 'line',
    number,
    kind,
    id: text(fields['id']),
    reference,
    ourReference: text(source['attempt']),
    amount: ownAmount(wholeIn(fields, 'amount', number), currency, number),
    currency,
    commission: ownAmount(wholeIn(fields, 'fee', number), currency, number),
    interchange: null,
    markup: null,
    schemeFee: null,
    ...exchangeOf(fields, source, number),
    postedAt: new Date(created * 1_000),
    code: isDispute ? (text(source['network_reason_code']) ?? text(source['reason'])) : null,
    reason: isDispute ? text(source['reason']) : null,
  }
}

/** Stripe's rate is between its own amounts. Ours is between whole units, as people state it. */
function exchangeOf(
  fields: Body,
  source: Body,
  number: number,
): Pick<ReportLine, 'original' | 'exchangeRate'> {
  const { exchange_rate: rate } = fields
  if (rate === null) return { original: null, exchangeRate: null }
  if (typeof rate !== 'number' || !(rate > 0)) {
    throw new UnreadableReport(number, 'the exchange rate cannot be read')
  }
  const settled = currencyOf(fields['currency'], number)
  const currency = currencyOf(source['currency'], number)
  const amount = wholeIn(fields, 'amount', number)
  const stated = Math.sign(amount) * wholeIn(source, 'amount', number)
  // A capture of a part, or a part of a dispute: Stripe states the whole, and the rate tells the part.
  const own = Math.round(stated * rate) === amount ? stated : Math.round(amount / rate)
  return {
    original: { amount: ownAmount(own, currency, number), currency },
    exchangeRate: rate * 10 ** (stripeDecimalsOf(currency) - stripeDecimalsOf(settled)),
  }
}

function ownAmount(amount: number, currency: string, number: number): number {
  const own = fromStripeAmount(amount, currency)
  if (own === null) throw new UnreadableReport(number, `an amount in ${currency} is not in its minor units`)
  return own
}

function currencyOf(value: unknown, number: number): string {
  if (typeof value === 'string' && /^[a-z]{3}$/.test(value)) return value.toUpperCase()
  throw new UnreadableReport(number, 'the currency cannot be read')
}
