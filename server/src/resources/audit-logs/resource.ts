import type { Resource } from '#resources/resource.ts'
import { auditLogJobs } from './jobs.ts'
import { auditLogReading } from './readings.ts'
import { auditLogRoutes } from './routes.ts'

export const auditLogResource: Resource = {
  operations: auditLogRoutes,
  jobs: auditLogJobs,
  readings: [auditLogReading],
}
