import { toRefund } from '#payments/show.ts'
import * as transactions from '#payments/store/payments.ts'
import * as refunds from '#payments/store/refunds.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operationsOf, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { Refund, RefundFilters, Refunds } from '#resources/transactions/wire/refund.ts'
import { listRefunds } from './list.ts'

const operation = operationsOf({ tag: 'Refunds', scope: 'transactions.read', concerns: 'merchant-account' })

/** The same refunds as below their transactions, for callers that do not know the transaction. */
export const refundByIdRoutes: readonly Operation[] = [
  operation({
    id: 'list_refunds',
    route: 'GET /refunds',
    summary: 'List refunds',
    description: 'Refunds of all transactions, newest first. Lists the refunds that match all filters.',
    isList: true,
    query: RefundFilters,
    responses: { 200: Refunds },
    handler: ({ context, reach, query }) => listRefunds(context, reach, query),
  }),

  operation({
    id: 'get_refund',
    route: 'GET /refunds/:refund_id',
    summary: 'Get refund',
    params: Strict({ refund_id: Uuid() }),
    responses: { 200: Refund },
    handler: async (call) => {
      const scope = scopeOf(call)
      const refund = await refunds.find(scope, call.params.refund_id)
      const transaction = refund && (await transactions.find(scope, refund.transaction_id))
      if (!refund || !transaction) throw errors.notFound()
      return toRefund(transaction, refund)
    },
  }),
]
