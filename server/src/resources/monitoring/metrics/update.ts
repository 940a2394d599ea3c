import { inTransaction, type Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import { closeIncident } from '../incidents/change.ts'
import * as incidents from '../incidents/store.ts'
import { hasIncidents } from '../state.ts'
import { explainTwin, toAudited } from './create.ts'
import { identityOf, readPolicies } from './read-settings.ts'
import type { MonitoringMetric, UpdateMonitoringMetric } from './schemas.ts'
import { showMetric } from './show.ts'
import * as metrics from './store.ts'

/** What is watched stays. New thresholds begin a new run. An incident that no sample could close is closed. */
export async function updateMetric(
  scope: Scope,
  id: string,
  request: UpdateMonitoringMetric,
): Promise<MonitoringMetric> {
  const policies = readPolicies(request)
  let identity = ''
  try {
    return await inTransaction(scope, async (tx) => {
      const before = await metrics.lock(tx, id)
      if (!before) throw errors.notFound()
      identity = identityOf(before, policies)
      const now = tx.clock()
      const after = await metrics.update({ ...tx, clock: () => now }, before, {
        display_name: request.display_name,
        ...policies,
        ...(identity !== before.identity && {
          identity,
          alerting_policy_updated_at: now,
          run_healthy: null,
          run_length: 0,
        }),
        ...(hasOtherNumbers(before, policies) && { incident_policy_updated_at: now }),
      })
      const open = hasIncidents(after) ? undefined : await incidents.lockOpen(tx, id)
      if (open) await closeIncident(tx, open)
      await auditLogs.record(tx, 'updated', toAudited(after))
      return showMetric(after, null)
    })
  } catch (error) {
    throw await explainTwin(scope, error, identity)
  }
}

function hasOtherNumbers(before: metrics.Policies, after: metrics.Policies): boolean {
  return before.create_after_n !== after.create_after_n || before.close_after_n !== after.close_after_n
}
