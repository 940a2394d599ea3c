import type { Link, Notification } from '#connectors/contract/connector.ts'
import { fromWire } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { type Json, listIn, objectIn, part, send, textIn } from './wire.ts'

/** A string says why PayPal has to send the message again. Null: the resource cannot be read. */
export type Told = readonly Notification[] | string | null

/**
 * Every message is a step of the dispute. An inquiry is a question of the buyer: no money moves. From the stage of a chargeback on,
 * PayPal takes the money, and gives it back if the seller wins. PayPal tells of a dispute several times, and has no id for a
 * movement in both its events and its reports: so a chargeback is known by its capture, its amount, and when the dispute began.
 */
export function readDispute(type: string, dispute: Json, at: Date): Told {
  const [transaction] = listIn(dispute, 'disputed_transactions')
  const reference = textIn(transaction, 'seller_transaction_id')
  const id = textIn(dispute, 'dispute_id')
  const phase = textIn(dispute, 'dispute_life_cycle_stage')
  const disputed = fromWire(dispute['dispute_amount'])
  if (reference === null || id === null || phase === null || !disputed) return null
  const end = objectIn(dispute, 'dispute_outcome')
  const outcome = textIn(dispute, 'status') === 'RESOLVED' ? (textIn(end, 'outcome_code') ?? 'NONE') : null
  const result = outcome === null ? null : (MAPPING.disputeOutcomes[outcome] ?? 'nothing')
  const moves = movementOf(phase, result)
  const refunded = phase === 'INQUIRY' && moves ? fromWire(end['amount_refunded']) : null
  const step = {
    dispute: id,
    reference,
    attemptId: textIn(transaction, 'custom'),
    reconciliationId: textIn(transaction, 'invoice_number'),
    ...(refunded ?? disputed),
    stage: result === null ? (MAPPING.disputeStages[phase] ?? null) : STAGES[result],
    providerStage: outcome ?? phase,
    code: textIn(dispute, 'external_reason_code') ?? textIn(dispute, 'reason'),
    reason: textIn(dispute, 'reason'),
    respondBy: momentIn(dispute, 'seller_response_due_date'),
  }
  const told = { ...step, about: 'dispute', postedAt: at } as const
  // The end is told by an event of its own. Later ones about the same dispute repeat it.
  if (moves === null || (moves === 'chargeback_reversal' && type !== 'CUSTOMER.DISPUTE.RESOLVED'))
    return [told]
  const postedAt = moves === 'chargeback' ? (momentIn(dispute, 'create_time') ?? at) : at
  return [told, { ...step, about: moves, id: null, postedAt }]
}

const STAGES = { taken: 'lost', returned: 'won', nothing: null } as const

/** What happens to the seller's money. A buyer who wins an inquiry gets it back at its end. */
function movementOf(phase: string, result: keyof typeof STAGES | null) {
  if (result === 'taken') return 'chargeback'
  if (phase === 'INQUIRY' || result === 'nothing') return null
  return result === 'returned' ? 'chargeback_reversal' : 'chargeback'
}

/** Null: PayPal does not say. It tells until when it waits for the seller while it waits. */
function momentIn(dispute: Json, name: string): Date | null {
  const at = new Date(textIn(dispute, name) ?? '')
  return Number.isNaN(at.getTime()) ? null : at
}

/**
 * PayPal takes the money of a capture back by itself: after a dispute, whose own events tell it with its reason, or because
 * the buyer's bank did not pay. So PayPal is asked whether there is a dispute.
 */
export async function readReversal(resource: Json, at: Date, link: Link): Promise<Told> {
  const up = textIn(
    listIn(resource, 'links').find(({ rel }) => rel === 'up'),
    'href',
  )
  // The resource is what went back, as of a refund, or the capture itself.
  const reference = up?.match(/\/payments\/captures\/([A-Z0-9]+)$/)?.[1] ?? textIn(resource, 'id')
  const money = fromWire(resource['amount'])
  if (reference === null || !money) return null
  const isDisputed = await hasDispute(reference, link)
  if (isDisputed === null) return 'PayPal does not say whether there is a dispute; send the message again'
  if (isDisputed) return []
  return [
    {
      about: 'chargeback',
      id: null,
      reference,
      attemptId: textIn(resource, 'custom_id'),
      reconciliationId: textIn(resource, 'invoice_id'),
      ...money,
      code: 'PAYMENT.CAPTURE.REVERSED',
      reason: textIn(objectIn(resource, 'status_details'), 'reason'),
      postedAt: at,
      respondBy: null,
    },
  ]
}

/** Null: PayPal gives no answer. An app without the feature *Customer disputes* is told of none. */
async function hasDispute(captureId: string, link: Link): Promise<boolean | null> {
  const path = `/v1/customer/disputes?disputed_transaction_id=${part(captureId)}`
  const reply = await send(link, { method: 'GET', path })
  if (reply.kind !== 'answer') return null
  if (reply.status === 403) return false
  return reply.status === 200 ? listIn(reply.body, 'items').length > 0 : null
}
