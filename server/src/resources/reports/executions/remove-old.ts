import type { Context } from '#platform/db.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { failTogether } from '#platform/jobs.ts'
import * as executions from './store.ts'

const BATCH = 100
const DAY_MS = 86_400_000

type Removal = {
  readonly context: Context
  readonly reportFiles: FileStorage
  readonly reportRetentionDays: number
}

/** The job: removes files after their time. Their executions stay. */
export async function removeOldFiles(
  { context, reportFiles, reportRetentionDays }: Removal,
  stopping: AbortSignal,
): Promise<void> {
  const before = new Date(context.clock().getTime() - reportRetentionDays * DAY_MS)
  const place = await reportFiles.place()
  const failures: unknown[] = []
  while (!stopping.aborted && failures.length === 0) {
    const old = await executions.withFile(context, { before, limit: BATCH })
    for (const { id, file_key, stored_in } of old) {
      try {
        // A file at a place that is no longer used stays there, out of reach.
        if (file_key !== null && stored_in === place) await reportFiles.remove(file_key)
        await executions.forgetFile(context, id)
      } catch (error) {
        failures.push(error)
      }
    }
    if (old.length < BATCH) break
  }
  await reportFiles.tidy()
  failTogether(failures)
}

/** When the next file is to be removed. */
export async function nextRemovalAt({ context, reportRetentionDays }: Removal): Promise<Date | null> {
  const oldest = await executions.oldestFileAt(context)
  return oldest && new Date(oldest.getTime() + reportRetentionDays * DAY_MS + 1)
}
