import { UNREADABLE } from '#connectors/contract/reports.ts'
import { minorUnitsOf } from '#domain/currency.ts'
import type { Matched } from '#payments/reported/apply.ts'
import * as transactions from '#payments/store/payments.ts'
import * as refunds from '#payments/store/refunds.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import * as history from '#processing/attempts/history.ts'
import { nextCheck } from '#processing/attempts/store.ts'
import type { StoredLine, UnmatchedBecause } from '../lines/columns.ts'
import { objectionTo } from './decide-match.ts'
import { type Candidate, findPayments } from './find-payments.ts'

/** Providers round the rates that they tell. */
const TOLERANCE = 0.0001

/** How long a line without a payment is looked at again. After that it stays in the operator's list. */
const GIVE_UP_DAYS = 30

/** Other objections do not go away. */
const MAY_CHANGE: readonly UnmatchedBecause[] = ['unknown_reference', 'not_decided', 'not_succeeded']

export type Looked = {
  /** The lines, each with its payment or with the reason why none fits. */
  readonly lines: StoredLine[]
  readonly matched: Matched[]
}

/** Finds the payments of lines, and locks them in the order of their ids. */
export async function matchLines(
  tx: Scope<Tx> & { readonly paymentServiceId: string },
  lines: readonly StoredLine[],
): Promise<Looked> {
  const candidates = await findPayments(tx, lines)
  const known = candidates.filter((candidate) => candidate !== undefined)
  const payments = byId(await transactions.lockMany(tx, idsOf(known.map((one) => one.transactionId))))
  const ofRefunds = known.flatMap(({ refundId }) => refundId ?? [])
  const refunded = byId(await refunds.lockMany(tx, idsOf(ofRefunds)))
  const lateSales = await history.listReleased(
    tx,
    known.flatMap((candidate) => outsideOf(payments.get(candidate.transactionId), candidate)),
  )
  const matched: Matched[] = []
  // Two lines of one payment decide together in which currency it is settled.
  const settledIn = new Map<string, string>()
  const looked = lines.map((line, place) => {
    // Fees, payouts and the like are about no payment.
    if (line.kind === 'other')
      return line.reason_code === UNREADABLE ? unmatched(tx.clock(), line, 'unreadable') : line
    const candidate = candidates[place]
    const payment = payments.get(candidate?.transactionId ?? '')
    const refund = refunded.get(candidate?.refundId ?? '')
    const objection = objectionTo(line, {
      candidate,
      payment: withSettled(payment, settledIn),
      refund: withSettled(refund, settledIn),
      isLateSale: lateSales.has(candidate?.sale?.attemptId ?? ''),
    })
    if (objection !== null || !payment) return unmatched(tx.clock(), line, objection ?? 'unknown_reference')
    const own = line.kind === 'refund_settlement' ? refund : line.kind === 'settlement' ? payment : undefined
    if (own) settledIn.set(own.id, line.currency)
    const about = line.kind === 'refund_settlement' ? refund : undefined
    const found = {
      ...line,
      transaction_id: payment.id,
      refund_id: about?.id ?? null,
      unmatched_because: null,
      flag: isOtherExchange(line) ? ('other_exchange' as const) : null,
      due_at: null,
    }
    matched.push({ line: found, transaction: payment, refund: about })
    return found
  })
  return { lines: looked, matched }
}

/** A sale that is not the one by which the payment was paid. It may have come too late. */
function outsideOf(payment: Matched['transaction'] | undefined, { transactionId, sale }: Candidate) {
  const isOwn =
    payment !== undefined &&
    payment.authorized_amount > 0 &&
    payment.payment_service_transaction_id === sale?.reference
  return sale && !isOwn ? [{ id: sale.attemptId, transaction_id: transactionId }] : []
}

function withSettled<Row extends { readonly id: string; readonly settled_currency: string | null }>(
  row: Row | undefined,
  settledIn: ReadonlyMap<string, string>,
): Row | undefined {
  const settled_currency = settledIn.get(row?.id ?? '')
  // A payment has many columns, and hardly any has two lines in a batch.
  return row && settled_currency !== undefined ? { ...row, settled_currency } : row
}

function unmatched(now: Date, line: StoredLine, because: UnmatchedBecause): StoredLine {
  const ageMs = now.getTime() - line.ingested_at.getTime()
  const isOver = ageMs > GIVE_UP_DAYS * 86_400_000 || !MAY_CHANGE.includes(because)
  return { ...line, unmatched_because: because, due_at: isOver ? null : nextCheck(now, line.checks) }
}

function idsOf(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}

type Exchanged = Pick<
  StoredLine,
  'amount' | 'currency' | 'original_amount' | 'original_currency' | 'exchange_rate'
>

/** Whether the amount is not what the rate makes of what the buyer paid, but for rounding. */
function isOtherExchange(line: Exchanged): boolean {
  const { original_amount, original_currency, exchange_rate } = line
  if (original_amount === null || original_currency === null || exchange_rate === null) return false
  const [digits, originalDigits] = [minorUnitsOf(line.currency), minorUnitsOf(original_currency)]
  if (digits === undefined || originalDigits === undefined) return false
  const expected = Number(original_amount) * exchange_rate * 10 ** (digits - originalDigits)
  return Math.abs(Number(line.amount) - expected) > 1 + Math.abs(expected) * TOLERANCE
}
