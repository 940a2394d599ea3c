import type { Vault } from '../../../../vault/client.ts'
import type { Context } from '../../platform/db.ts'
import type { Job } from '../../platform/jobs.ts'
import { forgetDeleted } from './forget-deleted.ts'

type Needs = { readonly context: Context; readonly vault: Vault }

export const paymentServiceJobs: Job<Needs>[] = [
  {
    name: 'forget-secrets-of-deleted-services',
    everyMs: 60_000,
    run: ({ context, vault }) => forgetDeleted(context, vault),
  },
]
