import { type Operation, operation, scopeOf } from '#platform/operation.ts'
import { Strict, Uuid } from '#platform/schemas.ts'
import { findTransaction } from '../find.ts'
import { Chargebacks } from './schemas.ts'

/** Payment services tell of these in reports. None of our connectors has any yet. */
export function chargebackRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_chargebacks',
      route: 'GET /transactions/:transaction_id/chargebacks',
      tag: 'Transactions',
      summary: 'List a transaction’s chargebacks',
      description:
        'They come from the reports of payment services. No connector of this version reads any, so the list is empty.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: Chargebacks },
      handler: async (call) => {
        await findTransaction(scopeOf(call), call.params.transaction_id)
        return { items: [] }
      },
    }),
  ]
}
