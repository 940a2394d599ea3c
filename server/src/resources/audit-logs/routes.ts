import type { Secrets } from '#platform/access/secrets.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { listAuditLogs } from './list.ts'
import { AuditLogFilters, AuditLogs, AuditLogVerification, VerificationFilters } from './schemas.ts'
import { verifyPart } from './verify-part.ts'

export function auditLogRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  return [
    operation({
      id: 'list_audit_logs',
      route: 'GET /audit-logs',
      tag: 'Audit logs',
      summary: 'List audit logs',
      description:
        'Who changed what, newest first. Only keys that can reach all merchant accounts see changes of the whole installation.',
      scope: 'audit-logs.read',
      concerns: 'merchant-account',
      isList: true,
      query: AuditLogFilters,
      responses: { 200: AuditLogs },
      handler: ({ context, reach, callerReach, query }) =>
        listAuditLogs(context, secrets, { reach, callerReach }, query),
    }),

    operation({
      id: 'verify_audit_logs',
      route: 'GET /audit-logs/verification',
      tag: 'Audit logs',
      summary: 'Verify audit logs',
      description:
        'Checks that no entry of the audit log was changed, inserted or removed, as `switchyard verify` does, except for links in archived files. One request checks a part of the ' +
        'chain; while `status` is `incomplete`, ask again with `after` set to `next`. The caller must reach all merchant accounts.',
      scope: 'audit-logs.read',
      concerns: 'instance',
      query: VerificationFilters,
      responses: { 200: AuditLogVerification },
      handler: ({ context, callerReach, query }) => verifyPart(context, secrets, callerReach, query),
    }),
  ]
}
