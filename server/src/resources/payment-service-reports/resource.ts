import type { Resource } from '#resources/resource.ts'
import * as feeds from './feeds/store.ts'
import { reportHealth } from './health.ts'
import { ingestDue, matchDue } from './ingest/ingest-due.ts'
import * as lines from './lines/store.ts'
import { paymentServiceReportFeedRoutes, paymentServiceReportRoutes } from './routes.ts'
import { settlementTotalRoutes } from './totals.ts'

/** What payment services report about settled and disputed payments. */
export const paymentServiceReportResource: Resource = {
  operations: () => [
    ...paymentServiceReportFeedRoutes,
    ...settlementTotalRoutes,
    ...paymentServiceReportRoutes,
  ],
  jobs: [
    {
      name: 'read-payment-service-reports',
      everyMs: 15_000,
      nextDueAt: ({ context }) => feeds.nextDueAt(context),
      run: ({ context, engine, reportFiles, reportPollMinutes }, stopping) =>
        ingestDue(context, { engine, reportFiles, everyMinutes: reportPollMinutes }, stopping),
    },
    {
      name: 'match-payment-service-reports',
      everyMs: 30_000,
      nextDueAt: ({ context }) => lines.nextDueAt(context),
      run: ({ context }, stopping) => matchDue(context, stopping),
    },
    {
      name: 'measure-payment-service-reports',
      everyMs: 60_000,
      run: async ({ context, metrics }) => metrics.observeReports(await reportHealth(context)),
    },
  ],
}
