import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { inTransaction } from '#platform/database/db.ts'
import { closeIncident, openIncident } from '#resources/monitoring/incidents/change.ts'
import * as incidents from '#resources/monitoring/incidents/store.ts'
import * as metrics from '#resources/monitoring/metrics/store.ts'
import { takeDueSamples } from '#resources/monitoring/samples/take.ts'
import type { SendOptions, TestService } from './harness.ts'

const MINUTE_MS = 60_000

// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held against their schemas by the harness
type Json = any

/** An order to watch payments. Each needs filters or thresholds of its own. */
export const watching = (filters: object = {}, settings: object = {}) => ({
  display_name: 'Watch',
  spec: { params: { filters: { datetime_range: 'PT5M/now', ...filters } } },
  alerting_policy: { params: { alert_lt: 0.5 } },
  incident_policy: { params: { create_after_n: 1, close_after_n: 1 } },
  ...settings,
})

export type Monitor = {
  readonly create: (body?: object, options?: SendOptions) => Promise<LightMyRequestResponse>
  /** Creates a metric, and answers with it. */
  readonly add: (filters?: object, settings?: object, options?: SendOptions) => Promise<Json>
  /** Moves the clock into the next minute. */
  readonly nextMinute: (minutes?: number) => void
  /** The next minute, with its samples. */
  readonly sample: () => Promise<void>
  /** The samples of a metric, oldest first. */
  readonly samplesOf: (id: string) => Promise<Json[]>
  readonly incidentsOf: (id: string) => Promise<Json[]>
  /** Opens an incident of a metric, as samples do, and closes the one before. Answers with its id. */
  readonly openIncident: (metricId: string) => Promise<string>
  readonly removeAll: (options?: SendOptions) => Promise<void>
}

export function openMonitor(service: TestService): Monitor {
  const create: Monitor['create'] = (body = watching(), options) =>
    service.send('POST /monitoring/metrics', body, options)
  const nextMinute = (minutes = 1) => {
    const intoMinute = service.context.clock().getTime() % MINUTE_MS
    service.moveClock(minutes * MINUTE_MS - intoMinute + 1_000)
  }
  return {
    create,
    add: async (filters, settings, options) => {
      const made = await create(watching(filters, settings), options)
      expect(made.statusCode, made.body).toBe(201)
      return made.json()
    },
    nextMinute,
    sample: () => {
      nextMinute()
      return takeDueSamples(service.context)
    },
    samplesOf: async (id) => {
      const route = `GET /monitoring/metrics/${id}?samples_timestamp_interval=P30D/hour_end`
      return (await service.send(route)).json().samples_view
    },
    incidentsOf: async (id) => (await service.send(`GET /monitoring/metrics/${id}/incidents`)).json().items,
    openIncident: (metricId) => openIncidentOf(service, metricId),
    removeAll: async (options) => {
      const route = 'GET /monitoring/metrics?limit=10&samples_timestamp_interval=PT1M/now'
      const { items } = (await service.send(route, undefined, options)).json()
      for (const { id } of items) await service.send(`DELETE /monitoring/metrics/${id}`, undefined, options)
    },
  }
}

function openIncidentOf({ context }: TestService, metricId: string): Promise<string> {
  return inTransaction({ ...context, merchantAccountId: 'default' }, async (tx) => {
    const metric = await metrics.lock(tx, metricId)
    if (!metric) throw new Error(`there is no metric ${metricId}`)
    const before = await incidents.lockOpen(tx, metricId)
    if (before) await closeIncident(tx, before)
    await openIncident(tx, metric)
    const opened = await incidents.lockOpen(tx, metricId)
    return opened?.id ?? ''
  })
}
