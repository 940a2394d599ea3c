import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { failTogether, type Job } from '#platform/process/jobs.ts'
import type { Resource } from '#resources/resource.ts'
import type { Vault } from '#vault'
import { serveTokenNotifications } from './network-tokens/notifications/take.ts'
import { networkTokenRoutes } from './network-tokens/routes.ts'
import { giveUp } from './payment-service-tokens/conclude.ts'
import { serveApprovalReturns } from './payment-service-tokens/return-page.ts'
import { paymentServiceTokenRoutes } from './payment-service-tokens/routes.ts'
import * as paymentServiceTokens from './payment-service-tokens/store.ts'
import { nextReplacementAt, replaceExpired } from './replace.ts'
import { paymentMethodRoutes } from './routes.ts'
import * as paymentMethods from './store.ts'
import { addUpUses } from './uses/store.ts'

const BATCH = 100

const paymentMethodJobs: Job<Needs>[] = [
  { name: 'add-up-payment-method-uses', everyMs: 5_000, run: ({ context }) => addUpUses(context) },
  {
    name: 'replace-expired-cards',
    everyMs: 60_000,
    run: ({ context, vault }) => replaceExpired(context, vault),
    nextDueAt: ({ context }) => nextReplacementAt(context),
  },
  {
    name: 'expire-payment-method-approvals',
    everyMs: 10_000,
    run: ({ context }) => expireApprovals(context),
    nextDueAt: ({ context }) => paymentServiceTokens.nextExpiry(context),
  },
]

export const paymentMethodResource: Resource = {
  operations: (needs) => [
    ...paymentMethodRoutes(needs),
    ...networkTokenRoutes(needs),
    ...paymentServiceTokenRoutes(needs),
  ],
  jobs: paymentMethodJobs,
  servePages: (app, { engine, contextOf, browserLimit }) => {
    serveTokenNotifications(app, engine, contextOf('Token service'))
    serveApprovalReturns(app, { engine, context: contextOf('Buyer'), limit: browserLimit })
  },
}

type Needs = { readonly context: Context; readonly vault: Vault }

/** Fails paymentServiceTokens whose buyer did not approve in time. If the provider still gives one, it is deleted there. */
export async function expireApprovals(context: Context): Promise<void> {
  const failures: unknown[] = []
  for (const { id, merchant_account_id } of await paymentServiceTokens.abandoned(
    context,
    context.clock(),
    BATCH,
  )) {
    await expire({ ...context, merchantAccountId: merchant_account_id }, id).catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error
      failures.push(error)
    })
  }
  failTogether(failures)
}

function expire(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const found = await paymentServiceTokens.find(tx, id)
    if (!found) return
    await paymentMethods.lock(tx, found.payment_method_id)
    const token = await paymentServiceTokens.lock(tx, id)
    const end = token?.approval_expires_at
    if (token && end && end <= tx.clock()) await giveUp(tx, token)
  })
}
