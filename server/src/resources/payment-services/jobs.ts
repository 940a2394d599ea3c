import type { Context } from '#platform/db.ts'
import type { Job } from '#platform/jobs.ts'
import { forgetSecretsJob } from '#processing/service-accounts/forget-deleted.ts'
import { lapsedBy } from '#resources/transactions/conclusions/release-hold.ts'
import * as transactions from '#resources/transactions/store.ts'
import type { Vault } from '#vault'
import { KIND } from './store.ts'

type Needs = { readonly context: Context; readonly vault: Vault }

export const paymentServiceJobs: Job<Needs>[] = [
  {
    // The merchant releases holds at the service, or they expire.
    ...forgetSecretsJob(KIND, (scope, id) => transactions.countHeldAt(scope, id, lapsedBy(scope.clock()))),
    name: 'forget-secrets-of-deleted-services',
  },
]
