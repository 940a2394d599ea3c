import { findTransaction } from '#payments/find.ts'
import { toCapture } from '#payments/show.ts'
import * as captures from '#payments/store/captures.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { Capture, Captures } from '../wire/capture.ts'

const TAG = 'Transactions'

export function captureRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_captures',
      route: 'GET /transactions/:transaction_id/captures',
      tag: TAG,
      summary: 'List transaction captures',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid() }),
      responses: { 200: Captures },
      handler: async (call) => {
        const scope = scopeOf(call)
        const transaction = await findTransaction(scope, call.params.transaction_id)
        const items = (await captures.listOf(scope, transaction.id)).map((capture) =>
          toCapture(transaction, capture),
        )
        return { items, limit: 100, next_cursor: null, previous_cursor: null }
      },
    }),

    operation({
      id: 'get_transaction_capture',
      route: 'GET /transactions/:transaction_id/captures/:capture_id',
      tag: TAG,
      summary: 'Get transaction capture',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Strict({ transaction_id: Uuid(), capture_id: Uuid() }),
      responses: { 200: Capture },
      handler: async (call) => {
        const scope = scopeOf(call)
        const { transaction_id: transactionId, capture_id: id } = call.params
        const transaction = await findTransaction(scope, transactionId)
        const capture = await captures.find(scope, { transactionId, id })
        if (!capture) throw errors.notFound()
        return toCapture(transaction, capture)
      },
    }),
  ]
}
