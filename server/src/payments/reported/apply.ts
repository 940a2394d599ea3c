import type { PaymentLineKind, ReportLineKind } from '#connectors/contract/reports.ts'
import type { EventName } from '#domain/event-names.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { laterThan } from '#platform/process/clock.ts'
import * as events from '#resources/events/store.ts'
import type { StoredLine } from '#resources/payment-service-reports/lines/columns.ts'
import { toRefund, toTarget } from '../show.ts'
import { collectedOf } from '../state.ts'
import * as transactionEvents from '../store/events.ts'
import { addReported, type OneOfMany, type Reported } from '../store/payments.ts'
import * as refunds from '../store/refunds.ts'

/** A line of a report and the payment, as locked, that it is about. */
export type Matched = {
  readonly line: StoredLine
  readonly transaction: OneOfMany
  readonly refund: refunds.StoredRefund | undefined
}

/**
 * What lines of reports change about their payments, with the history and the events that tell of it. Takes a `Tx`: the
 * lines are recorded in the same commit, so that each is applied once.
 */
export async function applyReported(tx: Scope<Tx>, matched: readonly Matched[]): Promise<void> {
  if (matched.length === 0) return
  const now = tx.clock()
  const payments = [...Map.groupBy(matched, ({ transaction }) => transaction.id).values()].map((lines) =>
    sumOfPayment(lines, now),
  )
  const settled = matched.filter(({ refund }) => refund !== undefined)
  const refunded = [...Map.groupBy(settled, ({ refund }) => refund?.id).values()].flatMap((lines) =>
    sumOfRefund(lines, now),
  )
  await addReported(
    tx,
    payments.map(({ reported }) => reported),
  )
  await refunds.addSettled(
    tx,
    refunded.map(({ reported }) => reported),
  )
  await transactionEvents.recordAll(tx, matched.map(historyOf))
  await events.publishAll(tx, [...payments.flatMap(toldOfPayment), ...refunded.flatMap(toldOfRefund)])
}

/** What the settlements of a payment should add up to. */
export function toBeSettled(transaction: OneOfMany): number {
  return collectedOf(transaction)
}

/** What the lines of one payment add up to. */
function sumOfPayment(lines: readonly Matched[], now: Date) {
  const [{ transaction }] = lines as [Matched]
  const settlements = lines.filter(({ line }) => line.kind === 'settlement')
  const reported: Reported = {
    id: transaction.id,
    amount: sumOf(settlements),
    currency: settlements[0]?.line.currency ?? null,
    // A reversal may come before its chargeback.
    isDisputed: lines.some(({ line }) => TOLD[line.kind] !== undefined),
    updatedAt: laterThan(transaction, now),
  }
  return { transaction, lines, reported }
}

/** A refund's settlements take money from the merchant. What is shown of a refund is above zero. */
function sumOfRefund(lines: readonly Matched[], now: Date) {
  const [{ transaction, refund, line }] = lines as [Matched]
  if (!refund) return []
  const reported = {
    id: refund.id,
    amount: 0 - sumOf(lines),
    currency: line.currency,
    updatedAt: laterThan(refund, now),
  }
  return [{ transaction, refund, reported }]
}

function sumOf(lines: readonly Matched[]): number {
  return lines.reduce((sum, { line }) => sum + Number(line.amount), 0)
}

const TOLD: Readonly<Partial<Record<ReportLineKind, EventName>>> = {
  chargeback: 'transaction.charged-back',
  chargeback_reversal: 'transaction.chargeback-reversed',
}

/** One event of a name for each payment, also if several lines say the same. */
function toldOfPayment({ transaction, lines, reported }: ReturnType<typeof sumOfPayment>) {
  // A settlement that is taken back has the events of the capture that failed.
  const settled: EventName[] = reported.amount > 0 ? ['transaction.settled'] : []
  const names = new Set([...settled, ...lines.flatMap(({ line }) => TOLD[line.kind] ?? [])])
  return [...names].map((name) => ({ name, target: targetAfter(transaction, reported) }))
}

/** The payment in these events says what has arrived, too. */
function targetAfter(before: OneOfMany, reported: Reported): events.Target {
  const currency = before.settled_currency ?? reported.currency
  return {
    ...toTarget({ ...before, updated_at: reported.updatedAt }),
    settled: currency !== null,
    settled_amount: Number(before.settled_amount) + reported.amount,
    settled_currency: currency,
    disputed: before.disputed || reported.isDisputed,
  }
}

type RefundSum = ReturnType<typeof sumOfRefund>[number]

function toldOfRefund({ transaction, refund, reported }: RefundSum) {
  if (reported.amount <= 0) return []
  const after = {
    ...refund,
    settled_amount: String(Number(refund.settled_amount) + reported.amount),
    settled_currency: refund.settled_currency ?? reported.currency,
    updated_at: reported.updatedAt,
  }
  return [{ name: 'refund.settled' as const, target: toRefund(transaction, after) }]
}

const HISTORY = {
  settlement: 'payment-connector-report-transaction-settled',
  refund_settlement: 'payment-connector-report-refund-settled',
  chargeback: 'payment-connector-report-chargeback-posted',
  chargeback_reversal: 'payment-connector-report-chargeback-reversal-posted',
} as const satisfies Record<PaymentLineKind, transactionEvents.NewEvent['name']>

function historyOf({ line, transaction, refund }: Matched) {
  const context = {
    id: line.id,
    payment_service_id: line.payment_service_id,
    payment_service_report_id: line.report_id,
    payment_service_report_file_id: line.file_id,
    ...(refund && { refund_id: refund.id }),
    amount: Number(line.amount),
    currency: line.currency,
    commission: Number(line.commission),
    ...(line.reason_code !== null && { code: line.reason_code }),
    ...(line.reason_description !== null && { description: line.reason_description }),
    // As a text: a time that has to be asked for its text costs more than all the rest.
    posted_at: line.posted_at.toISOString(),
  }
  if (line.kind === 'other') throw new Error('a line about no payment has found one')
  return { transactionId: transaction.id, name: HISTORY[line.kind], context }
}
