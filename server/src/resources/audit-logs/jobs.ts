import type { Job } from '../../platform/jobs.ts'
import { sealEntries } from './seal.ts'

export const auditLogJobs: Job[] = [
  {
    name: 'seal-audit-logs',
    everyMs: 2_000,
    isRunAtStop: true,
    run: ({ context, secrets }) => sealEntries(context, secrets),
  },
]
