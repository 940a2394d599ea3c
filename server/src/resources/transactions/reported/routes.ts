import type { Scope } from '#platform/db.ts'
import { errors } from '#platform/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/operation.ts'
import { Strict, Uuid } from '#platform/schemas.ts'
import { findTransaction } from '../find.ts'
import {
  ChargebackReversals,
  Chargebacks,
  RefundSettlement,
  RefundSettlements,
  Settlement,
  Settlements,
} from './schemas.ts'

const COMMON = { tag: 'Transactions', scope: 'transactions.read', concerns: 'merchant-account' } as const

/** Each list checks the transaction. It is empty, because no connector reads reports yet. */
const LIST = {
  ...COMMON,
  description:
    'The data comes from reports of payment services. No connector reads reports yet, so the list is empty.',
  params: Strict({ transaction_id: Uuid() }),
} as const

const ONE = { ...COMMON, params: Strict({ transaction_id: Uuid(), settlement_id: Uuid() }) } as const

/** What payment services report about a transaction. */
export function reportedRoutes(): Operation[] {
  return [
    operation({
      ...LIST,
      id: 'list_transaction_settlements',
      route: 'GET /transactions/:transaction_id/settlements',
      summary: 'List a transaction’s settlements',
      responses: { 200: Settlements },
      handler: async (call) => nothingOf(scopeOf(call), call.params.transaction_id),
    }),

    operation({
      ...ONE,
      id: 'get_transaction_settlement',
      route: 'GET /transactions/:transaction_id/settlements/:settlement_id',
      summary: 'Get a transaction’s settlement',
      responses: { 200: Settlement },
      handler: async (call) => noneOf(scopeOf(call), call.params.transaction_id),
    }),

    operation({
      ...LIST,
      id: 'list_transaction_refund_settlements',
      route: 'GET /transactions/:transaction_id/refund-settlements',
      summary: 'List a transaction’s refund settlements',
      responses: { 200: RefundSettlements },
      handler: async (call) => nothingOf(scopeOf(call), call.params.transaction_id),
    }),

    operation({
      ...ONE,
      id: 'get_transaction_refund_settlement',
      route: 'GET /transactions/:transaction_id/refund-settlements/:settlement_id',
      summary: 'Get a transaction’s refund settlement',
      responses: { 200: RefundSettlement },
      handler: async (call) => noneOf(scopeOf(call), call.params.transaction_id),
    }),

    operation({
      ...LIST,
      id: 'list_transaction_chargebacks',
      route: 'GET /transactions/:transaction_id/chargebacks',
      summary: 'List a transaction’s chargebacks',
      responses: { 200: Chargebacks },
      handler: async (call) => nothingOf(scopeOf(call), call.params.transaction_id),
    }),

    operation({
      ...LIST,
      id: 'list_transaction_chargeback_reversals',
      route: 'GET /transactions/:transaction_id/chargeback-reversals',
      summary: 'List a transaction’s chargeback reversals',
      responses: { 200: ChargebackReversals },
      handler: async (call) => nothingOf(scopeOf(call), call.params.transaction_id),
    }),
  ]
}

async function nothingOf(scope: Scope, transactionId: string): Promise<{ items: never[] }> {
  await findTransaction(scope, transactionId)
  return { items: [] }
}

async function noneOf(scope: Scope, transactionId: string): Promise<never> {
  await findTransaction(scope, transactionId)
  throw errors.notFound()
}
