import { violatedUnique } from '#platform/database/database-errors.ts'
import type { Scope } from '#platform/database/db.ts'
import { errors, inBody } from '#platform/http/errors.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { minuteAfter } from '../samples/take.ts'
import { identityOf, readPolicies, readWatched } from './read-settings.ts'
import type { CreateMonitoringMetric, MonitoringMetric } from './schemas.ts'
import { showMetric } from './show.ts'
import * as metrics from './store.ts'

/** Each of them is counted every minute. */
export const METRICS_MAX = 10

/** The first sample is taken at the start of the next minute. */
export async function createMetric(
  scope: Scope,
  once: Once,
  request: CreateMonitoringMetric,
): Promise<Finished<MonitoringMetric>> {
  const watched = readWatched(request)
  const policies = readPolicies(request)
  const identity = identityOf(watched, policies)
  await refuseForeignServices(scope, request)
  try {
    return await inFinalTransaction(scope, once, async (tx) => {
      const count = await metrics.count(tx)
      const twin = await metrics.findTwin(tx, identity)
      if (twin) throw watchedAlready(twin)
      if (count >= METRICS_MAX) {
        throw errors.refused(
          `this merchant account already has ${METRICS_MAX} metrics, the most allowed; delete one first`,
        )
      }
      const now = tx.clock()
      const { actor } = tx
      if (actor.id === null) throw new Error('a metric is created by an API key or a user')
      // One moment for all of its times.
      const stored = await metrics.insert(
        { ...tx, clock: () => now },
        {
          display_name: request.display_name,
          ...watched,
          ...policies,
          alerting_policy_updated_at: request.alerting_policy && now,
          incident_policy_updated_at: request.incident_policy && now,
          identity,
          creator_id: actor.id,
          creator_name: actor.name,
          creator_type: actor.kind === 'user' ? 'user' : 'private_key',
          due_at: minuteAfter(now),
        },
      )
      await auditLogs.record(tx, 'created', toAudited(stored))
      return showMetric(stored, null)
    })
  } catch (error) {
    throw await explainTwin(scope, error, identity)
  }
}

/** The database has refused what another request was faster to write. */
export async function explainTwin(scope: Scope, error: unknown, identity: string): Promise<unknown> {
  if (violatedUnique(error) !== metrics.ONE_OF_A_KIND) return error
  return watchedAlready(await metrics.findTwin(scope, identity))
}

function watchedAlready(twin: metrics.StoredMetric | undefined): Error {
  const message =
    'a metric of this merchant account has the same period, filters and thresholds: use that one'
  return errors.duplicate(twin?.id, inBody('/spec', 'value_error.duplicate', message))
}

export function toAudited({ id, display_name }: metrics.StoredMetric) {
  return { type: 'monitoring.metric', id, name: display_name }
}

async function refuseForeignServices(scope: Scope, { spec }: CreateMonitoringMetric): Promise<void> {
  const ids = spec.params.filters.payment_service_id ?? []
  const known = await paymentServices.findMany(
    scope,
    ids.filter((id) => id !== null),
  )
  const foreign = ids.flatMap((id, index) => {
    if (id === null) return []
    const service = known.get(id)
    const isOwn = service?.merchant_account_id === scope.merchantAccountId && service.deleted_at === null
    const pointer = `/spec/params/filters/payment_service_id/${index}`
    const message = 'must be the id of a payment service of this merchant account'
    return isOwn ? [] : [inBody(pointer, 'value_error.not_found', message)]
  })
  if (foreign.length > 0) throw errors.invalid(...foreign)
}
