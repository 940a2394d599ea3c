import type { AccountUpdaterConnector } from '#connectors/contract/account-updater.ts'
import type { Secrets } from '#platform/access/secrets.ts'
import type { Scope } from '#platform/database/db.ts'
import { ApiError } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { DateTime, Kind, Strict, Uuid } from '#platform/http/schemas.ts'
import { type Static, Type } from '#platform/http/type.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as attempts from '#processing/attempts/store.ts'
import type { Providers } from '#processing/provider.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import * as paymentMethods from '#resources/payment-methods/store.ts'
import { findActiveUpdater } from './find-updater.ts'
import * as accountUpdater from './store.ts'

const CreateAccountUpdaterJob = Strict(
  {
    payment_method_ids: Type.Array(Uuid(), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Stored cards to ask about. Those that do not qualify are left out.',
    }),
  },
  {
    title: 'CreateAccountUpdaterJob',
    examples: [{ payment_method_ids: ['0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005'] }],
  },
)
type CreateAccountUpdaterJob = Static<typeof CreateAccountUpdaterJob>

const Inquiry = Strict({ type: Kind('account-updater-inquiry'), id: Uuid(), payment_method_id: Uuid() })

const AccountUpdaterJob = Strict(
  {
    type: Kind('account-updater-job'),
    id: Uuid(),
    merchant_account_id: Type.String(),
    inquiries: Type.Array(Inquiry),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  {
    title: 'AccountUpdaterJob',
    examples: [
      {
        type: 'account-updater-job',
        id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0006',
        merchant_account_id: 'default',
        inquiries: [
          {
            type: 'account-updater-inquiry',
            id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0007',
            payment_method_id: '0199f3a0-5d3b-7c00-8a11-3f1f7f1f0005',
          },
        ],
        created_at: '2026-11-15T09:30:00.000Z',
        updated_at: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
type AccountUpdaterJob = Static<typeof AccountUpdaterJob>

type Needs = { readonly secrets: Secrets; readonly providers: Providers }

export function accountUpdaterRoutes(needs: Needs): Operation[] {
  return [
    operation({
      id: 'create_account_updater_job',
      route: 'POST /account-updater/jobs',
      tag: 'Account updater',
      summary: 'Create account updater job',
      description:
        'Asks the active account updater service about stored cards of the schemes that it knows. Answers 204 if none of them qualifies.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      body: CreateAccountUpdaterJob,
      responses: { 201: AccountUpdaterJob, 204: null },
      handler: (call) => createAccountUpdaterJob(scopeOf(call), call.once, needs, call.body),
    }),
  ]
}

/** Leaves out ids that do not qualify. If none does, there is nothing to do and no answer. */
async function createAccountUpdaterJob(
  scope: Scope,
  once: Once,
  { secrets, providers }: Needs,
  { payment_method_ids }: CreateAccountUpdaterJob,
): Promise<Finished<AccountUpdaterJob | undefined>> {
  const account = await merchantAccounts.find(scope, secrets, scope.merchantAccountId)
  if (!account?.account_updater_enabled) {
    throw new ApiError('bad_request', {
      message:
        'Set account_updater_enabled first: the account updater is not enabled for this merchant account',
    })
  }
  const updater = await findActiveUpdater(scope, providers)
  if (!updater) {
    throw new ApiError('bad_request', {
      message: 'Create an account updater service first: this merchant account has none that is active',
    })
  }
  const { serviceId, connector } = updater
  return inFinalTransaction(scope, once, async (tx) => {
    const found = await paymentMethods.findMany(tx, payment_method_ids)
    const ids = found.filter((method) => qualifies(method, connector)).map(({ id }) => id)
    const job = ids.length > 0 ? await accountUpdater.insertJob(tx, ids) : undefined
    if (!job) return undefined
    for (const { id } of job.inquiries) {
      const asked = { id, kind: 'update-card', service_id: serviceId, amount: 0 } as const
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

function qualifies(
  { method, scheme, status, vault_token }: paymentMethods.StoredMethod,
  { schemes }: AccountUpdaterConnector,
): boolean {
  const isUsable = status === 'succeeded' || status === 'processing'
  return method === 'card' && vault_token !== null && isUsable && schemes.some((known) => known === scheme)
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
