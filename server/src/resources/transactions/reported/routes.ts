import type { ReportLineKind } from '#connectors/contract/reports.ts'
import { createdAt } from '#domain/ids.ts'
import { findTransaction } from '#payments/find.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { StoredLine } from '#resources/payment-service-reports/lines/columns.ts'
import * as lines from '#resources/payment-service-reports/lines/store.ts'
import {
  type Chargeback,
  type ChargebackReversal,
  ChargebackReversals,
  Chargebacks,
  RefundSettlement,
  RefundSettlements,
  Settlement,
  Settlements,
} from './schemas.ts'

const COMMON = { tag: 'Transactions', scope: 'transactions.read', concerns: 'merchant-account' } as const

const LIST = {
  ...COMMON,
  description:
    'Newest first. The data comes from reports of payment services that have `settlement_reporting_enabled`.',
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
      summary: 'List transaction settlements',
      responses: { 200: Settlements },
      handler: async (call) => ({
        items: (await linesOf(scopeOf(call), call.params.transaction_id, 'settlement')).map(toSettlement),
      }),
    }),

    operation({
      ...ONE,
      id: 'get_transaction_settlement',
      route: 'GET /transactions/:transaction_id/settlements/:settlement_id',
      summary: 'Get transaction settlement',
      responses: { 200: Settlement },
      handler: async (call) => toSettlement(await lineOf(scopeOf(call), call.params, 'settlement')),
    }),

    operation({
      ...LIST,
      id: 'list_transaction_refund_settlements',
      route: 'GET /transactions/:transaction_id/refund-settlements',
      summary: 'List transaction refund settlements',
      responses: { 200: RefundSettlements },
      handler: async (call) => ({
        items: (await linesOf(scopeOf(call), call.params.transaction_id, 'refund_settlement')).map(
          toRefundSettlement,
        ),
      }),
    }),

    operation({
      ...ONE,
      id: 'get_transaction_refund_settlement',
      route: 'GET /transactions/:transaction_id/refund-settlements/:settlement_id',
      summary: 'Get transaction refund settlement',
      responses: { 200: RefundSettlement },
      handler: async (call) =>
        toRefundSettlement(await lineOf(scopeOf(call), call.params, 'refund_settlement')),
    }),

    operation({
      ...LIST,
      id: 'list_transaction_chargebacks',
      route: 'GET /transactions/:transaction_id/chargebacks',
      summary: 'List transaction chargebacks',
      responses: { 200: Chargebacks },
      handler: async (call) => ({
        items: (await linesOf(scopeOf(call), call.params.transaction_id, 'chargeback')).map(toChargeback),
      }),
    }),

    operation({
      ...LIST,
      id: 'list_transaction_chargeback_reversals',
      route: 'GET /transactions/:transaction_id/chargeback-reversals',
      summary: 'List transaction chargeback reversals',
      responses: { 200: ChargebackReversals },
      handler: async (call) => ({
        items: (await linesOf(scopeOf(call), call.params.transaction_id, 'chargeback_reversal')).map(
          toChargebackReversal,
        ),
      }),
    }),
  ]
}

async function linesOf(scope: Scope, transactionId: string, kind: ReportLineKind): Promise<StoredLine[]> {
  const { id } = await findTransaction(scope, transactionId)
  return lines.listOf(scope, id, kind)
}

type Named = { readonly transaction_id: string; readonly settlement_id: string }

async function lineOf(
  scope: Scope,
  { transaction_id, settlement_id }: Named,
  kind: ReportLineKind,
): Promise<StoredLine> {
  const { id } = await findTransaction(scope, transaction_id)
  const line = await lines.findOf(scope, id, kind, settlement_id)
  if (!line) throw errors.notFound()
  return line
}

/** What all records have in common. Only lines that are matched with a payment are shown. */
function toReported(line: StoredLine) {
  return {
    id: line.id,
    merchant_account_id: line.merchant_account_id,
    transaction_id: line.transaction_id ?? '',
    currency: line.currency,
    amount: Number(line.amount),
    exchange_rate: line.exchange_rate,
    commission: Number(line.commission),
    interchange: numberOrNull(line.interchange),
    markup: numberOrNull(line.markup),
    scheme_fee: numberOrNull(line.scheme_fee),
    payment_service_report_id: line.report_id,
    payment_service_report_file_ids: line.file_id === null ? [] : [line.file_id],
    posted_at: line.posted_at.toISOString(),
    ingested_at: line.ingested_at.toISOString(),
    created_at: createdAt(line.id).toISOString(),
    updated_at: line.updated_at.toISOString(),
  }
}

function toSettlement(line: StoredLine): Settlement {
  return { type: 'settlement', ...toReported(line) }
}

function toRefundSettlement(line: StoredLine): RefundSettlement {
  return { type: 'refund-settlement', refund_id: line.refund_id ?? '', ...toReported(line) }
}

function toChargeback(line: StoredLine): Chargeback {
  return { type: 'chargeback', ...toReported(line) }
}

function toChargebackReversal(line: StoredLine): ChargebackReversal {
  return { type: 'chargeback-reversal', ...toReported(line) }
}

function numberOrNull(value: string | null): number | null {
  return value === null ? null : Number(value)
}
