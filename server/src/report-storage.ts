import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, realTime } from '#platform/clock.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import { s3Storage } from '#platform/file-storage/s3.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import type { Secrets } from '#platform/secrets.ts'
import { fileUrl } from '#resources/reports/executions/file-url.ts'
import { type Config, needsDataDir } from './config.ts'

type Needs = { readonly secrets: Secrets; readonly publicUrl: string; readonly clock: Clock }

/** Where the files of reports are kept, as the operator says. */
export function reportStorage(config: Config, needs: Needs): FileStorage {
  const { reportsDir, reportsS3, dataDir } = config
  if (reportsS3 === null) {
    const folder = reportsDir ?? join(dataDir, 'reports')
    return diskStorage({ folder, linkTo: (key, link) => fileUrl(needs, key, link) })
  }
  const ownFolder = needsDataDir(config) ? join(dataDir, 'reports') : join(tmpdir(), 'switchyard-reports')
  return s3Storage({ ...reportsS3, spoolFolder: reportsDir ?? ownFolder, clock: () => realTime(needs.clock) })
}
