import { type Document, instrumentKindOf } from '../document.ts'
import { amountForMethod } from '../state.ts'
import type { Row } from '../store/payments.ts'
import type { Need } from './choose-services.ts'

type Payment = {
  readonly row: Pick<
    Row,
    'amount' | 'gift_card_amount' | 'currency' | 'country' | 'intent' | 'has_gift_card_redemptions'
  >
  readonly document: Pick<Document, 'instrument_type' | 'three_d_secure_data'>
  /** Whether money is held until a reviewer has decided. */
  readonly isForReview: boolean
  readonly isPartialAllowed: boolean
  readonly paymentServiceId: string | null
}

/** What a service must be able to do to take the payment. */
export function needOf({ row, document, isForReview, isPartialAllowed, paymentServiceId }: Payment): Need {
  return {
    amount: amountForMethod(row),
    currency: row.currency,
    country: row.country,
    instrument: instrumentKindOf(document.instrument_type ?? 'pan'),
    intent: row.intent,
    needsThreeDSecure: document.three_d_secure_data !== null,
    isSplit: row.has_gift_card_redemptions || isForReview,
    isPartialAllowed,
    paymentServiceId,
  }
}
