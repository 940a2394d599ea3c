import type { OutcomeOrder, TellAnswer } from '#connectors/contract/anti-fraud.ts'
import type { DisputeStage, Link } from '#connectors/contract/connector.ts'
import { methodOf, namesOf, postEvent, refusalIn, toMicros } from './wire.ts'

/** Tells Sift what became of an order that it has judged. Sift takes the same event twice as one. */
export async function tell(order: OutcomeOrder, link: Link): Promise<TellAnswer> {
  const event = eventOf(order)
  if (event === null) return { outcome: 'told' }
  const names = namesOf(order)
  // Sift knows a chargeback by its order alone.
  if (names === null && event['$type'] !== '$chargeback')
    return { outcome: 'refused', reason: 'Sift knows no buyer of this order' }
  const sent = await postEvent(link, '/v205/events', { ...event, $order_id: order.transactionId, ...names })
  if (sent === null) return { outcome: 'unavailable', reason: 'Sift could not be reached' }
  const refusal = refusalIn(sent.status, sent.body)
  if (!refusal) return { outcome: 'told' }
  const isForNow = refusal.outcome !== 'error' || sent.status === 401 || sent.status === 403
  return { outcome: isForNow ? 'unavailable' : 'refused', reason: refusal.reason }
}

type Event = Readonly<Record<string, unknown>>

/** Null: Sift has no event for it. */
function eventOf(order: OutcomeOrder): Event | null {
  const { outcome } = order
  switch (outcome.about) {
    case 'payment':
      return paymentEvent(order, outcome)
    case 'review':
      return { $type: '$order_status', $order_status: '$approved', $source: '$manual_review' }
    case 'refund':
      return isFraud(outcome.reason)
        ? { $type: '$order_status', $order_status: '$canceled', $reason: '$payment_risk' }
        : {
            ...moneyOf(order, outcome.amount),
            $transaction_type: '$refund',
            $transaction_status: '$success',
            $transaction_id: outcome.refundId,
          }
    case 'dispute': {
      const state = STATES[outcome.stage]
      if (!state) return null
      const reason = reasonOf(outcome.reason)
      return { $type: '$chargeback', $chargeback_state: state, ...(reason && { $chargeback_reason: reason }) }
    }
  }
}

type Payment = Extract<OutcomeOrder['outcome'], { about: 'payment' }>

function paymentEvent(order: OutcomeOrder, { status, isSale, amount, code, isRejected }: Payment): Event {
  // Nobody was asked for the money.
  if (isRejected && status !== 'authorized' && status !== 'captured')
    return { $type: '$order_status', $order_status: '$canceled', $reason: '$payment_risk' }
  if (status === 'voided') return { $type: '$order_status', $order_status: '$canceled', $reason: '$other' }
  const isRefused = status === 'declined' || status === 'failed'
  const category = isRefused && code !== null ? CATEGORIES[code] : undefined
  const type = status === 'captured' && !isSale ? '$capture' : isSale ? '$sale' : '$authorize'
  return {
    ...moneyOf(order, amount),
    $transaction_type: type,
    $transaction_status: isRefused ? '$failure' : '$success',
    $transaction_id: `${order.transactionId}-${type.slice(1)}`,
    ...(category && { $decline_category: category }),
  }
}

function moneyOf(order: OutcomeOrder, amount: number): Event {
  return {
    $type: '$transaction',
    $amount: toMicros(amount, order.minorUnits),
    $currency_code: order.currency,
    $payment_method: methodOf(order),
  }
}

const CATEGORIES: Readonly<Record<string, string>> = {
  suspected_fraud: '$fraud',
  canceled_payment_method: '$lost_or_stolen',
  issuer_decline: '$bank_decline',
  expired_payment_method: '$expired',
  insufficient_funds: '$insufficient_funds',
  incorrect_cvv: '$invalid_verification',
  invalid_payment_method: '$invalid',
  requires_buyer_authentication: '$additional_verification_required',
}

/** Before a chargeback no money moves, so Sift is told nothing. */
const STATES: Readonly<Partial<Record<DisputeStage, string>>> = {
  chargeback: '$received',
  second_chargeback: '$received',
  arbitration: '$disputed',
  won: '$won',
  lost: '$lost',
  expired: '$lost',
}

function isFraud(words: string | null): boolean {
  return words !== null && /fraud/i.test(words)
}

function reasonOf(words: string | null): string | null {
  if (words === null) return null
  if (isFraud(words)) return '$fraud'
  if (/duplicate/i.test(words)) return '$duplicate'
  return /not.?received/i.test(words) ? '$product_not_received' : '$other'
}
