import type { Secrets } from '#platform/access/secrets.ts'
import { ApiError } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import type { AccountUpdater } from '#processing/account-updater.ts'
import { createAccountUpdaterJob } from './create.ts'
import { AccountUpdaterJob, CreateAccountUpdaterJob } from './schemas.ts'

type Needs = { readonly secrets: Secrets; readonly accountUpdater: AccountUpdater | null }

export function accountUpdaterRoutes({ secrets, accountUpdater }: Needs): Operation[] {
  return [
    operation({
      id: 'create_account_updater_job',
      route: 'POST /account-updater/jobs',
      tag: 'Account updater',
      summary: 'Create account updater job',
      description:
        'Asks the account updater about stored Visa, Mastercard, American Express and Discover cards. Answers 204 if none of them qualifies.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      body: CreateAccountUpdaterJob,
      responses: { 201: AccountUpdaterJob, 204: null },
      handler: (call) => {
        if (!accountUpdater) {
          throw new ApiError('bad_request', {
            message: 'No account updater is configured in this environment',
          })
        }
        return createAccountUpdaterJob(scopeOf(call), call.once, secrets, call.body)
      },
    }),
  ]
}
