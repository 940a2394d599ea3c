import type { Vault } from '../../../../vault/client.ts'
import type { Context } from '../../platform/db.ts'
import type { Job } from '../../platform/jobs.ts'
import { forgetDeleted } from '../payment-services/forget-deleted.ts'
import { forgetSecrets, listDeletedWithSecrets } from './store.ts'

type Needs = { readonly context: Context; readonly vault: Vault }

export const antiFraudServiceJobs: Job<Needs>[] = [
  {
    name: 'forget-secrets-of-deleted-anti-fraud-services',
    everyMs: 60_000,
    run: ({ context, vault }) =>
      // A decision is asked for once, so nothing stays open at a service.
      forgetDeleted(context, vault, { listDeletedWithSecrets, countOpenAt: async () => 0, forgetSecrets }),
  },
]
