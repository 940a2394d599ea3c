import { errors } from '#platform/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/operation.ts'
import { Strict, Uuid } from '#platform/schemas.ts'
import { findTransaction } from '../find.ts'
import { Settlement, Settlements } from './schemas.ts'

/** Payment services tell of these in reports. None of our connectors has any yet. */
export function settlementRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_settlements',
      route: 'GET /transactions/:transaction_id/settlements',
      tag: 'Transactions',
      summary: 'List a transaction’s settlements',
      description:
        'They come from the reports of payment services. No connector of this version reads any, so the list is empty.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: Settlements },
      handler: async (call) => {
        await findTransaction(scopeOf(call), call.params.transaction_id)
        return { items: [] }
      },
    }),

    operation({
      id: 'get_transaction_settlement',
      route: 'GET /transactions/:transaction_id/settlements/:settlement_id',
      tag: 'Transactions',
      summary: 'Get a transaction’s settlement',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid(), settlement_id: Uuid() }),
      responses: { 200: Settlement },
      handler: async (call) => {
        await findTransaction(scopeOf(call), call.params.transaction_id)
        throw errors.notFound()
      },
    }),
  ]
}
