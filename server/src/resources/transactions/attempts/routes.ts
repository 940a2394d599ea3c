import { findTransaction } from '#payments/find.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import * as history from '#processing/attempts/history.ts'
import type { PaymentAttempt } from '#processing/attempts/store.ts'
import { type TransactionAttempt, TransactionAttempts } from './schemas.ts'

export function attemptRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_attempts',
      route: 'GET /transactions/:transaction_id/attempts',
      tag: 'Transactions',
      summary: 'List transaction attempts',
      description:
        'What was asked of payment services and gift card services for the transaction, and what is known of each outcome, newest first. ' +
        'Its exchanges say how it was asked. The newest 100.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: TransactionAttempts },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { id } = await findTransaction(scope, call.params.transaction_id)
        const items = (await history.newestOf(scope, id, LIMIT)).map(showAttempt)
        return { items, limit: LIMIT, next_cursor: null, previous_cursor: null }
      },
    }),
  ]
}

/** Few payments have ten. */
const LIMIT = 100

function showAttempt(attempt: PaymentAttempt): TransactionAttempt {
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
