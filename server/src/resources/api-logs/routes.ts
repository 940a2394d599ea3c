import type { Secrets } from '#platform/access/secrets.ts'
import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import { errors } from '#platform/http/errors.ts'
import { type Operation, operation } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import type { Resource } from '#resources/resource.ts'
import { accountsOf, listApiLogs, toApiLog } from './list.ts'
import type { ApiLogWriter } from './log.ts'
import { ApiLog, ApiLogFilters, ApiLogs } from './schemas.ts'
import * as apiLogs from './store.ts'
import { oldest, removeOld } from './store.ts'

type Needs = { readonly secrets: Secrets; readonly apiLog: ApiLogWriter }

function apiLogRoutes({ secrets, apiLog }: Needs): Operation[] {
  return [
    operation({
      id: 'list_api_logs',
      route: 'GET /api-logs',
      tag: 'API logs',
      summary: 'List API logs',
      description:
        'The requests to this API and how they were answered, newest first, without bodies. They are kept for 7 days, or as ' +
        '`API_LOG_RETENTION_DAYS` says. They are written a second later, beside the requests: those of the last second are missing ' +
        'if a process was killed.',
      scope: 'api-logs.read',
      concerns: 'merchant-account',
      isList: true,
      query: ApiLogFilters,
      responses: { 200: ApiLogs },
      handler: async ({ context, reach, callerReach, query }) => {
        // Those of this process, so that a caller sees the requests that it has just made.
        await apiLog.flush()
        return listApiLogs(context, secrets, { reach, callerReach }, query)
      },
    }),

    operation({
      id: 'get_api_log',
      route: 'GET /api-logs/:api_log_id',
      tag: 'API logs',
      summary: 'Get API log',
      scope: 'api-logs.read',
      concerns: 'merchant-account',
      params: Strict({ api_log_id: Uuid() }),
      responses: { 200: ApiLog },
      handler: async ({ context, reach, callerReach, params }) => {
        const accounts = await accountsOf(context, { reach, callerReach })
        const row = await apiLogs.find(context, accounts, params.api_log_id)
        if (!row) throw errors.notFound()
        return toApiLog(row)
      },
    }),
  ]
}

export const purgeApiLogs = retentionJob<PurgeNeeds>({
  name: 'purge-old-api-logs',
  days: ({ apiLog }) => apiLog.retentionDays,
  batch: 5_000,
  removeOld,
  oldest,
})

export const apiLogResource: Resource = { operations: apiLogRoutes, jobs: [purgeApiLogs] }

type PurgeNeeds = { readonly context: Context; readonly apiLog: ApiLogWriter }
