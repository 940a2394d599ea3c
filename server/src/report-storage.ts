import { join } from 'node:path'
import type { Secrets } from '#platform/access/secrets.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import { s3Storage } from '#platform/file-storage/s3.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { type Clock, realTime } from '#platform/process/clock.ts'
import { fileUrl } from '#resources/reports/executions/file-url.ts'
import type { Config } from './config.ts'

type Needs = { readonly secrets: Secrets; readonly publicUrl: string; readonly clock: Clock }

/** Where the files of reports are kept, as the operator says. */
export function reportStorage(config: Config, needs: Needs): FileStorage {
  const { reportsS3 } = config
  const folder = reportFolder(config)
  if (reportsS3 === null) {
    return diskStorage({ folder, linkTo: (key, link) => fileUrl(needs, key, link) })
  }
  return s3Storage({ ...reportsS3, spoolFolder: folder, clock: () => realTime(needs.clock) })
}

/** The folder in which files are kept, or collected before they go to a bucket. */
export function reportFolder({ reportsDir, dataDir }: Config): string {
  return reportsDir ?? join(dataDir, 'reports')
}
