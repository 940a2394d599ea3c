import { violatedUnique } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope } from '#platform/database/db.ts'
import { type ErrorDetail, errors, inBody, orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, type Reach, scopeOf } from '#platform/http/operation.ts'
import type { About, Sound } from '#platform/http/validation.ts'
import { type Finished, inFinalTransaction, type Once } from '#platform/idempotency/once.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import { FairLimiter } from '#platform/process/limiter.ts'
import * as auditLogs from '#resources/audit-logs/store.ts'
import * as paymentServices from '#resources/payment-services/store.ts'
import { closeIncident } from '../incidents/change.ts'
import * as incidents from '../incidents/store.ts'
import { intervalComplaints, intervalOf } from '../interval.ts'
import * as samples from '../samples/store.ts'
import { minuteAfter } from '../samples/take.ts'
import { hasIncidents } from '../state.ts'
import {
  identityOf,
  PERIOD_EXPECTED,
  readPeriod,
  readPolicies,
  readWatched,
  thresholdOf,
} from './read-settings.ts'
import {
  CreateMonitoringMetric,
  MonitoringMetric,
  MonitoringMetricListQuery,
  MonitoringMetricQuery,
  MonitoringMetrics,
  UpdateMonitoringMetric,
} from './schemas.ts'
import { showMetric } from './show.ts'
import * as metrics from './store.ts'

/** Each of them is counted every minute. */
export const METRICS_MAX = 10

const PERIOD = '/spec/params/filters/datetime_range'
const THRESHOLDS = '/alerting_policy/params'

const operation = operationsOf({ tag: 'Monitoring', concerns: 'merchant-account', scopes: 'monitoring' })
/** An answer has about as many samples with ten metrics as with one. */
const LIST_DAYS_MAX = 3
const ONE_DAYS_MAX = 31

const ABOUT_METRICS =
  'Watches the authorization rate: a sample is taken every minute. With an alerting policy, a sample is healthy or an alert. ' +
  'With an incident policy, alerts in a row open an incident, and healthy samples in a row close it. A merchant account ' +
  'has at most 10 metrics, and no two with the same period, filters and thresholds.'

export function monitoringMetricRoutes(): Operation[] {
  // An answer can have tens of thousands of samples, so few are made at once.
  const limiter = new FairLimiter({ atOnce: 2, waitingMax: 20, waitMaxMs: 10_000, refusal: tooMany })
  return [
    operation({
      id: 'list_monitoring_metrics',
      route: 'GET /monitoring/metrics',
      summary: 'List metrics',
      description: 'Newest first, each with its samples of an interval. Samples are kept for 30 days.',
      isList: true,
      query: MonitoringMetricListQuery,
      check: ({ query }, { now }) => intervalComplaintsOf(query, now, LIST_DAYS_MAX),
      responses: { 200: MonitoringMetrics },
      handler: ({ context, reach, query }) =>
        limiter.run(String(reach), () => listMetrics(context, reach, query)),
    }),

    operation({
      id: 'create_monitoring_metric',
      route: 'POST /monitoring/metrics',
      summary: 'Create metric',
      description: ABOUT_METRICS,
      body: CreateMonitoringMetric,
      check: ({ body }, about) => newMetricComplaints(body, about),
      errors: ['duplicate_record'],
      responses: { 201: MonitoringMetric },
      handler: (call) => createMetric(scopeOf(call), call.once, call.body),
    }),

    operation({
      id: 'get_monitoring_metric',
      route: 'GET /monitoring/metrics/:metric_id',
      summary: 'Get metric',
      description: 'With its samples, if you name an interval.',
      query: MonitoringMetricQuery,
      check: ({ query }, { now }) => intervalComplaintsOf(query, now, ONE_DAYS_MAX),
      responses: { 200: MonitoringMetric },
      handler: (call) =>
        limiter.run(String(call.reach), () => findMetric(scopeOf(call), call.params.metric_id, call.query)),
    }),

    operation({
      id: 'update_monitoring_metric',
      route: 'PUT /monitoring/metrics/:metric_id',
      summary: 'Update metric',
      description:
        'Changes the name and the policies; what is watched stays. New thresholds begin a new count of samples in a row. An open ' +
        'incident stays open, unless a policy becomes null: then it is closed.',
      body: UpdateMonitoringMetric,
      check: ({ body }, about) => metricComplaints(body, about),
      errors: ['duplicate_record'],
      responses: { 200: MonitoringMetric },
      handler: (call) => updateMetric(scopeOf(call), call.params.metric_id, call.body),
    }),

    operation({
      id: 'delete_monitoring_metric',
      route: 'DELETE /monitoring/metrics/:metric_id',
      summary: 'Delete metric',
      description:
        'Its samples go, its incidents stay. An open one is closed. The answer is 200 without a body.',
      responses: { 200: null },
      handler: (call) => deleteMetric(scopeOf(call), call.params.metric_id),
    }),
  ]
}

