import type { Notification } from '#connectors/contract/connector.ts'
import { fromWire } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { type Json, listIn, objectIn, textIn } from './wire.ts'

/**
 * An inquiry is a question of the buyer: no money moves. From the stage of a chargeback on, PayPal takes the money, and
 * gives it back if the seller wins. PayPal tells of a dispute several times; the server takes each movement once. PayPal
 * has no id for a movement in both its events and its reports, so there is none here: the capture and the amount tell.
 */
export function readDispute(dispute: Json, at: Date): readonly Notification[] | null {
  const [transaction] = listIn(dispute, 'disputed_transactions')
  const reference = textIn(transaction, 'seller_transaction_id')
  const stage = textIn(dispute, 'dispute_life_cycle_stage')
  const disputed = fromWire(dispute['dispute_amount'])
  if (reference === null || stage === null || !disputed) return null
  const end = objectIn(dispute, 'dispute_outcome')
  const outcome = MAPPING.disputeOutcomes[textIn(end, 'outcome_code') ?? ''] ?? 'nothing'
  const isInquiry = stage === 'INQUIRY'
  const isOver = textIn(dispute, 'status') === 'RESOLVED'
  if (isOver ? outcome === 'nothing' || (isInquiry && outcome === 'returned') : isInquiry) return []
  const refunded = isInquiry ? fromWire(end['amount_refunded']) : null
  const { amount, currency } = refunded ?? disputed
  return [
    {
      about: isOver && outcome === 'returned' ? 'chargeback_reversal' : 'chargeback',
      id: null,
      reference,
      attemptId: textIn(transaction, 'custom'),
      reconciliationId: textIn(transaction, 'invoice_number'),
      amount,
      currency,
      code: textIn(dispute, 'external_reason_code') ?? textIn(dispute, 'reason'),
      reason: textIn(dispute, 'reason'),
      postedAt: at,
      respondBy: momentIn(dispute, 'seller_response_due_date'),
    },
  ]
}

/** PayPal tells it while it waits for the seller. */
function momentIn(dispute: Json, name: string): Date | null {
  const at = new Date(textIn(dispute, name) ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}
