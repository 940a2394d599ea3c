import type { Context } from '#platform/database/db.ts'
import type { Logger } from '#platform/observability/log.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import type { Job } from '#platform/process/jobs.ts'
import { textOf } from './head.ts'
import type { Sealer } from './seal.ts'

type Needs = {
  readonly context: Context
  readonly sealer: Sealer
  readonly logger: Logger
  readonly metrics: Metrics
  readonly environment: string
}

export const auditLogJobs: Job<Needs>[] = [
  {
    name: 'seal-audit-logs',
    everyMs: 2_000,
    isRunAtStop: true,
    run: async ({ context, sealer, metrics }) => {
      try {
        await sealer.seal(context)
        if (sealer.refusal !== null)
          throw new Error(`An entry of the audit log is not sealed: ${sealer.refusal}.`)
      } finally {
        metrics.observeAuditLog({ position: sealer.head?.position ?? 0, isRefused: sealer.refusal !== null })
      }
    },
  },
  {
    // The log is kept outside the database, so a past head can be looked up there. In a sandbox, it would be noise.
    name: 'tell-audit-head',
    everyMs: 60_000,
    run: async ({ sealer, logger, environment }) => {
      const level = environment === 'production' ? 'info' : 'debug'
      if (sealer.head) logger[level]({ head: textOf(sealer.head) }, 'the head of the audit log')
    },
  },
]
