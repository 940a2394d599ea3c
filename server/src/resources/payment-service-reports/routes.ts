import { sql } from 'kysely'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import { type PaymentServiceReportFeed, PaymentServiceReportFeeds } from './feeds/schemas.ts'
import * as feeds from './feeds/store.ts'
import { COLUMNS, type StoredLine } from './lines/columns.ts'
import * as offers from './offers/store.ts'
import {
  PaymentServiceReport,
  PaymentServiceReportFilters,
  PaymentServiceReportLineFilters,
  PaymentServiceReportLines,
  PaymentServiceReports,
} from './schemas.ts'
import { showReports, toLine } from './show.ts'
import * as reports from './store.ts'

const UNREAD_MAX = 100

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

/** The lines of a report, the last one first. */
function listLines(
  { db }: Context,
  secrets: Secrets,
  reportId: string,
  { matched, flagged, ...page }: PaymentServiceReportLineFilters,
): Promise<Collection<StoredLine>> {
  let query = db
    .selectFrom('payment_service_report_lines')
    .select([...COLUMNS, sql<Date>`ingested_at`.as('created_at')])
    .where('report_id', '=', reportId)
  if (matched === true) query = query.where('transaction_id', 'is not', null)
  if (matched === false) query = query.where('unmatched_because', 'is not', null)
  if (flagged !== undefined) query = query.where('flag', flagged ? 'is not' : 'is', null)
  const name = `payment-service-report-lines:${reportId}`
  const list = { name, query, table: 'payment_service_report_lines', page, secrets, key: ['id'] } as const
  return paginate(list, (line) => line)
}

/** How reading reports goes, service by service. */
export function paymentServiceReportFeedRoutes(): Operation[] {
  return [
    operation({
      id: 'list_payment_service_report_feeds',
      route: 'GET /payment-service-reports/feeds',
      tag: 'Payment service reports',
      scope: 'payment-service-reports.read',
      concerns: 'merchant-account',
      summary: 'List payment service report feeds',
      description:
        'One item for each payment service whose reports are read: when it was last asked, why it could not be, and which files ' +
        'it offers that are not read yet.',
      responses: { 200: PaymentServiceReportFeeds },
      handler: async (call) => ({ items: await showFeeds(scopeOf(call)) }),
    }),
  ]
}

async function showFeeds(scope: Scope): Promise<PaymentServiceReportFeed[]> {
  const stored = await feeds.listInUse(scope)
  const unread = await offers.listUnread(
    scope,
    stored.map(({ payment_service_id }) => payment_service_id),
    UNREAD_MAX,
  )
  return stored.map((feed) => ({
    type: 'payment-service-report-feed',
    payment_service_id: feed.payment_service_id,
    problem: feed.problem,
    failures: feed.failures,
    listed_at: feed.listed_at?.toISOString() ?? null,
    next_look_at: feed.due_at.toISOString(),
    unread_files: (unread.get(feed.payment_service_id) ?? []).map((offer) => ({
      name: offer.name,
      published_at: offer.published_at.toISOString(),
      problem: offer.problem,
      tries: offer.checks,
      next_try_at: offer.due_at?.toISOString() ?? null,
    })),
  }))
}
