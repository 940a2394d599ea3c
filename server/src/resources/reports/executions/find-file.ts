import type { FileStorage } from '#platform/file-storage/storage.ts'
import { errors } from '#platform/http/errors.ts'
import type { ShownExecution, StoredExecution } from './store.ts'

const NAME_MAX = 60

const NOT_YET = 'there is no file yet: wait until the execution has succeeded'
const FAILED = 'there is no file: the execution failed. Create a report with the schedule once to try again'
const REMOVED = 'the file is no longer kept: create a report with the schedule once for the same time'
const ELSEWHERE =
  'the file is not in the storage that this process uses. The operator must set REPORTS_DIR to a folder that all processes ' +
  'share, or REPORTS_S3_URL to a bucket, in all processes alike'

/** The key of an execution's file, or a 404 that says why there is none. */
export async function findFile(storage: FileStorage, execution: StoredExecution): Promise<string> {
  const { status, file_key, stored_in } = execution
  if (status === 'failed') throw errors.noSuchPath(FAILED)
  if (status !== 'succeeded') throw errors.noSuchPath(NOT_YET)
  if (file_key === null) throw errors.noSuchPath(REMOVED)
  if (stored_in !== (await storage.place())) throw errors.noSuchPath(ELSEWHERE)
  return file_key
}

/** The row says that there is a file, but the storage has none. */
export function fileIsGone() {
  return errors.noSuchPath(REMOVED)
}

/** What a browser calls the file: letters and digits of the report's name, and the time that it is about. */
export function fileName({ report_name, reference_timestamp }: ShownExecution): string {
  const name = report_name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_MAX)
    .replaceAll(/^-+|-+$/g, '')
  const time = reference_timestamp.toISOString().slice(0, 16).replaceAll(':', '')
  return `${name || 'report'}-${time}.csv`
}
