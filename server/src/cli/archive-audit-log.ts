import { type ArchivedLog, archiveLog, type LogTally } from '#resources/archives/audit-log/archive.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { BEFORE, checkMonth, FOLDER, megabytes, openArchives } from './archive-folder.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { table } from './list.ts'

export const command = defineCommand({
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
      if (stopped) terminal.say(REASONS[stopped])
      if (tallies.length === 0) return terminal.say(`No entry from before ${before} can be moved.`)
      terminal.print(table([['MONTH', 'ENTRIES', 'LINKS', 'FILES', 'SIZE'], ...tallies.map(rowOf)]))
      if (isDryRun) terminal.say('Nothing was moved. Without --dry-run, it is.')
      else terminal.say(`The files are in ${opened.folder}. Copy them to where your backups are.`)
    })
  },
})

const REASONS: Readonly<Record<NonNullable<ArchivedLog['stopped']>, string>> = {
  changed: 'The name of a buyer was taken out of an entry while it was being moved: repeat this command.',
  restored: 'The log was brought back in the last 30 days, and is left alone.',
}

function rowOf({ month, entries, links, files, size }: LogTally): string[] {
  return [month, String(entries), String(links), String(files), megabytes(size)]
}
