import { type Operation, operation, scopeOf } from '#platform/operation.ts'
import { Strict, Uuid } from '#platform/schemas.ts'
import { findTransaction } from '../find.ts'
import { TransactionActions } from './schemas.ts'

/** Decisions of rules. There are no rules yet: services are chosen by position. */
export function actionRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_actions',
      route: 'GET /transactions/:transaction_id/actions',
      tag: 'Transactions',
      summary: 'List transaction actions',
      description:
        'The decisions of rules about the transaction. There are no rules yet: payment services are chosen by position, and the list is empty.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: TransactionActions },
      handler: async (call) => {
        await findTransaction(scopeOf(call), call.params.transaction_id)
        return { items: [] }
      },
    }),
  ]
}
