import { readArchive } from '#resources/archives/restore.ts'
import * as archives from '#resources/archives/store.ts'
import { readConfig } from '../config.ts'
import { FOLDER, megabytes, openArchives } from './archive-folder.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { table } from './list.ts'
import { reasonOf } from './terminal.ts'

export const command = defineCommand({
  name: 'archive list',
  about: 'Lists the months of which payments were archived.',
  options: {
    folder: FOLDER,
    check: { type: 'boolean', about: 'Read every file, and say which are missing or damaged.' },
  },
  example: 'switchyard archive list --check',
  run: async (terminal, { folder, check }) => {
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const listed = await archives.inState(foundation.context, 'archived')
      if (listed.length === 0) return terminal.say('No payment is archived.')
      terminal.print(table([['MONTH', 'PAYMENTS', 'FILES', 'SIZE'], ...rowsOf(listed)]))
      const restored = await archives.inState(foundation.context, 'restored')
      for (const { file } of restored)
        terminal.say(`The payments in ${file} are back in the database. The file is a copy.`)
      if (!check) return
      const { storage } = await openArchives(config, foundation, folder)
      const problems: string[] = []
      for (const archive of listed) {
        await readArchive(storage, archive).catch((error: unknown) => problems.push(reasonOf(error)))
      }
      if (problems.length > 0)
        throw new Error(
          `${problems.length} of ${listed.length} files cannot be used.\n${problems.join('\n')}`,
        )
      terminal.say(`All ${listed.length} files are there, and are what was written.`)
    })
  },
})

function rowsOf(listed: readonly archives.StoredArchive[]): string[][] {
  const sum = (all: readonly archives.StoredArchive[], name: 'payments' | 'size') =>
    all.reduce((total, archive) => total + Number(archive[name]), 0)
  return [...Map.groupBy(listed, ({ month }) => month)].map(([month, all]) => [
    month,
    String(sum(all, 'payments')),
    String(all.length),
    megabytes(sum(all, 'size')),
  ])
}
