import type { StoredSession } from '#resources/checkout/sessions/store.ts'
import type { TransactionCreate } from '../wire/transaction.ts'

type Settled = 'intent' | 'payment_source' | 'merchant_initiated' | 'is_subsequent_payment'

/** A request that leaves nothing open of how the payment comes about. */
export type ResolvedRequest = TransactionCreate & Required<Pick<TransactionCreate, Settled>>

/** What the request leaves out its checkout session says, and what that leaves out is as it is for most payments. */
export function resolveRequest(
  request: TransactionCreate,
  session: StoredSession | undefined,
): ResolvedRequest {
  return {
    ...request,
    country: request.country ?? session?.country ?? null,
    intent: request.intent ?? session?.intent ?? 'authorize',
    payment_source: request.payment_source ?? session?.payment_source ?? 'ecommerce',
    merchant_initiated: request.merchant_initiated ?? session?.merchant_initiated ?? false,
    is_subsequent_payment: request.is_subsequent_payment ?? session?.is_subsequent_payment ?? false,
  }
}
