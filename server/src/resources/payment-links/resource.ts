import type { Resource } from '#resources/resource.ts'
import { paymentLinkJobs } from './jobs.ts'
import { paymentLinkRoutes } from './routes.ts'

export const paymentLinkResource: Resource = { operations: paymentLinkRoutes, jobs: paymentLinkJobs }
