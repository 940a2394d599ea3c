import { findTransaction } from '#payments/find.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import * as history from '#processing/attempts/history.ts'
import { TransactionAttempts } from './schemas.ts'
import { showAttempt } from './show.ts'

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
