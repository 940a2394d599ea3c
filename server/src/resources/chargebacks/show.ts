import { createdAt } from '#domain/ids.ts'
import type { StoredDispute } from '#resources/payment-service-reports/lines/disputes.ts'
import type { ChargebackCase } from './schemas.ts'

export function toCase(row: StoredDispute): ChargebackCase {
  return {
    type: 'chargeback-case',
    id: row.id,
    merchant_account_id: row.merchant_account_id,
    transaction_id: row.transaction_id ?? '',
    transaction_external_identifier: row.transaction_external_identifier,
    status: row.status,
    currency: row.currency,
    amount: Number(row.amount),
    reason_code: row.reason_code,
    reason_description: row.reason_description,
    respond_by: row.respond_by?.toISOString() ?? null,
    answer: answerOf(row),
    returned_at: row.returned_at?.toISOString() ?? null,
    posted_at: row.posted_at.toISOString(),
    created_at: createdAt(row.id).toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

function answerOf({ answered_at, answered_by, answered_by_name, answer_note }: StoredDispute) {
  if (answered_at === null) return null
  return {
    note: answer_note,
    author: { id: answered_by, name: answered_by_name ?? '' },
    created_at: answered_at.toISOString(),
  }
}
