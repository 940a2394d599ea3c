import type { Resource } from '#resources/resource.ts'
import { purgeApiLogs } from './purge-old.ts'
import { apiLogRoutes } from './routes.ts'

export const apiLogResource: Resource = { operations: apiLogRoutes, jobs: [purgeApiLogs] }
