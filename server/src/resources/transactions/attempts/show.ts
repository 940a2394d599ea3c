import type { PaymentAttempt } from '#processing/attempts/store.ts'
import type { TransactionAttempt } from './schemas.ts'

export function showAttempt(attempt: PaymentAttempt): TransactionAttempt {
  return {
    type: 'transaction-attempt',
    id: attempt.id,
    transaction_id: attempt.transaction_id,
    operation: attempt.kind,
    subject_id: attempt.subject_id,
    service_id: attempt.service_id,
    amount: attempt.amount,
    status: attempt.state,
    payment_service_reference: attempt.reference,
    error_code: attempt.error_code,
    raw_response_code: attempt.raw_response_code,
    raw_response_description: attempt.raw_response_description,
    inquiries: attempt.checks,
    next_inquiry_at: attempt.due_at?.toISOString() ?? null,
    created_at: attempt.created_at.toISOString(),
    updated_at: attempt.updated_at.toISOString(),
  }
}
