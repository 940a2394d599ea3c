import type { Scope, Tx } from '#platform/database/db.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type * as transactions from '../store/payments.ts'

/** Later payments with a stored card refer to the buyer's own payment. */
export async function rememberForSeries(
  tx: Scope<Tx>,
  { payment_method_id, merchant_initiated, payment_method_scheme, outcome }: transactions.StoredTransaction,
): Promise<void> {
  if (payment_method_id === null || merchant_initiated || !outcome.scheme_transaction_id) return
  await paymentMethods.update(tx, payment_method_id, {
    scheme_transaction_id: outcome.scheme_transaction_id,
    scheme_transaction_id_scheme: payment_method_scheme as paymentMethods.StoredMethod['scheme'],
    ...(outcome.transaction_link_id && { transaction_link_id: outcome.transaction_link_id }),
  })
}
