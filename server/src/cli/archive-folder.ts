import { join, resolve } from 'node:path'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { type Applied, listApplied, listTables, type Table } from '#platform/portable/tables.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'

export const FOLDER = {
  type: 'string',
  value: 'FOLDER',
  about: 'Where the files are. Without it: archive in DATA_DIR.',
} as const

type Opened = {
  readonly folder: string
  readonly storage: FileStorage
  readonly tables: readonly Table[]
  readonly migrations: readonly Applied[]
}

/** The folder of the archive, and the tables that it is about. */
export async function openArchives(
  { dataDir }: Config,
  { pool }: Foundation,
  named: string | undefined,
): Promise<Opened> {
  const folder = resolve(named ?? join(dataDir, 'archive'))
  return {
    folder,
    storage: diskStorage({ folder, linkTo: () => '' }),
    tables: await listTables(pool),
    migrations: await listApplied(pool),
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`
}
