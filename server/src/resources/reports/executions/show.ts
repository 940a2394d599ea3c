import type { Target } from '#resources/events/store.ts'
import type { StoredReport } from '../store.ts'
import type { ReportExecution } from './schemas.ts'
import type { ShownExecution, StoredExecution } from './store.ts'

export function toSummary(execution: StoredExecution): Omit<ReportExecution, 'report'> {
  return {
    type: 'report-execution',
    id: execution.id,
    created_at: execution.created_at.toISOString(),
    updated_at: execution.updated_at.toISOString(),
    status: execution.status,
    context: {
      reference_timestamp: execution.reference_timestamp.toISOString(),
      reference_timezone: execution.reference_timezone,
    },
  }
}

export function showExecution(execution: ShownExecution): ReportExecution {
  return {
    ...toSummary(execution),
    report: {
      type: 'report',
      id: execution.report_id,
      merchant_account_id: execution.merchant_account_id,
      name: execution.report_name,
      creator_id: execution.creator_id,
      creator_display_name: execution.creator_display_name,
      creator_type: execution.creator_type,
    },
  }
}

/** The execution in webhook events: with the size of its file, or why there is none. */
export function toTarget(execution: StoredExecution, report: StoredReport): Target {
  const { creator_id, creator_display_name, creator_type } = report
  const { row_count, file_size, failure_reason } = execution
  return {
    ...showExecution({
      ...execution,
      report_name: report.name,
      creator_id,
      creator_display_name,
      creator_type,
    }),
    row_count: row_count === null ? null : Number(row_count),
    file_size: file_size === null ? null : Number(file_size),
    failure_reason,
  }
}
