import type { Context } from '#platform/database/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { failTogether, type Job } from '#platform/process/jobs.ts'
import type { Resource } from '#resources/resource.ts'
import { beginDue } from './executions/begin.ts'
import { executionRoutes } from './executions/routes.ts'
import { serveReportFiles } from './executions/serve-file.ts'
import * as executions from './executions/store.ts'
import { type Writing, writeDueFiles } from './executions/write.ts'
import { reportRoutes } from './routes.ts'
import * as reports from './store.ts'

const BATCH = 100
const DAY_MS = 86_400_000

const reportJobs: Job<Needs>[] = [
  {
    name: 'begin-reports',
    everyMs: 5_000,
    run: ({ context }, stopping) => beginDue(context, stopping),
    nextDueAt: ({ context }) => reports.nextDueAt(context),
  },
  {
    name: 'write-report-files',
    everyMs: 1_000,
    run: writeDueFiles,
    nextDueAt: ({ context }) => executions.nextDueAt(context),
  },
  {
    name: 'remove-report-files',
    everyMs: 3_600_000,
    run: removeOldFiles,
    nextDueAt: nextRemovalAt,
  },
]

export const reportResource: Resource = {
  operations: (needs) => [...reportRoutes, ...executionRoutes(needs)],
  jobs: reportJobs,
  servePages: (app, { engine, contextOf, reportFiles, logger }) =>
    serveReportFiles(app, {
      context: contextOf('Download'),
      secrets: engine.secrets,
      storage: reportFiles,
      logger,
    }),
}

type Needs = Writing & { readonly reportRetentionDays: number }

type Removal = {
  readonly context: Context
  readonly reportFiles: FileStorage
  readonly reportRetentionDays: number
}

/**
 * The job: removes files after their time. Their executions stay. Files at another place are left to processes that use that
 * place. A file that cannot be removed holds up no other, and is tried again at the next turn.
 */
export async function removeOldFiles(
  { context, reportFiles, reportRetentionDays }: Removal,
  stopping: AbortSignal,
): Promise<void> {
  const before = new Date(context.clock().getTime() - reportRetentionDays * DAY_MS)
  const storedIn = await reportFiles.place()
  const failures: unknown[] = []
  let after: executions.FilePosition | undefined
  do {
    const old = await executions.withFile(context, { storedIn, before, after, limit: BATCH })
    for (const { id, file_key } of old) {
      if (stopping.aborted) break
      try {
        await reportFiles.remove(file_key)
        await executions.forgetFile(context, id)
      } catch (error) {
        failures.push(error)
      }
    }
    after = old.length < BATCH ? undefined : old.at(-1)
  } while (after && !stopping.aborted)
  await reportFiles.tidy()
  failTogether(failures)
}

/** When the next file is to be removed. */
async function nextRemovalAt({ context, reportFiles, reportRetentionDays }: Removal): Promise<Date | null> {
  const oldest = await executions.oldestFileAt(context, await reportFiles.place())
  return oldest && new Date(oldest.getTime() + reportRetentionDays * DAY_MS + 1)
}
