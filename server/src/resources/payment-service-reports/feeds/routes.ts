import type { Scope } from '#platform/database/db.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import * as offers from '../offers/store.ts'
import { type PaymentServiceReportFeed, PaymentServiceReportFeeds } from './schemas.ts'
import * as feeds from './store.ts'

const UNREAD_MAX = 100

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
