import { findTransaction } from '#payments/find.ts'
import { explainDecision } from '#payments/routing/explain.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { TransactionDecision } from '../wire/decision.ts'

export function decisionRoutes(): Operation[] {
  return [
    operation({
      id: 'get_transaction_decision',
      route: 'GET /transactions/:transaction_id/decision',
      tag: 'Transactions',
      summary: 'Get transaction decision',
      description:
        'Why the payment went where it went, in words: the version of the rules, the rules that decided, the rules that were passed over and on which condition, and the payment services that were asked or skipped.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: TransactionDecision },
      handler: async (call) => {
        const scope = scopeOf(call)
        return explainDecision(scope, await findTransaction(scope, call.params.transaction_id))
      },
    }),
  ]
}
