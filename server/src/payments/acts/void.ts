import type { Capabilities } from '#connectors/contract/manifest.ts'
import { inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Engine } from '#processing/engine.ts'
import type { Transaction, TransactionVoid } from '#resources/transactions/wire/transaction.ts'
import { doWhatIsQueued } from '../attempts/resolve.ts'
import type { ConcludedPayment } from '../conclude/conclude.ts'
import { findTransaction } from '../find.ts'
import { giveBack, isGiftCardsOnly, lockHeld } from '../gift-cards/redemptions.ts'
import { showTransaction } from '../show.ts'
import * as state from '../state.ts'
import * as transactions from '../store/payments.ts'
import { audit, recordStatus } from '../tell.ts'
import { DONE, followUp, reportOn } from './follow-up.ts'

type Wanted = { readonly id: string; readonly once: Once; readonly isReportWanted: boolean }

/**
 * Releases the authorized amount that is not captured. Answers with the transaction, or with a report on the
 * void.
 */
export async function voidTransaction(
  scope: Scope,
  engine: Engine,
  wanted: Wanted,
): Promise<Finished<Transaction | TransactionVoid>> {
  const { id, once, isReportWanted } = wanted
  const found = await transactions.find(scope, id)
  if (found && isGiftCardsOnly(found)) return voidGiftCards(scope, engine, wanted)
  return followUp<Transaction | TransactionVoid>(scope, engine, {
    operation: 'void',
    transactionId: id,
    once,
    begin: reserve,
    show: (tx, concluded) =>
      isReportWanted ? showVoid(tx, concluded) : showTransaction(tx, concluded.transaction),
  })
}

/**
 * After this no capture can begin: the database refuses a capture beside a void, and one of released money.
 */
async function reserve(
  tx: Scope<Tx>,
  transaction: transactions.StoredTransaction,
  capabilities: Capabilities,
) {
  const { authorized_amount, captured_amount } = transaction
  const isRemainder = captured_amount > 0
  if (isRemainder && !capabilities.remainderVoids) {
    throw errors.refused(
      'Make a final capture to release the rest, or let it expire: the payment service cannot void it.',
    )
  }
  const amount = isRemainder ? state.remainderOf(transaction) : authorized_amount
  const change = isRemainder ? { released_amount: amount, capture_limit: authorized_amount } : state.VOIDING
  const after = await transactions.change(tx, transaction, change)
  await recordStatus(tx, transaction.status, after)
  await audit(tx, 'voided', transaction, amount)
  return { amount }
}

/** Commits the void together with the refunds of its gift cards, then waits for those before answering. */
async function voidGiftCards(
  scope: Scope,
  engine: Engine,
  { id, once, isReportWanted }: Wanted,
): Promise<Finished<Transaction | TransactionVoid>> {
  if (!once.begun) {
    await inTransaction(scope, async (tx) => {
      await audit(tx, 'voided', await giveBack(tx, engine, await lockHeld(tx, id, 'voided')))
      await once.begin(tx, id)
    })
  }
  await doWhatIsQueued(scope, engine, id)
  return inFinalTransaction(scope, once, async (tx) => {
    const transaction = await showTransaction(tx, await findTransaction(tx, id))
    return isReportWanted ? { type: 'transaction-void', ...DONE, transaction } : transaction
  })
}

async function showVoid(tx: Scope<Tx>, { transaction, attempt }: ConcludedPayment): Promise<TransactionVoid> {
  return {
    type: 'transaction-void',
    ...reportOn(attempt),
    transaction: await showTransaction(tx, transaction),
  }
}
