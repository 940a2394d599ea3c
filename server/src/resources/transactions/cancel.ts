import type { Scope, Tx } from '../../platform/db.ts'
import type { Engine } from '../../processing/engine.ts'
import * as auditLogs from '../audit-logs/store.ts'
import { dueIfLeft } from './attempts/due.ts'
import { reportOn } from './attempts/report.ts'
import * as attempts from './attempts/store.ts'
import { followUp } from './follow-up.ts'
import type { TransactionCancel } from './schemas.ts'
import type { Settled } from './settle.ts'
import { showTransaction } from './show.ts'
import type { StoredTransaction } from './store.ts'

/** Gives up a payment that is not decided yet. */
export function cancelTransaction(scope: Scope, engine: Engine, id: string): Promise<TransactionCancel> {
  return followUp(scope, engine, {
    operation: 'cancel',
    transactionId: id,
    begin: (tx, transaction) => beginCancel(tx, engine, transaction),
    show: showCancel,
  })
}

async function beginCancel(
  tx: Scope<Tx>,
  { providers }: Engine,
  { id, currency, amount, payment_service_id }: StoredTransaction,
): Promise<attempts.Attempt> {
  if (payment_service_id === null) throw new Error('a payment waits at no service')
  await auditLogs.record(tx, {
    action: 'canceled',
    resource: { type: 'transaction', id, name: `${currency} ${amount}` },
    merchantAccountId: tx.merchantAccountId,
  })
  return attempts.insert(tx, {
    transaction_id: id,
    operation: 'cancel',
    payment_service_id,
    amount,
    state: 'sent',
    dueAt: dueIfLeft(tx.clock(), providers.timeoutMs),
  })
}

async function showCancel(tx: Scope<Tx>, { transaction, attempt }: Settled): Promise<TransactionCancel> {
  const { status, ...report } = reportOn(attempt)
  return {
    type: 'transaction-cancel',
    status: status === 'declined' ? 'failed' : status,
    ...report,
    transaction: await showTransaction(tx, transaction),
  }
}
