import { errors } from '#platform/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/operation.ts'
import { Strict, Uuid } from '#platform/schemas.ts'
import { findTransaction } from '../find.ts'
import { RefundSettlement, RefundSettlements } from './schemas.ts'

/** Payment services tell of these in reports. None of our connectors has any yet. */
export function refundSettlementRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_refund_settlements',
      route: 'GET /transactions/:transaction_id/refund-settlements',
      tag: 'Transactions',
      summary: 'List a transaction’s refund settlements',
      description:
        'They come from the reports of payment services. No connector of this version reads any, so the list is empty.',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: RefundSettlements },
      handler: async (call) => {
        await findTransaction(scopeOf(call), call.params.transaction_id)
        return { items: [] }
      },
    }),

    operation({
      id: 'get_transaction_refund_settlement',
      route: 'GET /transactions/:transaction_id/refund-settlements/:settlement_id',
      tag: 'Transactions',
      summary: 'Get a transaction’s refund settlement',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid(), settlement_id: Uuid() }),
      responses: { 200: RefundSettlement },
      handler: async (call) => {
        await findTransaction(scopeOf(call), call.params.transaction_id)
        throw errors.notFound()
      },
    }),
  ]
}
