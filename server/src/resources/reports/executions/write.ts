import type pg from 'pg'
import { isDatabaseAway } from '#platform/database/database-errors.ts'
import { type Context, inTransaction, type Scope, type Tx } from '#platform/database/db.ts'
import type { Replica } from '#platform/database/replica.ts'
import { type FileStorage, StorageError } from '#platform/file-storage/storage.ts'
import type { Logger } from '#platform/observability/log.ts'
import { csvLine } from '#platform/portable/csv.ts'
import { LeaseLost, renewEvery } from '#platform/queue/queue.ts'
import * as events from '#resources/events/store.ts'
import type { Reading } from '../models/model.ts'
import { REPORT_MODELS } from '../models/models.ts'
import * as reports from '../store.ts'
import { toTarget } from './show.ts'
import * as executions from './store.ts'

/** How long to wait after each failure. After the last one, the execution has failed. */
const PAUSES_MS = [30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000]
const RENEW_MS = 15_000
const UNKNOWN_REASON = 'The file could not be written. The log of the service says why.'
const WORKERS_DIED = 'Every worker that began to write the file ended before it was whole.'

export type Writing = {
  readonly context: Context
  readonly pool: pg.Pool
  readonly reportFiles: FileStorage
  readonly logger: Logger
  readonly replica?: Replica | undefined
}

/** The job: writes the files of all executions that are due, one after the other. */
export async function writeDueFiles(writing: Writing, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const execution = await executions.take(writing.context)
    if (!execution) return
    await writeOrPostpone(writing, execution, stopping)
  }
}

type Execution = executions.StoredExecution
type Task = Writing & {
  readonly scope: Scope
  readonly report: reports.StoredReport
  readonly execution: Execution
}

/** A file is always written from its beginning: a worker that dies leaves nothing that another one could serve. */
async function writeOrPostpone(writing: Writing, execution: Execution, stopping: AbortSignal): Promise<void> {
  const scope = { ...writing.context, merchantAccountId: execution.merchant_account_id }
  const report = await reports.find(scope, execution.report_id)
  if (!report) throw new Error('an execution has no report')
  const task = { ...writing, scope, report, execution }
  if (execution.tries > PAUSES_MS.length + 1) {
    return conclude(task, { status: 'failed', failure_reason: WORKERS_DIED })
  }
  try {
    await conclude(task, { status: 'succeeded', ...(await write(task, stopping)) })
  } catch (error) {
    if (error instanceof LeaseLost) return
    if (isDatabaseAway(error)) throw error
    if (error instanceof Stopped) return conclude(task, givenBack(execution))
    const facts = { err: error, report_execution_id: execution.id, tries: execution.tries }
    writing.logger.warn(facts, 'a report file was not written')
    await conclude(task, postponed(task, error))
  }
}

/** This process is about to end. Another one begins again. */
class Stopped extends Error {}

type File = Pick<Execution, 'stored_in' | 'file_key' | 'file_size' | 'file_sha256' | 'row_count'>

async function write(task: Task, stopping: AbortSignal): Promise<File> {
  const { context, reportFiles, report, execution } = task
  const renew = () => executions.renew(context, execution)
  if (!(await renew())) throw new LeaseLost()
  // Also while a storage takes its time to receive the file.
  const lease = renewEvery(RENEW_MS, renew)
  const check = () => {
    lease.lost.throwIfAborted()
    if (stopping.aborted) throw new Stopped('the process is ending')
  }
  const until = context.clock()
  const reading: Reading = {
    ...(await sourceOf(task)),
    report,
    context: execution,
    ranges: execution.ranges,
    until,
    check,
    spool: {
      folder: reportFiles.spoolFolder,
      name: keyOf(execution),
      check: async () => {
        check()
        await reportFiles.checkRoom()
      },
    },
  }
  const model = REPORT_MODELS[report.model]
  const counter = { rows: 0 }
  try {
    // What workers before this one have left would take the room of this file.
    if (execution.fence > 1) await reportFiles.discard(beginningOf(execution))
    const stored_in = await reportFiles.place()
    const file_key = keyOf(execution)
    const lines = linesOf(model.columnsOf(report.params), model.read(reading), { check, counter })
    const { size, sha256 } = await reportFiles.put(file_key, lines)
    return {
      stored_in,
      file_key,
      file_size: String(size),
      file_sha256: sha256,
      row_count: String(counter.rows),
    }
  } finally {
    lease.end()
  }
}

/** Everything that is committed by now has to be in the file. A replica may cancel a long statement: the second try does not use it. */
async function sourceOf({ context, pool, replica, execution }: Task): Promise<Pick<Reading, 'db' | 'pool'>> {
  const own = { db: context.db, pool }
  return replica && execution.tries <= 1 ? replica.caughtUp() : own
}

type Guard = Pick<Reading, 'check'> & { readonly counter: { rows: number } }

async function* linesOf(
  columns: readonly string[],
  pages: AsyncIterable<readonly (readonly (string | null)[])[]>,
  { check, counter }: Guard,
): AsyncGenerator<Buffer> {
  yield Buffer.from(csvLine(columns))
  for await (const rows of pages) {
    check()
    counter.rows += rows.length
    let text = ''
    for (const row of rows) text += csvLine(row)
    if (text !== '') yield Buffer.from(text)
  }
}

type End = Parameters<typeof executions.conclude>[2]

/** The status and its event are one commit. */
async function conclude({ reportFiles, scope, report, execution }: Task, end: End): Promise<void> {
  const ended = await inTransaction(scope, async (tx: Scope<Tx>) => {
    const after = await executions.conclude(tx, execution, end)
    if (after && end.status !== 'pending') {
      await events.publish(tx, [`report-execution.${end.status}`], toTarget(after, report))
    }
    return after
  })
  for (const fence of leftBy(execution, ended)) {
    // A storage that is away keeps them. They are served to no one.
    await reportFiles.remove(keyOf({ ...execution, fence })).catch(() => {})
  }
}

/** The fences of workers whose files are not wanted: of earlier ones, or of this one if another has taken over. */
function leftBy({ fence }: Execution, ended: Execution | undefined): number[] {
  if (!ended) return [fence]
  if (ended.status === 'pending') return []
  const last = ended.status === 'succeeded' ? fence - 1 : fence
  return Array.from({ length: last }, (_none, index) => index + 1)
}

/** Each worker writes a file of its own, so that one that was overtaken destroys nothing. */
function keyOf({ id, fence }: Pick<Execution, 'id' | 'fence'>): string {
  return `${beginningOf({ id })}${fence}.csv`
}

/** How the keys of all workers of an execution begin. */
function beginningOf({ id }: Pick<Execution, 'id'>): string {
  return `${id}-`
}

function givenBack({ due_at, tries, failure_reason }: Execution): End {
  if (due_at === null) throw new Error('an execution that has ended is given back')
  return { status: 'pending', due_at, tries: tries - 1, failure_reason }
}

function postponed({ execution: { tries }, context: { clock } }: Task, error: unknown): End {
  const failure_reason = error instanceof StorageError ? error.message : UNKNOWN_REASON
  const pause = PAUSES_MS[tries - 1]
  if (pause === undefined) return { status: 'failed', failure_reason }
  return { status: 'pending', due_at: new Date(clock().getTime() + pause), tries, failure_reason }
}
