import type { Context } from '#platform/database/db.ts'
import * as files from './files/store.ts'
import type { StoredLine } from './lines/columns.ts'
import * as offers from './offers/store.ts'
import type { PaymentServiceReport, PaymentServiceReportFile, PaymentServiceReportLine } from './schemas.ts'
import type { StoredReport } from './store.ts'

/** Reports with their files. */
export async function showReports(
  context: Context,
  stored: readonly StoredReport[],
): Promise<PaymentServiceReport[]> {
  const all = await files.listOf(
    context,
    stored.map(({ id }) => id),
  )
  const names = await offers.namesOf(
    context,
    all.map(({ id }) => id),
  )
  const byReport = Map.groupBy(all, ({ report_id }) => report_id)
  return stored.map((report) => ({
    type: 'payment-service-report',
    id: report.id,
    merchant_account_id: report.merchant_account_id,
    payment_service_id: report.payment_service_id,
    external_identifier: report.external_identifier,
    files: (byReport.get(report.id) ?? []).map((file) => toFile(file, names.get(file.id) ?? [])),
    created_at: report.created_at.toISOString(),
    updated_at: report.updated_at.toISOString(),
  }))
}

function toFile(file: files.StoredFile, names: string[]): PaymentServiceReportFile {
  const gross = Number(file.gross_amount)
  const fees = Number(file.fee_amount)
  return {
    type: 'payment-service-report-file',
    id: file.id,
    names,
    status: file.status,
    problem: file.problem,
    sha256: file.sha256,
    size: Number(file.size),
    report_date: file.report_date,
    currency: file.currency,
    line_count: file.line_count,
    applied_line_count: file.lines_done,
    unmatched_line_count: file.unmatched_count,
    flagged_line_count: file.flagged_count,
    gross_amount: gross,
    fee_amount: fees,
    net_amount: gross - fees,
    published_at: file.published_at.toISOString(),
    ingested_at: file.created_at.toISOString(),
    finished_at: file.finished_at?.toISOString() ?? null,
  }
}

export function toLine(line: StoredLine): PaymentServiceReportLine {
  return {
    type: 'payment-service-report-line',
    id: line.id,
    payment_service_report_file_id: line.file_id,
    line_number: line.line_number,
    kind: line.kind,
    external_identifier: line.external_identifier,
    payment_service_reference: line.provider_reference,
    own_reference: line.own_reference,
    currency: line.currency,
    amount: Number(line.amount),
    original_currency: line.original_currency,
    original_amount: line.original_amount === null ? null : Number(line.original_amount),
    commission: Number(line.commission),
    code: line.reason_code,
    description: line.reason_description,
    transaction_id: line.transaction_id,
    refund_id: line.refund_id,
    unmatched_because: line.unmatched_because,
    flag: line.flag,
    posted_at: line.posted_at.toISOString(),
    ingested_at: line.ingested_at.toISOString(),
    updated_at: line.updated_at.toISOString(),
  }
}
