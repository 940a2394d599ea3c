import type { Notification } from '#connectors/contract/connector.ts'
import { fromStripeAmount } from './currency.ts'
import { MAPPING } from './mapping.ts'
import { type Body, isObject, text } from './wire.ts'

const CATEGORIES = { chargeback: 'dispute', chargeback_reversal: 'dispute_reversal' } as const

/**
 * A step of a dispute, or what it has moved. Its status says the stage, and only the two events about funds move money: an inquiry is a
 * dispute, too. Null if it cannot be read; empty if it is about none of our payments.
 */
export function readDispute(
  about: 'dispute' | 'chargeback' | 'chargeback_reversal',
  object: Body,
  postedAt: Date,
): readonly Notification[] | null {
  const { amount, currency, reason, balance_transactions: movements } = object
  const dispute = text(object['id'])
  const status = text(object['status'])
  const isWhole = typeof amount === 'number' && typeof currency === 'string'
  if (object['object'] !== 'dispute' || dispute === null || status === null || !isWhole) return null
  const reference = intentOf(object)
  // A dispute of a charge without an intent is none of our payments.
  if (reference === null) return []
  const own = fromStripeAmount(amount, currency)
  if (own === null) return null
  const step = {
    dispute,
    reference,
    stage: MAPPING.disputeStages[status] ?? null,
    providerStage: status,
    amount: own,
    currency: currency.toUpperCase(),
    code: text(object['network_reason_code']) ?? text(reason),
    reason: text(reason),
    postedAt,
    respondBy: deadlineOf(object),
  }
  if (about === 'dispute') return [{ ...step, about }]
  const movement = (Array.isArray(movements) ? movements : [])
    .filter(isObject)
    .findLast((one) => one['reporting_category'] === CATEGORIES[about])
  return [{ ...step, about, id: text(movement?.['id']) }]
}

/** The buyer's bank has reported fraud. No money moves, and no answer is asked for. A dispute that follows has an id of its own. */
export function readWarning(object: Body, postedAt: Date): readonly Notification[] | null {
  const id = text(object['id'])
  if (object['object'] !== 'radar.early_fraud_warning' || id === null) return null
  const reference = intentOf(object)
  const type = text(object['fraud_type'])
  if (reference === null) return []
  return [
    {
      about: 'dispute',
      dispute: id,
      reference,
      stage: 'early_fraud_warning',
      providerStage: 'radar.early_fraud_warning.created',
      amount: null,
      currency: null,
      code: type,
      reason: type,
      postedAt,
    },
  ]
}

/** Our reference of the payment. */
function intentOf({ payment_intent: intent }: Body): string | null {
  return isObject(intent) ? text(intent['id']) : text(intent)
}

/** Null where the bank takes no answer. */
function deadlineOf({ evidence_details: details }: Body): Date | null {
  const dueBy = isObject(details) ? details['due_by'] : null
  return typeof dueBy === 'number' && Number.isSafeInteger(dueBy) ? new Date(dueBy * 1_000) : null
}
