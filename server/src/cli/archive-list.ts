import { readArchive } from '#resources/archives/read-file.ts'
import * as archives from '#resources/archives/store.ts'
import * as archived from '#resources/audit-logs/archived/store.ts'
import { readConfig } from '../config.ts'
import { archiveFolder, archiveStorage, FOLDER, megabytes } from './archive-folder.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { table } from './list.ts'
import { reasonOf, type Terminal } from './terminal.ts'

export const command = defineCommand({
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
