import { type ErrorDetail, inBody } from '#platform/errors.ts'
import type { PaymentSource } from '../wire/order.ts'

type Credentials = {
  readonly payment_source: PaymentSource
  readonly merchant_initiated: boolean
  readonly is_subsequent_payment: boolean
  readonly store: boolean
  /** The payment method is stored already. */
  readonly isStored: boolean
  /** The payment method could be stored. */
  readonly isStorable: boolean
}

/** The card schemes' rules for cards on file: who may initiate a payment, and when the card has to be stored. */
export function checkCredentials(given: Credentials): ErrorDetail[] {
  const { payment_source: source, merchant_initiated, is_subsequent_payment, store } = given
  const isSeries = source === 'recurring' || source === 'installment'
  if (merchant_initiated && !isSeries && source !== 'card_on_file') {
    return [
      inBody(
        '/is_subsequent_payment',
        'value_error.conflict',
        'a merchant cannot initiate a payment of this source; use recurring, installment or card_on_file',
      ),
    ]
  }
  if (merchant_initiated && isSeries && !is_subsequent_payment) {
    return [
      inBody(
        '/is_subsequent_payment',
        'value_error.conflict',
        'the first payment of a series is initiated by the buyer: leave merchant_initiated out',
      ),
    ]
  }
  if (given.isStored && store) {
    return [inBody('/store', 'value_error.conflict', 'the payment method is stored already')]
  }
  // Some methods have nothing to store: a token for each payment, or a page where the buyer pays.
  const isKept = store || given.isStored || !given.isStorable
  if (isSeries && !merchant_initiated && !is_subsequent_payment && !isKept) {
    return [
      inBody(
        '/store',
        'value_error.conflict',
        'the first payment of a series has to store the card: set store to true',
      ),
    ]
  }
  return []
}
