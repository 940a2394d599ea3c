import type { Books } from './books.ts'
import { type Dispute, newDispute, newWarning } from './money-objects.ts'
import type { Charge } from './objects.ts'
import { settle } from './settle-money.ts'
import { conflict, missing } from './stripe-error.ts'

const FEE = 1_500
const DAYS_TO_ANSWER = 7

/**
 * A buyer's bank takes a payment back. An inquiry (`warning_needs_response`) moves no money yet.
 * Source: https://docs.stripe.com/disputes/how-disputes-work
 */
export function openDispute(
  books: Books,
  charge: Charge,
  { reason, amount }: { readonly reason: string; readonly amount: number },
): Dispute {
  const isInquiry = reason === 'inquiry'
  const dispute = newDispute({
    id: books.id('du'),
    created: books.seconds(),
    amount,
    currency: charge.currency,
    charge: charge.id,
    payment_intent: charge.payment_intent,
    reason: isInquiry ? 'fraudulent' : reason,
    status: isInquiry ? 'warning_needs_response' : 'needs_response',
    due_by: books.seconds() + DAYS_TO_ANSWER * 24 * 60 * 60,
  })
  books.disputes.set(dispute.id, dispute)
  charge.disputed = true
  books.emit('charge.dispute.created', dispute)
  if (!isInquiry) withdraw(books, dispute)
  return dispute
}

/** The bank goes on: an inquiry becomes a dispute, and takes the money. The bank looks at evidence that it was given. */
export function moveDispute(books: Books, id: string, act: 'escalate' | 'answer'): Dispute {
  const dispute = findDispute(books, id)
  const isInquiry = dispute.status === 'warning_needs_response'
  if (!isInquiry && (act === 'escalate' || dispute.status !== 'needs_response')) {
    throw conflict('status_transition_invalid', 'This dispute is not at a stage where that can happen.')
  }
  const answered = isInquiry ? 'warning_under_review' : 'under_review'
  dispute.status = act === 'escalate' ? 'needs_response' : answered
  books.emit('charge.dispute.updated', dispute)
  if (act === 'escalate') withdraw(books, dispute)
  return dispute
}

/** The buyer's bank reports fraud, and takes nothing yet. Source: https://docs.stripe.com/api/radar/early_fraud_warnings */
export function warnOfFraud(books: Books, charge: Charge): object {
  const warning = newWarning({
    id: books.id('issfr'),
    created: books.seconds(),
    charge: charge.id,
    payment_intent: charge.payment_intent,
  })
  books.emit('radar.early_fraud_warning.created', warning)
  return warning
}

/** The end of a dispute. If the merchant wins, the money comes back. */
export function closeDispute(books: Books, id: string, outcome: 'won' | 'lost'): Dispute {
  const dispute = findDispute(books, id)
  if (['won', 'lost', 'warning_closed'].includes(dispute.status)) {
    throw conflict('status_transition_invalid', 'This dispute is already closed.')
  }
  const isInquiry = dispute.status.startsWith('warning')
  if (isInquiry && outcome === 'lost') {
    withdraw(books, dispute)
    dispute.status = 'lost'
  } else if (isInquiry) {
    dispute.status = 'warning_closed'
  } else {
    dispute.status = outcome
    if (outcome === 'won') reinstate(books, dispute)
  }
  books.emit('charge.dispute.closed', dispute)
  return dispute
}

export function findDispute(books: Books, id: string): Dispute {
  const dispute = books.disputes.get(id)
  if (!dispute) throw missing('dispute', id, 'dispute')
  return dispute
}

function withdraw(books: Books, dispute: Dispute): void {
  const { id, amount, currency } = dispute
  const transaction = settle(books, {
    type: 'adjustment',
    category: 'dispute',
    source: id,
    amount: -amount,
    currency,
    fee: FEE,
  })
  dispute.balance_transactions.push(transaction)
  books.emit('charge.dispute.funds_withdrawn', dispute)
}

function reinstate(books: Books, dispute: Dispute): void {
  const { id, amount, currency } = dispute
  const transaction = settle(books, {
    type: 'adjustment',
    category: 'dispute_reversal',
    source: id,
    amount,
    currency,
    fee: -FEE,
  })
  dispute.balance_transactions.push(transaction)
  books.emit('charge.dispute.funds_reinstated', dispute)
}
