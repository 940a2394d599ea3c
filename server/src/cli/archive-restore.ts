import type { Context } from '#platform/database/db.ts'
import { restoreLog } from '#resources/archives/audit-log/restore.ts'
import { isMonth } from '#resources/archives/months.ts'
import { type Restoring, restoreArchive } from '#resources/archives/restore.ts'
import * as archives from '#resources/archives/store.ts'
import { readConfig } from '../config.ts'
import { FOLDER, openArchives } from './archive-folder.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation } from './foundation.ts'
import type { Terminal } from './terminal.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const command = defineCommand({
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
