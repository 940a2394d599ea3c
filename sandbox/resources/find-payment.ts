import type { StoredTransaction } from '#payments/store/payments.ts'
import * as transactions from '#payments/store/payments.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'

type Named = { readonly transaction_id: string; readonly paymentServiceId: string }

/** A payment at a payment service. A payment of another account is not found. */
export async function findPayment(scope: Scope, named: Named): Promise<StoredTransaction> {
  const transaction = await transactions.find(scope, named.transaction_id)
  const complain = (type: 'value_error.not_found' | 'value_error.conflict', message: string) =>
    errors.invalid(inBody('/transaction_id', type, message))
  if (!transaction) throw complain('value_error.not_found', 'there is no such transaction')
  if (transaction.payment_service_id !== named.paymentServiceId) {
    throw complain('value_error.conflict', 'name the payment service of this transaction: it has another one')
  }
  return transaction
}
