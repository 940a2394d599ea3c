import type { Scope, Tx } from '../../platform/db.ts'
import type { Engine } from '../../processing/engine.ts'
import * as auditLogs from '../audit-logs/store.ts'
import { dueIfLeft } from './attempts/due.ts'
import { reportOn } from './attempts/report.ts'
import type { Settled } from './attempts/settle.ts'
import * as attempts from './attempts/store.ts'
import { recordStatus } from './events/tell.ts'
import { followUp } from './follow-up.ts'
import type { Transaction, TransactionVoid } from './schemas.ts'
import { showTransaction } from './show.ts'
import * as transactions from './store.ts'

/** Lets go of what was authorized and not captured. Answers with the transaction, or with a report on the void. */
export function voidTransaction(
  scope: Scope,
  engine: Engine,
  id: string,
  isReportWanted: boolean,
): Promise<Transaction | TransactionVoid> {
  return followUp<Transaction | TransactionVoid>(scope, engine, {
    operation: 'void',
    transactionId: id,
    begin: (tx, transaction) => beginVoid(tx, engine, transaction),
    show: (tx, settled) =>
      isReportWanted ? showVoid(tx, settled) : showTransaction(tx, settled.transaction),
  })
}

/** From here on no capture can begin: the database refuses one beside a void. */
async function beginVoid(
  tx: Scope<Tx>,
  { providers }: Engine,
  transaction: transactions.StoredTransaction,
): Promise<attempts.Attempt> {
  const { id, currency, authorized_amount, payment_service_id } = transaction
  if (payment_service_id === null) throw new Error('a payment was authorized by no service')
  const after = await transactions.change(tx, transaction, { status: 'authorization_void_pending' })
  await recordStatus(tx, transaction.status, after)
  await auditLogs.record(tx, {
    action: 'voided',
    resource: { type: 'transaction', id, name: `${currency} ${authorized_amount}` },
    merchantAccountId: tx.merchantAccountId,
  })
  return attempts.insert(tx, {
    transaction_id: id,
    operation: 'void',
    payment_service_id,
    amount: authorized_amount,
    state: 'sent',
    dueAt: dueIfLeft(tx.clock(), providers.timeoutMs),
  })
}

async function showVoid(tx: Scope<Tx>, { transaction, attempt }: Settled): Promise<TransactionVoid> {
  return {
    type: 'transaction-void',
    ...reportOn(attempt),
    transaction: await showTransaction(tx, transaction),
  }
}
