import type { Secrets } from '#platform/access/secrets.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation, scopeOf } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { FairTurns } from '#platform/process/fair-turns.ts'
import { intervalComplaints } from '../interval.ts'
import { metricComplaints, newMetricComplaints } from './check-request.ts'
import { createMetric } from './create.ts'
import { deleteMetric } from './delete.ts'
import { findMetric, listMetrics } from './list.ts'
import {
  CreateMonitoringMetric,
  MonitoringMetric,
  MonitoringMetricListQuery,
  MonitoringMetricQuery,
  MonitoringMetrics,
  UpdateMonitoringMetric,
} from './schemas.ts'
import { updateMetric } from './update.ts'

const TAG = 'Monitoring'
const Path = Strict({ metric_id: Uuid() })
/** An answer has about as many samples with ten metrics as with one. */
const LIST_DAYS_MAX = 3
const ONE_DAYS_MAX = 31

const ABOUT_METRICS =
  'Watches the authorization rate: a sample is taken every minute. With an alerting policy, a sample is healthy or an alert. ' +
  'With an incident policy, alerts in a row open an incident, and healthy samples in a row close it. A merchant account ' +
  'has at most 10 metrics, and no two with the same period, filters and thresholds.'

export function monitoringMetricRoutes({ secrets }: { readonly secrets: Secrets }): Operation[] {
  // An answer can have tens of thousands of samples, so few are made at once.
  const turns = new FairTurns({ atOnce: 2, waitingMax: 20, waitMaxMs: 10_000, refusal: tooMany })
  return [
    operation({
      id: 'list_monitoring_metrics',
      route: 'GET /monitoring/metrics',
      tag: TAG,
      summary: 'List metrics',
      description: 'Newest first, each with its samples of an interval. Samples are kept for 30 days.',
      scope: 'monitoring.read',
      concerns: 'merchant-account',
      isList: true,
      query: MonitoringMetricListQuery,
      check: ({ query }, { now }) => intervalComplaintsOf(query, now, LIST_DAYS_MAX),
      responses: { 200: MonitoringMetrics },
      handler: ({ context, reach, query }) =>
        turns.take(String(reach), () => listMetrics(context, secrets, reach, query)),
    }),

    operation({
      id: 'create_monitoring_metric',
      route: 'POST /monitoring/metrics',
      tag: TAG,
      summary: 'Create metric',
      description: ABOUT_METRICS,
      scope: 'monitoring.write',
      concerns: 'merchant-account',
      body: CreateMonitoringMetric,
      check: ({ body }, about) => newMetricComplaints(body, about),
      responses: { 201: MonitoringMetric },
      handler: (call) => createMetric(scopeOf(call), call.once, call.body),
    }),

    operation({
      id: 'get_monitoring_metric',
      route: 'GET /monitoring/metrics/:metric_id',
      tag: TAG,
      summary: 'Get metric',
      description: 'With its samples, if you name an interval.',
      scope: 'monitoring.read',
      concerns: 'merchant-account',
      params: Path,
      query: MonitoringMetricQuery,
      check: ({ query }, { now }) => intervalComplaintsOf(query, now, ONE_DAYS_MAX),
      responses: { 200: MonitoringMetric },
      handler: (call) =>
        turns.take(String(call.reach), () => findMetric(scopeOf(call), call.params.metric_id, call.query)),
    }),

    operation({
      id: 'update_monitoring_metric',
      route: 'PUT /monitoring/metrics/:metric_id',
      tag: TAG,
      summary: 'Update metric',
      description:
        'Changes the name and the policies; what is watched stays. New thresholds begin a new count of samples in a row. An open ' +
        'incident stays open, unless a policy becomes null: then it is closed.',
      scope: 'monitoring.write',
      concerns: 'merchant-account',
      params: Path,
      body: UpdateMonitoringMetric,
      check: ({ body }, about) => metricComplaints(body, about),
      responses: { 200: MonitoringMetric },
      handler: (call) => updateMetric(scopeOf(call), call.params.metric_id, call.body),
    }),

    operation({
      id: 'delete_monitoring_metric',
      route: 'DELETE /monitoring/metrics/:metric_id',
      tag: TAG,
      summary: 'Delete metric',
      description:
        'Its samples go, its incidents stay. An open one is closed. The answer is 200 without a body.',
      scope: 'monitoring.write',
      concerns: 'merchant-account',
      params: Path,
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
