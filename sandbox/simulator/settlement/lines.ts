import type { BatchEntry } from '../store.ts'
import type { Batch } from './batches.ts'
import { CHARGEBACK_FEES, type Fees, feesOf, givenBack, NO_FEES } from './fees.ts'
import { convert } from './rates.ts'

/** A row of a file. Amounts above zero are for the merchant. */
export type Line = Fees & {
  readonly kind: 'settlement' | 'refund_settlement' | 'chargeback' | 'chargeback_reversal'
  readonly id: string
  readonly reference: string
  readonly ourReference: string
  /** What is settled, and what the buyer paid. They differ only after an exchange. */
  readonly amount: number
  readonly originalAmount: number
  readonly code: string | null
  readonly reason: string | null
}

/** What an entry becomes in the file: one line, unless the merchant asked for something else. */
export function linesOf(entry: BatchEntry, { exchangeFactor, fault }: Batch): Line[] {
  const line = lineOf(entry, (amount) => (exchangeFactor === null ? amount : convert(amount, exchangeFactor)))
  const isPayment = line.kind === 'settlement' && line.amount > 1
  if (isPayment && fault === 'partial_lines') return inTwo(line)
  if (isPayment && fault === 'off_by_one') return [{ ...line, amount: line.amount - 1 }]
  return [line]
}

/** A line about a payment that the merchant does not have. */
export function strayLineOf({ id }: Batch): Line {
  return {
    ...feesOf(1_000),
    kind: 'settlement',
    // The same each time that the file is read.
    id: `${id.slice(0, 8)}-0000-4000-8000-${id.slice(24)}`,
    reference: `${id.slice(0, 8)}-0000-4000-8000-${id.slice(24)}`,
    ourReference: `unknown-${id.slice(24)}`,
    amount: 1_000,
    originalAmount: 1_000,
    code: null,
    reason: null,
  }
}

function lineOf(entry: BatchEntry, exchange: (amount: number) => number): Line {
  const { operation, reference, authorizationReference, subjectReference } = entry
  const amount = exchange(entry.amount)
  const shape = {
    id: reference,
    reference: authorizationReference ?? reference,
    ourReference: entry.subjectAttemptId ?? entry.attemptId,
    code: entry.code,
    reason: entry.description,
  }
  const taken = { amount: -amount, originalAmount: -entry.amount }
  const given = { amount, originalAmount: entry.amount }
  const own = { ...shape, reference, code: null, reason: null }
  switch (operation) {
    case 'refund':
      return { ...own, ...taken, ...NO_FEES, kind: 'refund_settlement' }
    case 'chargeback':
      return { ...shape, ...taken, ...CHARGEBACK_FEES, kind: 'chargeback' }
    case 'chargebackReversal':
      return { ...shape, ...given, ...NO_FEES, kind: 'chargeback_reversal' }
    case 'lateFailure': {
      const about = { ...shape, reference: subjectReference ?? reference }
      return entry.code === 'refund_failed'
        ? { ...about, ...given, ...NO_FEES, kind: 'refund_settlement' }
        : { ...about, ...taken, ...givenBack(feesOf(amount)), kind: 'settlement' }
    }
    default:
      return { ...own, ...given, ...feesOf(amount), kind: 'settlement' }
  }
}

/** The second line has the fees. */
function inTwo(line: Line): Line[] {
  const half = Math.floor(line.amount / 2)
  const originalHalf = Math.floor(line.originalAmount / 2)
  return [
    { ...line, ...NO_FEES, amount: half, originalAmount: originalHalf },
    {
      ...line,
      id: `${line.id}-2`,
      amount: line.amount - half,
      originalAmount: line.originalAmount - originalHalf,
    },
  ]
}
