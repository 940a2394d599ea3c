import { createdAt } from '#domain/ids.ts'
import { reconciliationId } from '#domain/reconciliation-id.ts'
import { showCreator } from '#resources/api-key-pairs/show-creator.ts'
import type { Refund } from '#resources/transactions/wire/refund.ts'
import type { StoredTransaction } from './store/payments.ts'
import type { StoredRefund } from './store/refunds.ts'

export function toRefund(
  transaction: Pick<StoredTransaction, 'id' | 'external_identifier'>,
  refund: StoredRefund,
): Refund {
  const { outcome } = refund
  return {
    type: 'refund',
    id: refund.id,
    reconciliation_id: reconciliationId(refund.id),
    external_identifier: refund.external_identifier,
    transaction_id: transaction.id,
    transaction_reconciliation_id: reconciliationId(transaction.id),
    transaction_external_identifier: transaction.external_identifier,
    payment_service_refund_id: refund.payment_service_refund_id,
    status: refund.status,
    currency: refund.currency,
    amount: refund.amount,
    reason: refund.reason,
    target_type: refund.target_type,
    target_id: refund.target_id,
    creator: showCreator(refund),
    error_code: refund.error_code,
    raw_response_code: outcome.raw_response_code ?? null,
    raw_response_description: outcome.raw_response_description ?? null,
    settled: refund.settled_currency !== null,
    settled_amount: Number(refund.settled_amount),
    settled_currency: refund.settled_currency,
    created_at: createdAt(refund.id).toISOString(),
    updated_at: refund.updated_at.toISOString(),
  }
}
