import type { Context } from '../../platform/db.ts'
import type { Job } from '../../platform/jobs.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { sealEntries } from './seal.ts'

type Needs = { readonly context: Context; readonly secrets: Secrets }

export const auditLogJobs: Job<Needs>[] = [
  {
    name: 'seal-audit-logs',
    everyMs: 2_000,
    isRunAtStop: true,
    run: ({ context, secrets }) => sealEntries(context, secrets),
  },
]
