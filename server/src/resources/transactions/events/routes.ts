import { findTransaction } from '#payments/find.ts'
import { findDecisionEvent } from '#payments/routing/find-decision.ts'
import * as transactionEvents from '#payments/store/events.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { TransactionEventFilters, TransactionEvents } from '../wire/event.ts'

export function transactionEventRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_transaction_events',
      route: 'GET /transactions/:transaction_id/events',
      tag: 'Transactions',
      summary: 'List transaction events',
      description:
        'The history of the transaction, newest first: each attempt at a payment service with its answer, and each change of status.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      query: TransactionEventFilters,
      responses: { 200: TransactionEvents },
      handler: async (call) => {
        const scope = scopeOf(call)
        const transaction = await findTransaction(scope, call.params.transaction_id)
        const kept = await findDecisionEvent(scope, transaction)
        return transactionEvents.list(scope, secrets, { transactionId: transaction.id, kept }, call.query)
      },
    }),
  ]
}
