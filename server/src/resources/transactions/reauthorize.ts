import { NOBODY } from '../../platform/auth.ts'
import { inTransaction, type Scope } from '../../platform/db.ts'
import { errors } from '../../platform/errors.ts'
import type { Engine } from '../../processing/engine.ts'
import { createTransaction } from './create.ts'
import * as transactionEvents from './events/store.ts'
import type { Transaction, TransactionCaptureCreate, TransactionCreate } from './schemas.ts'
import * as transactions from './store.ts'

/**
 * An authorization that has expired holds nothing any more. Where the merchant wants it, what was to be captured is
 * paid anew with the stored method, as a payment of its own that points back. Undefined when there is no need.
 */
export async function reauthorizeIfExpired(
  scope: Scope,
  engine: Engine,
  id: string,
  request: TransactionCaptureCreate,
): Promise<Transaction | undefined> {
  if (!request.reauthorize_if_authorization_expired) return undefined
  const expired = await transactions.find(scope, id)
  if (expired?.error_code !== 'expired_authorization') return undefined
  if (expired.payment_method_id === null) {
    throw errors.refused('The authorization has expired, and there is no stored payment method to use again.')
  }
  const paid = await createTransaction(scope, engine, {
    request: paymentOf(expired, expired.payment_method_id, request),
    caller: NOBODY,
    address: '',
    reauthorizedFrom: id,
  })
  await inTransaction(scope, async (tx) => {
    const context = { reauthorized_transaction_id: paid.id }
    await transactionEvents.record(tx, id, [{ name: 'reauthorization-attempted', context }])
    await transactionEvents.record(tx, paid.id, [
      { name: 'reauthorization-created', context: { reauthorized_from_transaction_id: id } },
    ])
  })
  return paid
}

function paymentOf(
  {
    amount,
    authorized_amount,
    currency,
    country,
    external_identifier,
    document,
  }: transactions.StoredTransaction,
  paymentMethodId: string,
  request: TransactionCaptureCreate,
): TransactionCreate {
  return {
    ...document.order,
    amount: request.amount ?? (authorized_amount || amount),
    currency,
    country,
    external_identifier,
    metadata: document.metadata as Record<string, string> | null,
    payment_method: { method: 'id', id: paymentMethodId },
    intent: 'capture',
    payment_source: 'card_on_file',
    merchant_initiated: true,
    is_subsequent_payment: true,
    store: false,
    async_capture: false,
    account_funding_transaction: false,
    allow_partial_authorization: false,
    ...(request.cart_items && { cart_items: request.cart_items }),
    ...(request.airline && { airline: request.airline }),
  }
}
