import type { Capabilities } from '#connectors/contract/manifest.ts'
import type { Scope, Tx } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import type { Finished, Once } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Engine } from '#processing/engine.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import type { Refund, RefundCreate } from '#resources/transactions/wire/refund.ts'
import type { ConcludedPayment } from '../conclude/conclude.ts'
import { beginGiftCardRefund } from '../gift-cards/refund.ts'
import { toRefund } from '../show-refund.ts'
import { collectedOf, refundable } from '../state.ts'
import * as transactions from '../store/payments.ts'
import * as refunds from '../store/refunds.ts'
import { refuseOtherTarget } from './check-target.ts'
import { chooseCapture } from './choose-capture.ts'
import { followUp } from './follow-up.ts'
import { readAmount } from './read-amount.ts'

type Wanted = { readonly transactionId: string; readonly once: Once; readonly request: RefundCreate }

/** Refunds what was captured, whole or in parts. */
export async function createRefund(
  scope: Scope,
  engine: Engine,
  { transactionId, once, request }: Wanted,
): Promise<Finished<Refund>> {
  const isOfGiftCard = request.target_type === 'gift-card-redemption'
  // A refund that has begun under the same key is not refused afterwards.
  if (!isOfGiftCard && request.target_id && !once.begun) {
    await refuseOtherTarget(scope, transactionId, request.target_id)
  }
  let begun: Refund | undefined
  return followUp(scope, engine, {
    operation: 'refund',
    transactionId,
    once,
    ...(isOfGiftCard && { isOfGiftCard }),
    begin: async (tx, transaction, capabilities) => {
      const { refund, attempt } = isOfGiftCard
        ? await beginGiftCardRefund(tx, engine, transaction, request)
        : await beginRefund(tx, engine, transaction, { request, capabilities })
      begun = toRefund(transaction, refund)
      return attempt
    },
    show: showRefund,
    meanwhile: () => begun,
  })
}

type Begin = { readonly request: RefundCreate; readonly capabilities: Capabilities }

/**
 * A refund that is on its way counts as done. Of many refunds at once, only those begin that fit together.
 */
export async function beginRefund(
  tx: Scope<Tx>,
  { providers }: Engine,
  transaction: transactions.StoredTransaction,
  { request, capabilities }: Begin,
): Promise<{ readonly refund: refunds.StoredRefund; readonly attempt: attempts.PaymentAttempt }> {
  const { id, currency, payment_service_id, refunding_amount } = transaction
  if (payment_service_id === null) throw new Error('a captured payment has no service')
  const amount = readAmount(request, refundable(transaction))
  const whole = collectedOf(transaction)
  if (amount < whole && !capabilities.partialRefunds) {
    const message = `must be ${whole}: the payment service does not support partial refunds`
    throw errors.invalid(inBody('/amount', 'value_error.conflict', message))
  }
  const capture = await chooseCapture(tx, id, amount)
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
    capture_id: capture?.id ?? null,
  })
  await auditLogs.record(tx, 'created', { type: 'refund', id: refund.id, name: `${currency} ${amount}` })
  const attempt = await attempts.send(tx, providers, {
    transaction_id: id,
    kind: 'refund',
    subject_id: refund.id,
    service_id: payment_service_id,
    amount,
  })
  return { refund, attempt }
}

async function showRefund(tx: Scope<Tx>, { transaction, attempt }: ConcludedPayment): Promise<Refund> {
  const refund = await refunds.find(tx, attempt.subject_id ?? '')
  if (!refund) throw new Error('a refund was sent that is not on record')
  return toRefund(transaction, refund)
}
