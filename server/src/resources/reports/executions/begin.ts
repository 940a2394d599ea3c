import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import { failTogether } from '#platform/process/jobs.ts'
import { type ExecutionContext, latestExecution, nextExecution, resolveRange } from '../schedule.ts'
import { RANGE_FILTERS, type RangedParams } from '../spec.ts'
import * as reports from '../store.ts'
import * as executions from './store.ts'

/**
 * A payment's id is made a moment before its row is committed. So the file of a day is begun a little after the day is over,
 * or it would miss the last payments.
 */
const SETTLE_MS = 30_000

type Beginning = { readonly reference: Date; readonly dueAt: Date }

/** Puts an execution in the queue. If there is one for this time, nothing happens. */
export async function begin(
  tx: Scope<Tx>,
  report: reports.StoredReport,
  { reference, dueAt }: Beginning,
): Promise<void> {
  const context = { reference_timestamp: reference, reference_timezone: report.schedule_timezone }
  await executions.insert(tx, {
    report_id: report.id,
    ...context,
    ranges: rangesOf(report, context),
    due_at: dueAt,
  })
}

/**
 * The job: begins an execution of every report whose time has come, however often it has come meanwhile. A report that cannot be
 * begun holds up no other, and is tried again at the next turn.
 */
export async function beginDue(context: Context, stopping: AbortSignal): Promise<void> {
  const broken = new Map<string, unknown>()
  while (!stopping.aborted && (await beginNext(context, broken))) {
    // Goes on until none is due.
  }
  failTogether([...broken.values()])
}

async function beginNext(context: Context, broken: Map<string, unknown>): Promise<boolean> {
  let taken: reports.StoredReport | undefined
  try {
    await inTransaction(context, async (tx) => {
      taken = await reports.lockDue(tx, [...broken.keys()])
      if (taken) await beginLatest(tx, taken)
    })
  } catch (error) {
    if (!taken || isDatabaseAway(error)) throw error
    broken.set(taken.id, error)
  }
  return taken !== undefined
}

async function beginLatest(tx: Context<Tx>, report: reports.StoredReport): Promise<void> {
  const now = tx.clock()
  const reference = latestExecution(report, now)
  const dueAt = new Date(reference.getTime() + SETTLE_MS)
  await begin({ ...tx, merchantAccountId: report.merchant_account_id }, report, { reference, dueAt })
  await reports.scheduleNext(tx, report.id, nextExecution(report, now))
}

function rangesOf({ params }: reports.StoredReport, context: ExecutionContext): executions.Ranges {
  const { filters = {} } = params as RangedParams
  const ranges = Object.entries(filters).filter(([name]) => RANGE_FILTERS.includes(name))
  return Object.fromEntries(ranges.map(([name, range]) => [name, resolveRange(range ?? {}, context)]))
}
