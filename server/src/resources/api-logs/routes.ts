import { sql } from 'kysely'
import { createdAt } from '#domain/ids.ts'
import type { Context } from '#platform/database/db.ts'
import { retentionJob } from '#platform/database/retention.ts'
import { orNotFound } from '#platform/http/errors.ts'
import { type Operation, operationsOf, type Reach } from '#platform/http/operation.ts'
import { Strict, Uuid } from '#platform/http/schemas.ts'
import { timeBounds } from '#platform/listing/bounds.ts'
import { anyOf, hidden } from '#platform/listing/branches.ts'
import { inColumn } from '#platform/listing/filters.ts'
import { listFiltered } from '#platform/listing/list-filtered.ts'
import type { Collection } from '#platform/listing/pagination.ts'
import type { Filter, ReadTable } from '#platform/listing/table.ts'
import * as merchantAccounts from '#resources/merchant-accounts/store.ts'
import type { Resource } from '#resources/resource.ts'
import type { ApiLogWriter } from './log.ts'
import { ApiLog, ApiLogFilters, ApiLogs } from './schemas.ts'
import * as apiLogs from './store.ts'
import { COLUMNS, INSTALLATION, oldest, removeOld, type StoredApiLog } from './store.ts'

const operation = operationsOf({ tag: 'API logs', scope: 'api-logs.read', concerns: 'merchant-account' })

const TABLE: ReadTable<StoredApiLog> = {
  name: 'api_logs',
  read: (keys) => sql<StoredApiLog>`
    select ${sql.join(COLUMNS.map((column) => sql.ref(`api_logs.${column}`)))}
    from (${keys}) as page
    join api_logs on api_logs.merchant_account_id = page.merchant_account_id and api_logs.id = page.id`,
}

type Needs = { readonly apiLog: ApiLogWriter }

function apiLogRoutes({ apiLog }: Needs): Operation[] {
  return [
    operation({
      id: 'list_api_logs',
      route: 'GET /api-logs',
      summary: 'List API logs',
      description:
        'The requests to this API and how they were answered, newest first, without bodies. They are kept for 7 days, or as ' +
        '`API_LOG_RETENTION_DAYS` says. They are written a second later, beside the requests: those of the last second are missing ' +
        'if a process was killed.',
      isList: true,
      query: ApiLogFilters,
      responses: { 200: ApiLogs },
      handler: async ({ context, reach, callerReach, query }) => {
        // Those of this process, so that a caller sees the requests that it has just made.
        await apiLog.flush()
        return listApiLogs(context, { reach, callerReach }, query)
      },
    }),

    operation({
      id: 'get_api_log',
      route: 'GET /api-logs/:api_log_id',
      summary: 'Get API log',
      params: Strict({ api_log_id: Uuid() }),
      responses: { 200: ApiLog },
      handler: async ({ context, reach, callerReach, params }) => {
        const accounts = await accountsOf(context, { reach, callerReach })
        return toApiLog(orNotFound(await apiLogs.find(context, accounts, params.api_log_id)))
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

type Reaches = { readonly reach: Reach; readonly callerReach: Reach }

/** Newest first. */
async function listApiLogs(
  context: Context,
  reaches: Reaches,
  { cursor, limit, ...given }: ApiLogFilters,
): Promise<Collection<ApiLog>> {
  const list = { name: 'api-logs', page: { cursor, limit }, mac: context.mac, table: TABLE }
  const reach = await accountsOf(context, reaches)
  const wanted = { db: context.db, reach, bounds: timeBounds(given), filters: readFilters(given) }
  const page = await listFiltered(list, wanted)
  return { ...page, items: page.items.map(toApiLog) }
}

/** Requests of the whole installation are shown to callers who can reach every merchant account. */
async function accountsOf(context: Context, { reach, callerReach }: Reaches): Promise<readonly string[]> {
  const accounts = reach === 'all' ? await merchantAccounts.allIds(context) : reach
  return callerReach === 'all' ? [...accounts, INSTALLATION] : accounts
}

/** The filter that is likely to match the fewest requests comes first. */
function readFilters({
  request_id,
  status_class,
  caller_id,
  method,
  path_prefix,
}: Partial<ApiLogFilters>): Filter[] {
  return [
    ...(request_id === undefined
      ? []
      : [inColumn(TABLE, { name: 'request_id', type: 'text' }, [request_id])]),
    ...(status_class === undefined ? [] : [withStatus(status_class)]),
    ...(caller_id === undefined ? [] : [inColumn(TABLE, { name: 'caller_id', type: 'uuid' }, [caller_id])]),
    ...(path_prefix === undefined
      ? []
      : [{ sql: sql<boolean>`starts_with(api_logs.path, ${hidden(path_prefix, 'text')})` }]),
    ...(method === undefined ? [] : [{ sql: sql<boolean>`api_logs.method = ${hidden(method, 'text')}` }]),
  ]
}

/** Only failures have an index. Most requests succeed, so the list itself leads to them. */
function withStatus(classes: readonly string[]): Filter {
  if (!classes.includes('2xx')) return inColumn(TABLE, { name: 'failure', type: 'text' }, classes)
  const firsts = classes.map((name) => Number(name[0]))
  return { sql: sql<boolean>`api_logs.status / 100 = ${anyOf(firsts, 'integer')}` }
}

function toApiLog(row: StoredApiLog): ApiLog {
  const { caller_type: type, caller_id: id, caller_name: name } = row
  return {
    type: 'api-log',
    id: row.id,
    merchant_account_id: row.merchant_account_id === INSTALLATION ? null : row.merchant_account_id,
    request_id: row.request_id,
    method: row.method as ApiLog['method'],
    path: row.path,
    operation_id: row.operation_id,
    status: row.status,
    duration_ms: row.duration_ms,
    caller: type === null ? null : { type, id: id ?? '', name: name ?? '' },
    has_idempotency_key: row.has_idempotency_key,
    error: row.error,
    created_at: createdAt(row.id).toISOString(),
  } as ApiLog
}
