import type { Resource } from '#resources/resource.ts'
import { monitoringIncidentRoutes } from './incidents/routes.ts'
import { monitoringJobs } from './jobs.ts'
import { monitoringMetricRoutes } from './metrics/routes.ts'

export const monitoringResource: Resource = {
  operations: (needs) => [...monitoringMetricRoutes(needs), ...monitoringIncidentRoutes(needs)],
  jobs: monitoringJobs,
}
