import type pg from 'pg'
import type { Db } from '#platform/database/db.ts'
import type { Ranges } from '../executions/store.ts'
import type { ExecutionContext } from '../schedule.ts'
import type { Row, Spool } from '../spooled-runs.ts'
import type { StoredReport } from '../store.ts'

/** What a model reads from, and for which report. */
export type Reading = {
  readonly db: Db
  readonly pool: pg.Pool
  readonly report: Pick<StoredReport, 'merchant_account_id' | 'schedule' | 'params'>
  readonly context: ExecutionContext
  readonly ranges: Ranges
  /** Rows that come after this time are not read, so that reading ends. */
  readonly until: Date
  /** Throws if the work has to end: the process is ending, or another worker has taken over. */
  readonly check: () => void
  /** For rows that do not fit into memory while they are sorted. */
  readonly spool: Spool
}

/** A kind of report: its columns, and its rows, a page at a time. */
export type Model = {
  readonly columnsOf: (params: Reading['report']['params']) => readonly string[]
  readonly read: (reading: Reading) => AsyncIterable<readonly Row[]>
}
