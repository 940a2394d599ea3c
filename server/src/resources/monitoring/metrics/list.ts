import type { Secrets } from '#platform/access/secrets.ts'
import type { Context, Scope } from '#platform/database/db.ts'
import { errors } from '#platform/http/errors.ts'
import type { Reach } from '#platform/http/operation.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import { intervalOf } from '../interval.ts'
import * as samples from '../samples/store.ts'
import type { MonitoringMetric, MonitoringMetricListQuery, MonitoringMetricQuery } from './schemas.ts'
import { showMetric } from './show.ts'
import * as metrics from './store.ts'

/** Each with its samples of the interval. */
export async function listMetrics(
  context: Context,
  secrets: Secrets,
  reach: Reach,
  { samples_timestamp_interval, ...query }: MonitoringMetricListQuery,
): Promise<Collection<MonitoringMetric>> {
  const interval = intervalOf(samples_timestamp_interval, context.clock())
  const page = await metrics.list(context, secrets, reach, query)
  const ids = page.items.map(({ id }) => id)
  const taken = await samples.listOf(context, ids, interval)
  return { ...page, items: page.items.map((metric) => showMetric(metric, taken.get(metric.id) ?? [])) }
}

/** With its samples, if an interval is given. */
export async function findMetric(
  scope: Scope,
  id: string,
  { samples_timestamp_interval: text }: MonitoringMetricQuery,
): Promise<MonitoringMetric> {
  const metric = await metrics.find(scope, id)
  if (!metric) throw errors.notFound()
  if (text === undefined) return showMetric(metric, null)
  const taken = await samples.listOf(scope, [id], intervalOf(text, scope.clock()))
  return showMetric(metric, taken.get(id) ?? [])
}
