import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import { AMOUNT_MAX } from '#resources/transactions/wire/order.ts'
import type { TransactionAuthorizationIncrement } from '#resources/transactions/wire/transaction.ts'
import type { ConcludedPayment } from '../conclude/conclude.ts'
import { showTransaction } from '../show.ts'
import type { StoredTransaction } from '../store/payments.ts'
import { audit } from '../tell.ts'
import { followUp, reportOn } from './follow-up.ts'

/** Raises the authorized amount. */
export function incrementAuthorization(
  scope: Scope,
  engine: Engine,
  { id, once, amount }: { readonly id: string; readonly once: Once; readonly amount: number },
): Promise<Finished<TransactionAuthorizationIncrement>> {
  return followUp(scope, engine, {
    operation: 'increment',
    transactionId: id,
    once,
    begin: (tx, transaction) => reserve(tx, transaction, amount),
    show: showIncrement,
    isDecisionNeeded: true,
  })
}

async function reserve(tx: Scope<Tx>, transaction: StoredTransaction, added: number) {
  const { amount } = transaction
  if (added === 0) throw errors.invalid(inBody('/amount', 'value_error.number.not_ge', 'must be above 0'))
  if (amount + added > AMOUNT_MAX) {
    const message = `the whole amount cannot be above ${AMOUNT_MAX}`
    throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
  }
  await audit(tx, 'updated', transaction, amount + added)
  return { amount: added }
}

/** The API has no pending increments. The caller gets an error for an undecided one, never `failed`. */
async function showIncrement(
  tx: Scope<Tx>,
  { transaction, attempt }: ConcludedPayment,
): Promise<TransactionAuthorizationIncrement> {
  const { status, ...report } = reportOn(attempt)
  return {
    type: 'transaction-authorization-increment',
    status: status === 'succeeded' ? 'succeeded' : 'failed',
    ...report,
    transaction: await showTransaction(tx, transaction),
  }
}
