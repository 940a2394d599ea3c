import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { type Operation, operationsOf } from '#platform/http/operation.ts'
import type { Logger } from '#platform/observability/log.ts'
import type { Metrics } from '#platform/observability/metrics.ts'
import type { Reading } from '#platform/observability/readings.ts'
import type { Job } from '#platform/process/jobs.ts'
import type { Resource } from '#resources/resource.ts'
import { textOf } from './head.ts'
import { listAuditLogs } from './list.ts'
import { AuditLogFilters, AuditLogs, AuditLogVerification, VerificationFilters } from './schemas.ts'
import type { Sealer } from './seal.ts'
import { unsealed } from './store.ts'
import { verifyPart } from './verify-part.ts'

const operation = operationsOf({ tag: 'Audit logs', scope: 'audit-logs.read' })

function auditLogRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_audit_logs',
      route: 'GET /audit-logs',
      summary: 'List audit logs',
      description:
        'Who changed what, newest first. Only keys that can reach all merchant accounts see changes of the whole installation.',
      concerns: 'merchant-account',
      isList: true,
      query: AuditLogFilters,
      responses: { 200: AuditLogs },
      handler: ({ context, reach, callerReach, query }) =>
        listAuditLogs(context, { reach, callerReach }, query),
    }),

    operation({
      id: 'verify_audit_logs',
      route: 'GET /audit-logs/verification',
      summary: 'Verify audit logs',
      description:
        'Checks that no entry of the audit log was changed, inserted or removed, as `switchyard verify` does, except for links in archived files. One request checks a part of the ' +
        'chain; while `status` is `incomplete`, ask again with `after` set to `next`. The caller must reach all merchant accounts.',
      concerns: 'instance',
      query: VerificationFilters,
      responses: { 200: AuditLogVerification },
      handler: ({ context, callerReach, query }) => verifyPart(context, secrets, callerReach, query),
    }),
  ]
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

const AGE = 'switchyard_audit_unsealed_seconds'

const auditLogReading: Reading<{ readonly context: Context }> = {
  name: 'audit',
  gauges: [
    { name: AGE, help: 'How long the oldest entry of the audit log waits for its seal; 0: none waits' },
  ],
  read: async ({ context }) => {
    const [oldest] = await unsealed(context, 1)
    const ageMs = oldest ? context.clock().getTime() - oldest.created_at.getTime() : 0
    return [{ gauge: AGE, value: Math.max(0, ageMs) / 1000 }]
  },
}

export const auditLogResource: Resource = {
  operations: auditLogRoutes,
  jobs: auditLogJobs,
  readings: [auditLogReading],
}

type Needs = {
  readonly context: Context
  readonly sealer: Sealer
  readonly logger: Logger
  readonly metrics: Metrics
  readonly environment: string
}
