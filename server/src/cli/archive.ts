import { join, resolve } from 'node:path'
import type { Context } from '#platform/database/db.ts'
import { diskStorage } from '#platform/file-storage/disk.ts'
import type { FileStorage } from '#platform/file-storage/storage.ts'
import { type Applied, listApplied, listTables, type Table } from '#platform/portable/tables.ts'
import { type ArchivingPayments, archiveMonths, type MonthTally } from '#resources/archives/archive.ts'
import { type ArchivedLog, archiveLog, type LogTally } from '#resources/archives/audit-log/archive.ts'
import { restoreLog } from '#resources/archives/audit-log/restore.ts'
import { beginningOf, isMonth } from '#resources/archives/months.ts'
import { readArchive } from '#resources/archives/read-file.ts'
import { REASONS } from '#resources/archives/ready.ts'
import { type Restoring, restoreArchive } from '#resources/archives/restore.ts'
import * as archives from '#resources/archives/store.ts'
import * as archived from '#resources/audit-logs/archived/store.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { type Config, needsDataDir, readConfig } from '../config.ts'
import type { Foundation } from '../open-foundation.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import { reasonOf, type Terminal, table } from './terminal.ts'

export const FOLDER = {
  type: 'string',
  value: 'FOLDER',
  about: 'Where the files are. Without it: archive in DATA_DIR.',
} as const

const BEFORE = { type: 'string', value: 'MONTH', isRequired: true } as const

