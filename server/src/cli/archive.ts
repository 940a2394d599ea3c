import { type ArchivingPayments, archiveMonths, type MonthTally } from '#resources/archives/archive.ts'
import { REASONS } from '#resources/archives/ready.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { readConfig } from '../config.ts'
import { BEFORE, checkMonth, FOLDER, megabytes, openArchives } from './archive-folder.ts'
import { defineCommand } from './command.ts'
import { withFoundation } from './foundation.ts'
import { table } from './list.ts'

export const command = defineCommand({
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
