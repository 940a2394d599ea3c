import { newId } from '#domain/ids.ts'
import type { Db } from '#platform/database/db.ts'
import { WriteBeside } from '#platform/database/write-beside.ts'
import type { ErrorDetail } from '#platform/http/errors.ts'
import type { AnsweredRequest } from '#platform/observability/observe.ts'
import type { Clock } from '#platform/process/clock.ts'
import { INSTALLATION, insert, type StoredApiLog } from './store.ts'

export type ApiLogWriter = WriteBeside<StoredApiLog>

type Options = {
  readonly db: Db
  readonly retentionDays: number
  readonly onLost: (count: number, error: unknown) => void
}

/** Writes the log beside the requests: a thousand requests a second are one statement a second. */
export function openApiLog({ db, ...options }: Options): ApiLogWriter {
  return new WriteBeside({
    ...options,
    insert: (rows) => insert(db, rows),
    pauseMs: 1_000,
    batch: 1_000,
    waitingMax: 10_000,
  })
}

const PATH_MAX = 1_000
const DETAILS_MAX = 20
/** Refused requests without a known caller are logged this often, so that a stranger cannot fill the disk. */
const STRANGERS_PER_MINUTE = 100
const MINUTE_MS = 60_000

/** Adds requests to the log. Those who read the log would otherwise see mostly themselves, so they are left out. */
export function requestRecorder(log: ApiLogWriter, clock: Clock): (request: AnsweredRequest) => void {
  let strangers = 0
  let minute = 0
  return (request) => {
    if (!log.isKept || request.path.startsWith('/api-logs')) return
    const nowMs = clock().getTime()
    if (request.caller === null && request.status >= 400) {
      const current = Math.floor(nowMs / MINUTE_MS)
      strangers = current === minute ? strangers + 1 : 1
      minute = current
      if (strangers > STRANGERS_PER_MINUTE) return
    }
    log.add(rowOf(request, nowMs))
  }
}

function rowOf(request: AnsweredRequest, nowMs: number): StoredApiLog {
  const { caller, refusal } = request
  const durationMs = Math.max(0, Math.round(request.durationMs))
  return {
    merchant_account_id: request.merchantAccountId ?? INSTALLATION,
    id: newId(nowMs - durationMs),
    request_id: request.requestId,
    method: request.method,
    path: storable(request.path.slice(0, PATH_MAX)),
    operation_id: request.operationId,
    status: request.status,
    duration_ms: durationMs,
    caller_type: caller?.kind ?? null,
    caller_id: caller?.id ?? null,
    caller_name: caller?.name ?? null,
    has_idempotency_key: request.hasIdempotencyKey,
    error: refusal && { ...refusal, details: refusal.details.slice(0, DETAILS_MAX).map(storableDetail) },
  }
}

/** Paths and names of fields can have any character. */
function storableDetail(detail: ErrorDetail): ErrorDetail {
  return { ...detail, pointer: storable(detail.pointer), message: storable(detail.message) }
}

/** PostgreSQL refuses zero bytes and half characters, and with them all rows of the statement. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
