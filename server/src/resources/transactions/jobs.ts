import {
  expireApprovals,
  expireAuthorizations,
  nextApprovalEnd,
  nextAuthorizationEnd,
} from '#payments/acts/expire.ts'
import { forgetDeclines } from '#payments/routing/retry-advice.ts'
import { nextToForgetAt } from '#payments/store/card-declines.ts'
import { forgetUsedTokens } from '#payments/store/wallet-tokens.ts'
import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Engine } from '#processing/engine.ts'
import { purgeExchanges } from '#processing/exchanges/store.ts'

type Needs = { readonly context: Context; readonly engine: Engine }

export const transactionJobs: Job<Needs>[] = [
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
