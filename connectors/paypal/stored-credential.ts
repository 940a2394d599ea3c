import type { AuthorizeOrder } from '#connectors/contract/orders.ts'

/** For a buyer's account at PayPal that the merchant charges without the buyer. */
export function walletCredential({ paymentSource, isMerchantInitiated }: AuthorizeOrder) {
  if (!isMerchantInitiated) return {}
  const isRecurring = paymentSource === 'recurring' || paymentSource === 'installment'
  const usage_pattern = isRecurring ? 'RECURRING_PREPAID' : 'DEFERRED'
  return { stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT', usage_pattern } } as const
}

/** For credentials on file. PayPal has no field for orders by mail or telephone. */
export function cardCredential(order: AuthorizeOrder) {
  const { paymentSource, isMerchantInitiated, isSubsequentPayment, previousSchemeTransactionId: id } = order
  if (paymentSource === 'ecommerce' || paymentSource === 'moto') {
    if (!isMerchantInitiated && !isSubsequentPayment) return {}
  }
  const isRecurring = paymentSource === 'recurring' || paymentSource === 'installment'
  const isLater = isSubsequentPayment || isMerchantInitiated
  // PayPal knows the first payment of its own tokens.
  const isOurs = order.instrument.kind !== 'provider-token'
  const hasPrevious = isLater && isOurs && id !== null && NETWORK_ID.test(id)
  return {
    stored_credential: {
      payment_initiator: isMerchantInitiated ? 'MERCHANT' : 'CUSTOMER',
      payment_type: isRecurring ? 'RECURRING' : isMerchantInitiated ? 'UNSCHEDULED' : 'ONE_TIME',
      usage: isLater ? 'SUBSEQUENT' : 'FIRST',
      ...(hasPrevious && { previous_network_transaction_reference: { id } }),
    },
  } as const
}

const NETWORK_ID = /^[a-zA-Z0-9\-_@.:&+=*^'~#!$%()]{9,36}$/
