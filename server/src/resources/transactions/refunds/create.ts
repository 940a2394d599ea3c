import type { Capabilities } from '../../../../../connectors/contract/manifest.ts'
import type { Scope, Tx } from '../../../platform/db.ts'
import { errors, inBody } from '../../../platform/errors.ts'
import type { Engine } from '../../../processing/engine.ts'
import * as auditLogs from '../../audit-logs/store.ts'
import { dueIfLeft } from '../attempts/due.ts'
import type { Settled } from '../attempts/settle.ts'
import * as attempts from '../attempts/store.ts'
import { followUp } from '../follow-up.ts'
import { beginGiftCardRefund } from '../gift-card-redemptions/refund.ts'
import { refundable } from '../state.ts'
import * as transactions from '../store.ts'
import { refuseOtherTarget } from './check-target.ts'
import { NothingLeftError } from './nothing-left.ts'
import type { Refund, RefundCreate } from './schemas.ts'
import { toRefund } from './show.ts'
import * as refunds from './store.ts'

/** Gives back what was captured, whole or in parts. */
export async function createRefund(
  scope: Scope,
  engine: Engine,
  transactionId: string,
  request: RefundCreate,
): Promise<Refund> {
  let begun: Refund | undefined
  const onBegun = (transaction: transactions.StoredTransaction, refund: refunds.StoredRefund) => {
    begun = toRefund(transaction, refund)
  }
  const rest = { operation: 'refund', transactionId, show: showRefund, meanwhile: () => begun } as const
  if (request.target_type === 'gift-card-redemption') {
    return followUp(scope, engine, {
      ...rest,
      isOfGiftCard: true,
      begin: (tx, transaction) => beginGiftCardRefund(tx, engine, transaction, { request, onBegun }),
    })
  }
  // What was begun under the same key is not refused afterwards.
  if (request.target_id && !scope.begun) await refuseOtherTarget(scope, transactionId, request.target_id)
  return followUp(scope, engine, {
    ...rest,
    begin: (tx, transaction, capabilities) =>
      beginRefund(tx, engine, transaction, { request, capabilities, onBegun }),
  })
}

type Begin = {
  readonly request: RefundCreate
  readonly capabilities: Capabilities
  readonly onBegun: (transaction: transactions.StoredTransaction, refund: refunds.StoredRefund) => void
}

/** What is on its way counts as gone: of many refunds at once, only those that fit together begin. */
async function beginRefund(
  tx: Scope<Tx>,
  { providers }: Engine,
  transaction: transactions.StoredTransaction,
  { request, capabilities, onBegun }: Begin,
): Promise<attempts.Attempt> {
  const { id, currency, payment_service_id, refunding_amount } = transaction
  if (payment_service_id === null) throw new Error('a payment was captured by no service')
  const amount = request.amount ?? refundable(transaction)
  refuseAmount(transaction, amount, { isNamed: typeof request.amount === 'number', capabilities })
  await transactions.change(tx, transaction, { refunding_amount: refunding_amount + amount })
  const refund = await refunds.insert(tx, {
    transaction_id: id,
    payment_service_id,
    amount,
    currency,
    target_type: 'payment-method',
    target_id: transaction.payment_method_id,
    reason: request.reason ?? null,
    external_identifier: request.external_identifier ?? null,
  })
  onBegun(transaction, refund)
  await auditLogs.record(tx, {
    action: 'created',
    resource: { type: 'refund', id: refund.id, name: `${currency} ${amount}` },
    merchantAccountId: tx.merchantAccountId,
  })
  return attempts.insert(tx, {
    transaction_id: id,
    operation: 'refund',
    subject_id: refund.id,
    payment_service_id,
    amount,
    state: 'sent',
    dueAt: dueIfLeft(tx.clock(), providers.timeoutMs),
  })
}

function refuseAmount(
  transaction: transactions.StoredTransaction,
  amount: number,
  { isNamed, capabilities }: { readonly isNamed: boolean; readonly capabilities: Capabilities },
): void {
  const rest = refundable(transaction)
  if (!isNamed && rest === 0) throw new NothingLeftError()
  if (amount > rest) {
    const message = `more than is left to refund: ${rest}`
    throw errors.invalid(inBody('/amount', 'value_error.number.not_le', message))
  }
  if (amount === 0) throw errors.invalid(inBody('/amount', 'value_error.number.not_ge', 'must be above 0'))
  if (amount < transaction.captured_amount && !capabilities.partialRefunds) {
    const message = `the payment service refunds all or nothing: ${transaction.captured_amount}`
    throw errors.invalid(inBody('/amount', 'value_error.conflict', message))
  }
}

async function showRefund(tx: Scope<Tx>, { transaction, attempt }: Settled): Promise<Refund> {
  const refund = await refunds.find(tx, attempt.subject_id ?? '')
  if (!refund) throw new Error('a refund was sent that is not on record')
  return toRefund(transaction, refund)
}
