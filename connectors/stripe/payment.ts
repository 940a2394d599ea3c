import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { descriptionOf, descriptorOf, shippingOf } from './buyer-details.ts'
import { toStripeAmount } from './currency.ts'
import { type Body, isObject } from './wire.ts'

/** What every payment intent has in common, whatever the method. `amount` is in Stripe's units. */
export function paymentForm(order: AuthorizeOrder, amount: number, options: Body) {
  return {
    amount,
    currency: order.currency.toLowerCase(),
    confirm: true,
    capture_method: order.intent === 'capture' ? ('automatic' as const) : ('manual' as const),
    metadata: metadataOf(order),
    description: descriptionOf(order),
    shipping: shippingOf(order.shipping),
    expand: ['latest_charge'],
    ...connectForm(order, options),
  }
}

/** `attempt` is how a payment is found again, `reconciliation` how its settlement is. */
export function metadataOf({ attemptId, transactionId, reconciliationId }: AuthorizeOrder) {
  return { attempt: attemptId, transaction: transactionId, reconciliation: reconciliationId }
}

/** Cards alone: other methods take the whole descriptor from the account. */
export function suffixOf(order: AuthorizeOrder) {
  return { statement_descriptor_suffix: descriptorOf(order) }
}

/** For platforms: the merchant's options of Stripe Connect. `stripe_account` is a header. */
function connectForm({ currency }: AuthorizeOrder, options: Body) {
  const connect = isObject(options['stripe_connect']) ? options['stripe_connect'] : {}
  const { application_fee_amount: fee, on_behalf_of, transfer_data_destination, transfer_group } = connect
  return {
    application_fee_amount:
      typeof fee === 'number' ? (toStripeAmount(fee, currency) ?? undefined) : undefined,
    on_behalf_of: textOr(on_behalf_of),
    transfer_data:
      typeof transfer_data_destination === 'string' ? { destination: transfer_data_destination } : undefined,
    transfer_group: textOr(transfer_group),
    customer: textOr(options['customer_id']),
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