function intervalComplaintsOf(
  { samples_timestamp_interval: text }: { readonly samples_timestamp_interval?: string | undefined },
  now: Date,
  daysMax: number,
) {
  return intervalComplaints(text, now, { name: 'samples_timestamp_interval', daysMax })
}

function tooMany(): Error {
  return errors.tooManyRequests(1, 'questions about metrics of one merchant account at once')
}

function newMetricComplaints(body: Sound<CreateMonitoringMetric>, about: About): ErrorDetail[] {
  const period = body.spec?.params?.filters?.datetime_range
  const isWrong = period !== undefined && !readPeriod(period)
  return [
    ...(isWrong ? [inBody(PERIOD, 'value_error.str.regex', `must be ${PERIOD_EXPECTED}`)] : []),
    ...metricComplaints(body, about),
  ]
}

/** Thresholds that no rate meets, and those that every rate meets. */
function metricComplaints(
  { alerting_policy: policy }: Sound<UpdateMonitoringMetric>,
  { isRight }: About,
): ErrorDetail[] {
  if (!policy?.params || !isRight(`${THRESHOLDS}/alert_gt`, `${THRESHOLDS}/alert_lt`)) return []
  const above = thresholdOf(policy.params.alert_gt)
  const below = thresholdOf(policy.params.alert_lt)
  const outside = [...outsideOf('alert_gt', above), ...outsideOf('alert_lt', below)]
  if (outside.length > 0) return outside
  if (above === null && below === null) {
    const message = 'send alert_gt or alert_lt, or null for the whole policy'
    return [inBody(THRESHOLDS, 'value_error.missing', message)]
  }
  if (above !== null && below !== null && below > above) {
    const message = 'must not be above alert_gt: every rate would be an alert'
    return [inBody(`${THRESHOLDS}/alert_lt`, 'value_error.conflict', message)]
  }
  return []
}

/** The schema limits numbers, but not numbers that are written as text. */
function outsideOf(name: string, threshold: number | null): ErrorDetail[] {
  const pointer = `${THRESHOLDS}/${name}`
  if (threshold === null) return []
  if (threshold < 0) return [inBody(pointer, 'value_error.number.not_ge', 'must be at least 0')]
  if (threshold > 1) return [inBody(pointer, 'value_error.number.not_le', 'must be at most 1')]
  return []
}

/** Each with its samples of the interval. */
async function listMetrics(
  context: Context,
  reach: Reach,
  { samples_timestamp_interval, ...query }: MonitoringMetricListQuery,
): Promise<Collection<MonitoringMetric>> {
  const interval = intervalOf(samples_timestamp_interval, context.clock())
  const page = await metrics.list(context, reach, query)
  const ids = page.items.map(({ id }) => id)
  const taken = await samples.listOf(context, ids, interval)
  return { ...page, items: page.items.map((metric) => showMetric(metric, taken.get(metric.id) ?? [])) }
}

/** With its samples, if an interval is given. */
async function findMetric(
  scope: Scope,
  id: string,
  { samples_timestamp_interval: text }: MonitoringMetricQuery,
): Promise<MonitoringMetric> {
  const metric = orNotFound(await metrics.find(scope, id))
  if (text === undefined) return showMetric(metric, null)
  const taken = await samples.listOf(scope, [id], intervalOf(text, scope.clock()))
  return showMetric(metric, taken.get(id) ?? [])
}

/** What is watched stays. New thresholds begin a new run. An incident that no sample could close is closed. */
async function updateMetric(
  scope: Scope,
  id: string,
  request: UpdateMonitoringMetric,
): Promise<MonitoringMetric> {
  const policies = readPolicies(request)
  let identity = ''
  try {
    return await inTransaction(scope, async (tx) => {
      const before = orNotFound(await metrics.lock(tx, id))
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

/** Its samples go with it. Its incidents stay, and one that is open is closed: no sample could close it. */
function deleteMetric(scope: Scope, id: string): Promise<void> {
  return inTransaction(scope, async (tx) => {
    const metric = orNotFound(await metrics.lock(tx, id))
    const open = await incidents.lockOpen(tx, id)
    if (open) await closeIncident(tx, open)
    await metrics.remove(tx, id)
    await auditLogs.record(tx, 'deleted', toAudited(metric))
  })
}

/** The first sample is taken at the start of the next minute. */
async function createMetric(
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
      const twin = await metrics.find(tx, { identity })
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
async function explainTwin(scope: Scope, error: unknown, identity: string): Promise<unknown> {
  if (violatedUnique(error) !== metrics.ONE_OF_A_KIND) return error
  return watchedAlready(await metrics.find(scope, { identity }))
}

function watchedAlready(twin: metrics.StoredMetric | undefined): Error {
  const message =
    'a metric of this merchant account has the same period, filters and thresholds: use that one'
  return errors.duplicate(twin?.id, inBody('/spec', 'value_error.duplicate', message))
}

function toAudited({ id, display_name }: metrics.StoredMetric) {
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
