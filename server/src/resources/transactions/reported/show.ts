import { createdAt } from '#domain/ids.ts'
import type { StoredLine } from '#resources/payment-service-reports/lines/columns.ts'
import type { Chargeback, ChargebackReversal, RefundSettlement, Settlement } from './schemas.ts'

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

export function toSettlement(line: StoredLine): Settlement {
  return { type: 'settlement', ...toReported(line) }
}

export function toRefundSettlement(line: StoredLine): RefundSettlement {
  return { type: 'refund-settlement', refund_id: line.refund_id ?? '', ...toReported(line) }
}

export function toChargeback(line: StoredLine): Chargeback {
  return { type: 'chargeback', ...toReported(line) }
}

export function toChargebackReversal(line: StoredLine): ChargebackReversal {
  return { type: 'chargeback-reversal', ...toReported(line) }
}

function numberOrNull(value: string | null): number | null {
  return value === null ? null : Number(value)
}
