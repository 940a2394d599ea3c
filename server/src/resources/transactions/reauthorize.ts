import { NOBODY } from '../../platform/auth.ts'
import { inTransaction, type Scope } from '../../platform/db.ts'
import { errors, inBody } from '../../platform/errors.ts'
import type { Engine } from '../../processing/engine.ts'
import * as merchantAccounts from '../merchant-accounts/store.ts'
import * as paymentMethods from '../payment-methods/store.ts'
import { createTransaction } from './create.ts'
import * as transactionEvents from './events/store.ts'
import type { Transaction, TransactionCaptureCreate, TransactionCreate } from './schemas.ts'
import { captureLimit } from './state.ts'
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
  if (!expired || !isExpired(expired)) return undefined
  const { payment_method_id: stored } = expired
  if (stored === null || !(await paymentMethods.find(scope, stored))) {
    throw errors.refused('The authorization has expired, and there is no stored payment method to use again.')
  }
  await refuseAmount(scope, expired, request)
  const paid = await createTransaction(scope, engine, {
    request: paymentOf(expired, stored, request),
    caller: NOBODY,
    address: '',
    reauthorizedFrom: expired,
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

/** Providers decline with the same code, so it alone does not say that there was an authorization. */
function isExpired({ status, error_code }: transactions.StoredTransaction): boolean {
  const isVoid = status === 'authorization_voided' || status === 'authorization_void_pending'
  return isVoid && error_code === 'expired_authorization'
}

/** The buyer has agreed to what was authorized, and to no more than could have been captured of it. */
async function refuseAmount(
  scope: Scope,
  { authorized_amount }: transactions.StoredTransaction,
  { amount }: TransactionCaptureCreate,
): Promise<void> {
  const over = await merchantAccounts.overCaptureOf(scope, scope.merchantAccountId)
  const limit = captureLimit(authorized_amount, over)
  if (typeof amount !== 'number' || amount <= limit) return
  const message = `more than can be captured: ${limit} is left`
  throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
}

function paymentOf(
  { authorized_amount, currency, country, external_identifier, document }: transactions.StoredTransaction,
  paymentMethodId: string,
  request: TransactionCaptureCreate,
): TransactionCreate {
  return {
    ...document.order,
    amount: request.amount ?? authorized_amount,
    currency,
    country,
    external_identifier,
    metadata: document.metadata as Record<string, string> | null,
    connection_options: document.connection_options as NonNullable<
      TransactionCreate['connection_options']
    > | null,
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
