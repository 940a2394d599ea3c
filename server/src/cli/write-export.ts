import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { secretsFrom } from '#platform/access/secrets.ts'
import { exportTo } from '#platform/portable/export.ts'
import { refuseOtherInstance } from '#platform/process/instance.ts'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../config.ts'
import { withServer } from './foundation.ts'
import { progressBar } from './sandbox.ts'
import type { Terminal } from './terminal.ts'

/** Writes the rows of the database to a new file. `switchyard export` and `switchyard backup` do the same. */
export async function writeExport(terminal: Terminal, config: Config, file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} exists. Name another file, or move it away.`)
  const folder = dirname(resolve(file))
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder}. Make it, or name another file.`)
  const [{ secretOf }, { handleOn }] = await Promise.all([
    import('../bring-up-to-date.ts'),
    import('#platform/database/open-database.ts'),
  ])
  const secrets = secretsFrom(secretOf(config))
  const bar = progressBar(terminal)
  await withServer(terminal, config, async ({ connection }) => {
    const { systemClock } = await import('#platform/process/clock.ts')
    const { rows, tables } = await exportTo(connection, {
      file,
      programVersion: manifest.version,
      now: systemClock(),
      mac: secrets.mac,
      check: (client) => refuseOtherInstance({ db: handleOn(client) }, config.environment, secrets),
      onProgress: (now) => bar.show(now.rows / now.total, now.table),
    }).finally(bar.clear)
    terminal.say(`Wrote ${rows} rows of ${tables} tables to ${file}.`)
    terminal.say('It holds no keys. Keep those elsewhere: without them, the file cannot be used.')
  })
}
