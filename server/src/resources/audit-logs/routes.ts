import { type Operation, operation } from '#platform/operation.ts'
import type { Secrets } from '#platform/secrets.ts'
import { listAuditLogs } from './list.ts'
import { AuditLogFilters, AuditLogs } from './schemas.ts'

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
  ]
}
