import type { Context } from '#platform/db.ts'
import { isMonth } from '#resources/archives/months.ts'
import { restoreArchive } from '#resources/archives/restore.ts'
import * as archives from '#resources/archives/store.ts'
import { readConfig } from '../config.ts'
import { FOLDER, openArchives } from './archive-folder.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const command = defineCommand({
  name: 'archive restore',
  about:
    'Brings archived payments back: those of a month, or those in the files that hold a payment or the payments of a buyer. They are left in the database for 30 days at least.',
  parameters: ['WHAT'],
  options: { folder: FOLDER },
  example: 'switchyard archive restore 2026-01',
  run: async (terminal, { folder }, [what = '']) => {
    if (!isMonth(what) && !UUID.test(what)) {
      throw new UsageError('Name a month, such as 2026-01, or the id of a payment or of a buyer.')
    }
    const config = readConfig(terminal.env)
    await withFoundation(terminal, config, async (foundation) => {
      const { context } = foundation
      const opened = await openArchives(config, foundation, folder)
      await archives.alone(context, async () => {
        const wanted = await archivesOf(context, what.toLowerCase())
        if (wanted.length === 0)
          throw new Error(`Nothing of ${what} is archived. See: switchyard archive list`)
        let payments = 0
        for (const archive of wanted) {
          payments += await restoreArchive({ context, ...opened }, archive)
          terminal.say(`${archive.file} is back in the database.`)
        }
        await foundation.sealer.seal(context)
        terminal.say(`${payments} payments of ${wanted.length} files are back.`)
        terminal.say(
          'The files are left where they are. Remove them once no backup of the database is older than today.',
        )
      })
    })
  },
})

async function archivesOf(context: Context, what: string): Promise<archives.StoredArchive[]> {
  if (!isMonth(what)) return archives.holding(context, what)
  const all = await archives.inState(context, 'archived')
  return all.filter(({ month }) => month === what)
}
