import { join, resolve } from 'node:path'
import type { Context } from '#platform/database/db.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { type Applied, listApplied, listTables, type Table } from '#platform/portable/tables.ts'
import { beginningOf, isMonth } from '#resources/archives/months.ts'
import { type Config, needsDataDir } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { UsageError } from './command.ts'

export const FOLDER = {
  type: 'string',
  value: 'FOLDER',
  about: 'Where the files are. Without it: archive in DATA_DIR.',
} as const

export const BEFORE = { type: 'string', value: 'MONTH', isRequired: true } as const

/** Refuses what is no month of the past. */
export function checkMonth({ clock }: Context, before: string): void {
  if (!isMonth(before)) throw new UsageError('--before must be a month, such as 2026-01.')
  if (beginningOf(before) > clock())
    throw new UsageError(`--before ${before} has not begun. Name a month of the past.`)
}

type Opened = {
  readonly folder: string
  readonly storage: FileStorage
  readonly tables: readonly Table[]
  readonly migrations: readonly Applied[]
}

/** The files of the archive. */
export function archiveStorage(folder: string): FileStorage {
  return diskStorage({ folder, linkTo: () => '' })
}

export function archiveFolder({ dataDir }: Config, named: string | undefined): string {
  return resolve(named ?? join(dataDir, 'archive'))
}

/** The folder of the archive, and the tables that it is about. */
export async function openArchives(
  config: Config,
  { pool }: Foundation,
  named: string | undefined,
): Promise<Opened> {
  if (named === undefined && !needsDataDir(config))
    throw new UsageError(
      'Name a folder that lasts with --folder. This installation keeps nothing in DATA_DIR, so files there may go with the next restart.',
    )
  const folder = archiveFolder(config, named)
  return {
    folder,
    storage: archiveStorage(folder),
    tables: await listTables(pool),
    migrations: await listApplied(pool),
  }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`
}
