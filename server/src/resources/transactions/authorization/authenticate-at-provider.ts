import type { Connector } from '#connectors/contract/connector.ts'
import type { AuthorizeOrder, Instrument } from '#connectors/contract/orders.ts'
import type { StoredService } from '#resources/payment-services/store.ts'
import type { StoredTransaction } from '../store.ts'

type Chosen = {
  readonly service: Pick<StoredService, 'three_d_secure_enabled'>
  readonly connector: Pick<Connector, 'manifest'>
}
type Payment = Pick<StoredTransaction, 'merchant_initiated' | 'payment_source' | 'document'>

export function isBuyerThere({
  merchant_initiated,
  payment_source,
}: Pick<Payment, 'merchant_initiated' | 'payment_source'>): boolean {
  return !merchant_initiated && payment_source !== 'moto'
}

/**
 * Whether the provider authenticates the buyer: the merchant or a rule wants it, and the buyer is there and can be sent to the
 * provider and back. Then our own 3-D Secure server is not asked.
 */
export function isDoneByProvider(payment: Payment, { service, connector }: Chosen): boolean {
  const wish = payment.document.flow?.three_d_secure
  const isWanted = wish === 'force' || (service.three_d_secure_enabled && wish !== 'skip')
  const canDoIt = isWanted && connector.manifest.capabilities.threeDSecureByProvider
  return canDoIt && isBuyerThere(payment) && payment.document.redirect_url !== null
}

type Asked = {
  readonly transaction: Payment
  readonly instrument: Instrument
  readonly threeDSecure: AuthorizeOrder['threeDSecure']
}

/** What the order says about 3-D Secure. A token with a cryptogram needs no other proof. */
export function wishOf(
  { transaction, instrument, threeDSecure }: Asked,
  chosen: Chosen,
): AuthorizeOrder['threeDSecure'] {
  const isCard = instrument.kind === 'card' || instrument.kind === 'provider-token'
  return threeDSecure ?? (isCard && isDoneByProvider(transaction, chosen) ? 'provider' : null)
}
