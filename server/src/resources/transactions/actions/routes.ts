import { findTransaction } from '#payments/find.ts'
import { findDecision } from '#payments/routing/find-decision.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { TransactionActions } from './schemas.ts'

/** What rules decided about a payment. */
export function actionRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_actions',
      route: 'GET /transactions/:transaction_id/actions',
      tag: 'Transactions',
      summary: 'List transaction actions',
      description:
        'The rules that decided about the transaction, and their outcomes. Empty if no rule matched.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: TransactionActions },
      handler: async (call) => {
        const scope = scopeOf(call)
        const decision = await findDecision(scope, await findTransaction(scope, call.params.transaction_id))
        const items = (decision?.steps ?? []).flatMap(({ flow, action, rule_id, outcome }) =>
          rule_id === null || outcome === null
            ? []
            : [
                {
                  type: 'action' as const,
                  id: action,
                  flow,
                  rule_id,
                  created_at: decision?.at ?? '',
                  outcome,
                },
              ],
        )
        return { items }
      },
    }),
  ]
}
