import { type Operation, operation, scopeOf } from '../../platform/operation.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createAccountUpdaterJob } from './create.ts'
import { AccountUpdaterJob, CreateAccountUpdaterJob } from './schemas.ts'

export function accountUpdaterRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'create_account_updater_job',
      route: 'POST /account-updater/jobs',
      tag: 'Account updater',
      summary: 'Ask for new card details',
      description:
        'Asks the account updater about stored Visa, Mastercard, American Express and Discover cards. 204 when none of them can be asked about.',
      scope: 'payment-methods.write',
      concerns: 'merchant-account',
      body: CreateAccountUpdaterJob,
      responses: { 201: AccountUpdaterJob, 204: null },
      handler: (call) => createAccountUpdaterJob(scopeOf(call), secrets, call.body),
    }),
  ]
}
