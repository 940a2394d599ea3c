import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import { forgetSecretsJob } from '#processing/service-accounts/forget-deleted.ts'
import { lapsedBy } from '#resources/transactions/conclusions/release-hold.ts'
import * as redemptions from '#resources/transactions/gift-card-redemptions/store.ts'
import type { Vault } from '#vault'
import { KIND } from './store.ts'

type Needs = { readonly context: Context; readonly vault: Vault }

export const giftCardServiceJobs: Job<Needs>[] = [
  forgetSecretsJob(KIND, (scope, id) => redemptions.countHeldAt(scope, id, lapsedBy(scope.clock()))),
]
