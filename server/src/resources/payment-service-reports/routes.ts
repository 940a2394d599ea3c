import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { listLines } from './lines/list.ts'
import {
  PaymentServiceReport,
  PaymentServiceReportFilters,
  PaymentServiceReportLineFilters,
  PaymentServiceReportLines,
  PaymentServiceReports,
} from './schemas.ts'
import { showReports, toLine } from './show.ts'
import * as reports from './store.ts'

const COMMON = {
  tag: 'Payment service reports',
  scope: 'payment-service-reports.read',
  concerns: 'merchant-account',
} as const
const ReportPath = Strict({ payment_service_report_id: Uuid() })

/** What payment services report about settled and disputed payments, as it was read. */
export function paymentServiceReportRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      ...COMMON,
      id: 'list_payment_service_reports',
      route: 'GET /payment-service-reports',
      summary: 'List payment service reports',
      description: 'Newest first, each with its files, their sums, and how many lines no payment fits.',
      isList: true,
      query: PaymentServiceReportFilters,
      responses: { 200: PaymentServiceReports },
      handler: async ({ context, reach, query }) => {
        const page = await reports.list(context, secrets, reach, query)
        return { ...page, items: await showReports(context, page.items) }
      },
    }),

    operation({
      ...COMMON,
      id: 'get_payment_service_report',
      route: 'GET /payment-service-reports/:payment_service_report_id',
      summary: 'Get payment service report',
      params: ReportPath,
      responses: { 200: PaymentServiceReport },
      handler: async (call) => {
        const scope = scopeOf(call)
        const [shown] = await showReports(scope, [await findReport(scope, call.params)])
        if (!shown) throw errors.notFound()
        return shown
      },
    }),

    operation({
      ...COMMON,
      id: 'list_payment_service_report_lines',
      route: 'GET /payment-service-reports/:payment_service_report_id/lines',
      summary: 'List payment service report lines',
      description: 'The last line first. `matched=false` lists the lines that no payment fits, and why.',
      params: ReportPath,
      query: PaymentServiceReportLineFilters,
      responses: { 200: PaymentServiceReportLines },
      handler: async (call) => {
        const report = await findReport(scopeOf(call), call.params)
        const page = await listLines(call.context, secrets, report.id, call.query)
        return { ...page, items: page.items.map(toLine) }
      },
    }),
  ]
}

async function findReport(
  scope: Scope,
  { payment_service_report_id }: { readonly payment_service_report_id: string },
): Promise<reports.StoredReport> {
  const report = await reports.find(scope, payment_service_report_id)
  if (!report) throw errors.notFound()
  return report
}