/** Refuses what is no month of the past. */
function checkMonth({ clock }: Context, before: string): void {
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

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 0)} MB`
}

export const archivePayments = defineCommand({
  name: 'archive',
  about:
    'Moves payments from before a month to files, with everything that belongs to them, while the service runs. Payments that are not finished, or have changed in the last 180 days, stay. "switchyard archive restore" brings payments back. "switchyard archive audit-log" moves entries of the audit log.',
  options: {
    before: { ...BEFORE, about: 'Payments made before this month are moved, by UTC.' },
    folder: FOLDER,
    'dry-run': { type: 'boolean', about: 'Only count what would be moved, and what would stay.' },
  },
  example: 'switchyard archive --before 2026-01',
  run: async (terminal, { before, folder, 'dry-run': isDryRun }) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { context } = foundation
      checkMonth(context, before)
      const opened = await openArchives(config, foundation, folder)
      const onFile: ArchivingPayments['onFile'] = (month, payments) =>
        terminal.say(`${month}: ${payments} payments are in a file, and no longer in the database.`)
      const needs = { context, ...opened, programVersion: manifest.version, onFile }
      const tallies = await archiveMonths(needs, { before, isDryRun })
      await foundation.sealer.seal(context)
      if (tallies.length === 0) return terminal.say(`There is no payment from before ${before}.`)
      terminal.print(table([['MONTH', 'ARCHIVED', 'FILES', 'SIZE', 'STAY'], ...tallies.map(rowOf)]))
      for (const text of reasonsIn(tallies)) terminal.say(text)
      if (isDryRun) terminal.say('Nothing was moved. Without --dry-run, it is.')
      else terminal.say(`The files are in ${opened.folder}. Copy them to where your backups are.`)
    })
  },
})

function rowOf({ month, payments, files, size, kept }: MonthTally): string[] {
  const stay = [...kept.values()].reduce((sum, count) => sum + count, 0)
  return [month, String(payments), String(files), megabytes(size), String(stay)]
}

const OTHER_REASONS = {
  changed: 'changed, or are near payments that changed, while they were being moved: repeat this command',
  restored: 'are of a month that was brought back in the last 30 days',
}

function reasonsIn(tallies: readonly MonthTally[]): string[] {
  const words = { ...REASONS, ...OTHER_REASONS }
  return (Object.keys(words) as (keyof typeof words)[]).flatMap((reason) => {
    const count = tallies.reduce((sum, { kept }) => sum + (kept.get(reason) ?? 0), 0)
    return count === 0 ? [] : [`${count} payments ${words[reason]}.`]
  })
}

export const archiveAuditLog = defineCommand({
  name: 'archive audit-log',
  about:
    'Moves entries of the audit log from before a month to files, while the service runs. The last 90 days, and the last 100 links, stay. Names of buyers are taken out of the entries; their ids stay. "switchyard verify" checks files and database as one chain.',
  options: {
    before: { ...BEFORE, about: 'Entries made before this month are moved, by UTC.' },
    folder: FOLDER,
    'dry-run': { type: 'boolean', about: 'Only count what would be moved.' },
  },
  example: 'switchyard archive audit-log --before 2026-01',
  run: async (terminal, { before, folder, 'dry-run': isDryRun }) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { context, secrets, sealer } = foundation
      checkMonth(context, before)
      await sealer.check(context)
      const opened = await openArchives(config, foundation, folder)
      const onFile = (month: string, entries: number) =>
        terminal.say(`${month}: ${entries} entries are in a file, and no longer in the database.`)
      const needs = { context, secrets, ...opened, programVersion: manifest.version, onFile }
      const { tallies, stopped } = await archiveLog(needs, { before, isDryRun })
      await sealer.seal(context)
      if (stopped) terminal.say(LOG_REASONS[stopped])
      if (tallies.length === 0) return terminal.say(`No entry from before ${before} can be moved.`)
      terminal.print(table([['MONTH', 'ENTRIES', 'LINKS', 'FILES', 'SIZE'], ...tallies.map(logRowOf)]))
      if (isDryRun) terminal.say('Nothing was moved. Without --dry-run, it is.')
      else terminal.say(`The files are in ${opened.folder}. Copy them to where your backups are.`)
    })
  },
})

const LOG_REASONS: Readonly<Record<NonNullable<ArchivedLog['stopped']>, string>> = {
  changed: 'The name of a buyer was taken out of an entry while it was being moved: repeat this command.',
  restored: 'The log was brought back in the last 30 days, and is left alone.',
}

function logRowOf({ month, entries, links, files, size }: LogTally): string[] {
  return [month, String(entries), String(links), String(files), megabytes(size)]
}

export const archiveList = defineCommand({
  name: 'archive list',
  about: 'Lists the months of which payments, or entries of the audit log, were archived.',
  options: {
    folder: FOLDER,
    check: { type: 'boolean', about: 'Read every file, and say which are missing or damaged.' },
  },
  example: 'switchyard archive list --check',
  run: async (terminal, { folder, check }) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { context } = foundation
      const listed = await archives.inState(context, 'archived')
      const links = await archived.archived(context)
      if (listed.length + links.length === 0) return terminal.say('Nothing is archived.')
      if (listed.length > 0)
        terminal.print(table([['MONTH', 'PAYMENTS', 'FILES', 'SIZE'], ...rowsOf(listed)]))
      if (links.length > 0)
        terminal.print(table([['MONTH', 'ENTRIES', 'FILES', 'SIZE'], ...rowsOfLog(links)]))
      const restored = await archives.inState(context, 'restored')
      for (const { file } of restored)
        terminal.say(`The payments in ${file} are back in the database. The file is a copy.`)
      for (const { file } of await archived.restored(context))
        terminal.say(`The entries in ${file} are back in the database. The file is a copy.`)
      if (check)
        await checkAll(terminal, { context, storage: archiveStorage(archiveFolder(config, folder)) }, [
          ...listed,
          ...links,
        ])
    })
  },
})

async function checkAll(
  { say }: Terminal,
  reading: Parameters<typeof readArchive>[0],
  recorded: readonly Parameters<typeof readArchive>[1][],
): Promise<void> {
  const problems: string[] = []
  for (const one of recorded) {
    await readArchive(reading, one).catch((error: unknown) => problems.push(reasonOf(error)))
  }
  const count = recorded.length
  if (problems.length > 0)
    throw new Error(`${problems.length} of ${count} files cannot be used.\n${problems.join('\n')}`)
  say(`All ${count} files are there, and are what was written.`)
}

function rowsOf(listed: readonly archives.StoredArchive[]): string[][] {
  return byMonth(
    listed.map(({ month, payments, size }) => ({ month, count: Number(payments), size: Number(size) })),
  )
}

function rowsOfLog(links: readonly archived.WrittenLinks[]): string[][] {
  return byMonth(links.map(({ month, entries, size }) => ({ month, count: entries, size })))
}

type File = { readonly month: string; readonly count: number; readonly size: number }

function byMonth(files: readonly File[]): string[][] {
  const sum = (all: readonly File[], name: 'count' | 'size') =>
    all.reduce((total, file) => total + file[name], 0)
  return [...Map.groupBy(files, ({ month }) => month)].map(([month, all]) => [
    month,
    String(sum(all, 'count')),
    String(all.length),
    megabytes(sum(all, 'size')),
  ])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const archiveRestore = defineCommand({
  name: 'archive restore',
  about:
    'Brings archived payments back: those of a month, or those in the files that hold a payment or the payments of a buyer. With audit-log, brings the whole audit log back. They are left in the database for 30 days at least.',
  parameters: ['WHAT'],
  options: { folder: FOLDER },
  example: 'switchyard archive restore 2026-01',
  run: async (terminal, { folder }, [what = '']) => {
    const isLog = what === 'audit-log'
    if (!isLog && !isMonth(what) && !UUID.test(what)) {
      throw new UsageError('Name a month, such as 2026-01, the id of a payment or of a buyer, or audit-log.')
    }
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { context, sealer } = foundation
      const needs = { context, ...(await openArchives(config, foundation, folder)) }
      await archives.alone(context, async () => {
        const found = isLog ? await bringLogBack(terminal, needs) : await bringBack(terminal, needs, what)
        await sealer.seal(context)
        terminal.say(found)
        terminal.say(
          'The files are left where they are. Remove them once no backup of the database is older than today.',
        )
      })
    })
  },
})

/** Returns what to say of it in the end. */
async function bringBack({ say }: Terminal, needs: Restoring, what: string): Promise<string> {
  const wanted = await archivesOf(needs.context, what.toLowerCase())
  if (wanted.length === 0) throw new Error(`Nothing of ${what} is archived. See: switchyard archive list`)
  let payments = 0
  for (const archive of wanted) {
    payments += await restoreArchive(needs, archive)
    say(`${archive.file} is back in the database.`)
  }
  return `${payments} payments of ${wanted.length} files are back.`
}

async function bringLogBack({ say }: Terminal, needs: Restoring): Promise<string> {
  const all = await restoreLog(needs, ({ file }) => say(`${file} is back in the database.`))
  if (all.length === 0) throw new Error('Nothing of the audit log is archived. See: switchyard archive list')
  const entries = all.reduce((sum, links) => sum + links.entries, 0)
  return `${entries} entries of ${all.length} files are back.`
}

async function archivesOf(context: Context, what: string): Promise<archives.StoredArchive[]> {
  if (!isMonth(what)) return archives.holding(context, what)
  const all = await archives.inState(context, 'archived')
  return all.filter(({ month }) => month === what)
}
