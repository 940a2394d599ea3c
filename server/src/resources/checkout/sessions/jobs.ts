import type { Context } from '#platform/database/db.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Vault } from '#vault'
import { forgetExpired, nextToForgetAt } from './forget-expired.ts'

type Needs = { readonly context: Context; readonly vault: Vault; readonly sessionRetentionDays: number }

export const checkoutSessionJobs: Job<Needs>[] = [
  {
    name: 'forget-entered-cards',
    everyMs: 30_000,
    run: ({ context, vault, sessionRetentionDays }) => forgetExpired(context, vault, sessionRetentionDays),
    nextDueAt: ({ context, sessionRetentionDays }) => nextToForgetAt(context, sessionRetentionDays),
  },
]
