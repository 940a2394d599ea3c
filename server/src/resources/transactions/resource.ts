import {
  expireApprovals,
  expireAuthorizations,
  nextApprovalEnd,
  nextAuthorizationEnd,
} from '#payments/acts/expire.ts'
import { takeReview } from '#payments/acts/review.ts'
import { forgetDeclines } from '#payments/routing/retry-advice.ts'
import { nextToForgetAt } from '#payments/store/card-declines.ts'
import { forgetUsedTokens } from '#payments/store/wallet-tokens.ts'
import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import { purgeExchanges } from '#processing/exchanges/store.ts'
import { serveAntiFraudNotifications } from '#resources/anti-fraud-services/notifications/take.ts'
import type { Resource } from '#resources/resource.ts'
import { actionRoutes } from './actions/routes.ts'
import { attemptRoutes } from './attempts/routes.ts'
import { captureRoutes } from './captures/routes.ts'
import { decisionRoutes } from './decision/routes.ts'
import { transactionEventRoutes } from './events/routes.ts'
import { exchangeRoutes } from './exchanges/routes.ts'
import { refundRoutes } from './refunds/routes.ts'
import { reportedRoutes } from './reported/routes.ts'
import { transactionRoutes } from './routes.ts'
import { transactionSessionRoutes } from './session/routes.ts'

type Needs = { readonly context: Context; readonly engine: Engine }

const JOBS: Job<Needs>[] = [
  {
    name: 'expire-approvals',
    everyMs: 15_000,
    run: ({ context, engine }, stopping) => expireApprovals(context, engine, stopping),
    nextDueAt: ({ context }) => nextApprovalEnd(context),
  },
  {
    name: 'expire-authorizations',
    everyMs: 10 * 60_000,
    run: ({ context, engine }, stopping) => expireAuthorizations(context, engine, stopping),
    nextDueAt: ({ context }) => nextAuthorizationEnd(context),
  },
  {
    name: 'forget-card-declines',
    everyMs: 3_600_000,
    run: ({ context }) => forgetDeclines(context),
    nextDueAt: ({ context }) => nextToForgetAt(context),
  },
  {
    name: 'forget-used-wallet-tokens',
    everyMs: 3_600_000,
    run: ({ context }) => forgetUsedTokens(context),
  },
  purgeExchanges,
]

export const transactionResource: Resource = {
  operations: (needs) => [
    ...transactionRoutes(needs),
    ...captureRoutes(),
    ...refundRoutes(needs),
    ...transactionEventRoutes(needs),
    ...attemptRoutes(),
    ...exchangeRoutes(needs),
    ...actionRoutes(),
    ...decisionRoutes(),
    ...transactionSessionRoutes(needs),
    ...reportedRoutes(),
  ],
  jobs: JOBS,
  servePages: (app, { engine, contextOf }) => {
    serveAntiFraudNotifications(app, { engine, context: contextOf('Anti-fraud service'), take: takeReview })
  },
}
