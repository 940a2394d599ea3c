import { sql } from 'kysely'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Nullable, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { paginate } from '#platform/listing/by-age.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import * as feeds from './feeds/store.ts'
import * as files from './files/store.ts'
import { COLUMNS, type StoredLine } from './lines/columns.ts'
import * as offers from './offers/store.ts'
import {
  PaymentServiceReport,
  type PaymentServiceReportFile,
  PaymentServiceReportFilters,
  type PaymentServiceReportLine,
  PaymentServiceReportLineFilters,
  PaymentServiceReportLines,
  PaymentServiceReports,
} from './schemas.ts'
import type { StoredReport } from './store.ts'
import * as reports from './store.ts'

const UnreadReportFile = Strict(
  {
    name: Type.String({ description: 'As the payment service names it.' }),
    published_at: DateTime(),
    problem: Nullable(Type.String({ description: 'Why it could not be read the last time.' })),
    tries: Type.Integer({ minimum: 0 }),
    next_try_at: Nullable(DateTime()),
  },
  { title: 'UnreadReportFile' },
)

const PaymentServiceReportFeed = Strict(
  {
    type: Kind('payment-service-report-feed'),
    payment_service_id: Uuid(),
    problem: Nullable(
      Type.String({
        description: 'Why the payment service could not be asked the last time. Null if it could.',
      }),
    ),
    failures: Type.Integer({ minimum: 0, description: 'How often in a row it could not be asked.' }),
    listed_at: Nullable(DateTime({ description: 'When it was last asked with success.' })),
    next_look_at: DateTime({ description: 'When it is asked again.' }),
    unread_files: Type.Array(UnreadReportFile, {
      description: 'Files that it offers and that are not read yet, oldest first. At most 100.',
    }),
  },
  { title: 'PaymentServiceReportFeed' },
)
type PaymentServiceReportFeed = Static<typeof PaymentServiceReportFeed>

const PaymentServiceReportFeeds = Strict(
  { items: Type.Array(PaymentServiceReportFeed) },
  {
    title: 'PaymentServiceReportFeeds',
    examples: [
      {
        items: [
          {
            type: 'payment-service-report-feed',
            payment_service_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
            problem: null,
            failures: 0,
            listed_at: '2026-11-16T02:05:01.000Z',
            next_look_at: '2026-11-16T03:05:00.000Z',
            unread_files: [
              {
                name: 'settlement-2026-11-15-USD.csv',
                published_at: '2026-11-16T02:00:00.000Z',
                problem: 'the processor did not deliver the file (503)',
                tries: 1,
                next_try_at: '2026-11-16T02:07:01.000Z',
              },
            ],
          },
        ],
      },
    ],
  },
)

const UNREAD_MAX = 100

const COMMON = {
  tag: 'Payment service reports',
  scope: 'payment-service-reports.read',
  concerns: 'merchant-account',
} as const

/** What payment services report about settled and disputed payments, as it was read. */
export const paymentServiceReportRoutes: readonly Operation[] = [
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
      const page = await reports.list(context, reach, query)
      return { ...page, items: await showReports(context, page.items) }
    },
  }),

  operation({
    ...COMMON,
    id: 'get_payment_service_report',
    route: 'GET /payment-service-reports/:payment_service_report_id',
    summary: 'Get payment service report',
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
    query: PaymentServiceReportLineFilters,
    responses: { 200: PaymentServiceReportLines },
    handler: async (call) => {
      const report = await findReport(scopeOf(call), call.params)
      const page = await listLines(call.context, report.id, call.query)
      return { ...page, items: page.items.map(toLine) }
    },
  }),
]

async function findReport(
  scope: Scope,
  { payment_service_report_id }: { readonly payment_service_report_id: string },
): Promise<reports.StoredReport> {
  return orNotFound(await reports.find(scope, payment_service_report_id))
}

/** The lines of a report, the last one first. */
function listLines(
  { db, mac }: Context,
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
  const list = { name, query, table: 'payment_service_report_lines', page, mac, key: ['id'] } as const
  return paginate(list, (line) => line)
}

/** How reading reports goes, service by service. */
export const paymentServiceReportFeedRoutes: readonly Operation[] = [
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

/** Reports with their files. */
async function showReports(
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

function toLine(line: StoredLine): PaymentServiceReportLine {
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
