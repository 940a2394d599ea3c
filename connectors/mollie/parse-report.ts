import { parserOf, wholeIn } from '#connectors/contract/json-report.ts'
import {
  type ReportHeader,
  type ReportLine,
  type ReportLineKind,
  type Reports,
  UnreadableReport,
} from '#connectors/contract/reports.ts'
import { decimalsOf } from './money.ts'
import { momentIn } from './read-payment.ts'
import { isObject, type Json } from './wire.ts'

const KINDS: Readonly<Record<string, ReportLineKind>> = {
  payment: 'settlement',
  capture: 'settlement',
  refund: 'refund_settlement',
  chargeback: 'chargeback',
}

/** Reads what `reports.ts` writes. All lines have to add up to what was paid out; those of the method are given. */
export function parserFor(method: string): Reports['parse'] {
  return parserOf({
    whole: 'settlement',
    toHeader,
    sumOf: 'amount',
    toLine: (fields, number, header) => toLine(fields, number, { method, header }),
  })
}

type Header = ReportHeader & { readonly settledAt: Date }

function toHeader(fields: Json, number: number): Header {
  const { line, id, balance, currency } = fields
  const settledAt = momentIn(fields['settledAt'])
  if (line !== 'settlement' || typeof id !== 'string' || typeof currency !== 'string' || !settledAt)
    throw new UnreadableReport(number, 'the file does not begin with a settlement')
  const account = typeof balance === 'string' ? balance : 'mollie'
  const date = settledAt.toISOString().slice(0, 10)
  return { type: 'header', reportId: id, date, account, currency, settledAt }
}

type Of = { readonly method: string; readonly header: Header }

/** Null if it is not about this method. */
function toLine(fields: Json, number: number, { method, header }: Of): ReportLine | null {
  const { line, kind, id, payment, attempt } = fields
  const isCost = line === 'cost'
  if (!isCost && line !== 'item' && line !== 'other') throw new UnreadableReport(number, 'this is no line')
  if (fields['method'] !== method) return null
  const amount = wholeIn(fields, 'amount', number)
  const meaning = isCost ? 'other' : KINDS[String(kind)]
  const postedAt = isCost ? header.settledAt : momentIn(fields['at'])
  if (!meaning || !postedAt) throw new UnreadableReport(number, 'the kind or the time cannot be read')
  // A capture without our mark was made by Mollie: the payment was captured in one step.
  const isOfPayment = kind === 'chargeback' || (kind === 'capture' && attempt === null)
  return {
    type: 'line',
    number,
    kind: meaning,
    id: textOf(id),
    reference: isCost ? null : textOf(isOfPayment ? payment : id),
    ourReference: textOf(attempt),
    amount: isCost ? 0 : amount,
    currency: header.currency,
    // Mollie states what all payments of a method cost, and not what each does.
    commission: isCost ? -amount : 0,
    interchange: null,
    markup: null,
    schemeFee: null,
    ...(isCost ? NO_EXCHANGE : exchangeOf(fields, number, header.currency)),
    postedAt,
    code: textOf(fields['code']),
    reason: textOf(isCost ? fields['description'] : fields['reason']),
  }
}

const NO_EXCHANGE = { original: null, exchangeRate: null }

function exchangeOf(
  fields: Json,
  number: number,
  currency: string,
): Pick<ReportLine, 'original' | 'exchangeRate'> {
  const original = isObject(fields['original']) ? fields['original'] : {}
  const { currency: other } = original
  if (typeof other !== 'string') throw new UnreadableReport(number, 'the original amount cannot be read')
  if (other === currency) return NO_EXCHANGE
  const amount = wholeIn(original, 'amount', number)
  if (amount === 0) throw new UnreadableReport(number, 'the original amount is nothing')
  const settled = wholeIn(fields, 'amount', number)
  return {
    original: { amount, currency: other },
    exchangeRate: (settled / amount) * 10 ** (decimalsOf(other) - decimalsOf(currency)),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
