import type { Context } from '#platform/database/db.ts'
import { toSummary } from './executions/show.ts'
import * as executions from './executions/store.ts'
import type { Report } from './schemas.ts'
import type { StoredReport } from './store.ts'

export async function showReport(context: Context, report: StoredReport): Promise<Report> {
  const [shown] = await showReports(context, [report])
  if (!shown) throw new Error('a report is shown as none')
  return shown
}

export async function showReports(context: Context, reports: readonly StoredReport[]): Promise<Report[]> {
  const latest = await executions.latestOf(
    context,
    reports.map(({ id }) => id),
  )
  return reports.map((report) => toReport(report, latest.get(report.id)))
}

function toReport(report: StoredReport, latest: executions.StoredExecution | undefined): Report {
  const { model, params, created_at, updated_at, next_execution_at, ...rest } = report
  return {
    type: 'report',
    ...rest,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    next_execution_at: next_execution_at?.toISOString() ?? null,
    spec: { model, params },
    latest_execution: latest ? toSummary(latest) : null,
  }
}
