import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import { ACCOUNT_UPDATER_ID } from '#processing/account-updater.ts'
import * as attempts from '#processing/attempts/store.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import type { AccountUpdaterJob, CreateAccountUpdaterJob } from './schemas.ts'
import * as accountUpdater from './store.ts'

/** Only these schemes report replaced cards. */
const SCHEMES = new Set(['amex', 'discover', 'mastercard', 'visa'])

/** Leaves out ids that do not qualify. If none does, there is nothing to do and no answer. */
export async function createAccountUpdaterJob(
  scope: Scope,
  once: Once,
  secrets: Secrets,
  { payment_method_ids }: CreateAccountUpdaterJob,
): Promise<Finished<AccountUpdaterJob | undefined>> {
  const account = await merchantAccounts.find(scope, secrets, scope.merchantAccountId)
  if (!account?.account_updater_enabled) {
    throw new ApiError('bad_request', {
      message:
        'Set account_updater_enabled first: the account updater is not enabled for this merchant account',
    })
  }
  return inFinalTransaction(scope, once, async (tx) => {
    const found = await paymentMethods.findMany(tx, payment_method_ids)
    const ids = found.filter(qualifies).map(({ id }) => id)
    const job = ids.length > 0 ? await accountUpdater.insertJob(tx, ids) : undefined
    if (!job) return undefined
    for (const { id } of job.inquiries) {
      const asked = { id, kind: 'update-card', service_id: ACCOUNT_UPDATER_ID, amount: 0 } as const
      await attempts.queue(tx, asked, tx.clock())
    }
    await auditLogs.record(tx, 'created', {
      type: 'account-updater-job',
      id: job.id,
      name: `${job.inquiries.length} cards`,
    })
    return show(scope, job)
  })
}

function qualifies({ method, scheme, status, vault_token }: paymentMethods.StoredMethod): boolean {
  const isUsable = status === 'succeeded' || status === 'processing'
  return method === 'card' && vault_token !== null && isUsable && SCHEMES.has(scheme ?? '')
}

function show({ merchantAccountId }: Scope, job: accountUpdater.Job): AccountUpdaterJob {
  return {
    type: 'account-updater-job',
    id: job.id,
    merchant_account_id: merchantAccountId,
    inquiries: job.inquiries.map((inquiry) => ({ type: 'account-updater-inquiry', ...inquiry })),
    created_at: job.createdAt.toISOString(),
    updated_at: job.createdAt.toISOString(),
  }
}
