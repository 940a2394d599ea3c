import { createRefund, refundAmount } from '#payments/acts/refund.ts'
import { refundAll } from '#payments/acts/refund-all.ts'
import { findTransaction } from '#payments/find.ts'
import { toRefund } from '#payments/show.ts'
import * as refunds from '#payments/store/refunds.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Engine } from '#processing/engine.ts'
import { limitMoney, type MoneyLimit } from '#resources/auth/step-up/limit-money.ts'
import { Refund, RefundAllCreate, RefundCreate, Refunds } from '../wire/refund.ts'

const Path = Strict({ transaction_id: Uuid() })
const ItemPath = Strict({ transaction_id: Uuid(), refund_id: Uuid() })
const TAG = 'Refunds'

type Needs = MoneyLimit & { readonly engine: Engine }

export function refundRoutes(needs: Needs): Operation[] {
  return [...readRoutes(), ...writeRoutes(needs)]
}

function readRoutes(): Operation[] {
  return [
    operation({
      id: 'list_transaction_refunds',
      route: 'GET /transactions/:transaction_id/refunds',
      tag: TAG,
      summary: 'List transaction refunds',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: Path,
      responses: { 200: Refunds },
      handler: async (call) => {
        const scope = scopeOf(call)
        const transaction = await findTransaction(scope, call.params.transaction_id)
        const items = (await refunds.listOf(scope, transaction.id)).map((refund) =>
          toRefund(transaction, refund),
        )
        return { items, limit: 100, next_cursor: null, previous_cursor: null }
      },
    }),

    operation({
      id: 'get_transaction_refund',
      route: 'GET /transactions/:transaction_id/refunds/:refund_id',
      tag: TAG,
      summary: 'Get transaction refund',
      scope: 'transactions.read',
      concerns: 'merchant-account',
      params: ItemPath,
      responses: { 200: Refund },
      handler: async (call) => {
        const scope = scopeOf(call)
        const transaction = await findTransaction(scope, call.params.transaction_id)
        const refund = await refunds.find(scope, call.params.refund_id)
        if (refund?.transaction_id !== transaction.id) throw errors.notFound()
        return toRefund(transaction, refund)
      },
    }),
  ]
}

function writeRoutes({ engine, ...limit }: Needs): Operation[] {
  return [
    operation({
      id: 'create_transaction_refund',
      route: 'POST /transactions/:transaction_id/refunds',
      tag: TAG,
      summary: 'Refund transaction',
      description:
        'Refunds what was captured, whole or in parts. Concurrent refunds never exceed the captured amount: those that do not fit are refused.',
      scope: 'transactions.write',
      orScope: 'transactions.follow-ups.write',
      concerns: 'merchant-account',
      params: Path,
      body: RefundCreate,
      errors: ['too_early', 'step_up_required'],
      responses: { 201: Refund },
      handler: async (call) => {
        const { caller, once, body: request } = call
        const transactionId = call.params.transaction_id
        await limitMoney(call.context, limit, caller, () =>
          refundAmount(scopeOf(call), transactionId, request),
        )
        return createRefund(scopeOf(call), engine, { transactionId, once, request })
      },
    }),

    operation({
      id: 'create_full_transaction_refund',
      route: 'POST /transactions/:transaction_id/refunds/all',
      tag: TAG,
      summary: 'Refund transaction in full',
      description:
        'Makes one refund for each instrument that paid. Either all are recorded, or none is. If nothing is left, the list is empty.',
      scope: 'transactions.write',
      orScope: 'transactions.follow-ups.write',
      andScope: 'gift-cards.write',
      concerns: 'merchant-account',
      params: Path,
      body: RefundAllCreate,
      isBodyOptional: true,
      errors: ['too_early', 'step_up_required'],
      responses: { 201: Refunds },
      handler: async (call) => {
        const { caller, once, body: request = {} } = call
        const transactionId = call.params.transaction_id
        await limitMoney(call.context, limit, caller, () => refundAmount(scopeOf(call), transactionId, 'all'))
        return refundAll(scopeOf(call), engine, { transactionId, once, request })
      },
    }),
  ]
}
