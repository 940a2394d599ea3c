import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import { importFrom } from '#platform/portable/import.ts'
import type { Config } from '../config.ts'
import { withServer } from './foundation.ts'
import { progressBar } from './sandbox.ts'
import type { Terminal } from './terminal.ts'

/** Fills an empty database from a file. `switchyard import` and `switchyard restore` do the same. */
export async function readExport(terminal: Terminal, config: Config, file: string): Promise<void> {
  const [{ MIGRATIONS }, { refuseOtherOwner, secretOf }, { vaultKeySource }] = await Promise.all([
    import('../app.ts'),
    import('../bring-up-to-date.ts'),
    import('../vault-key-source.ts'),
  ])
  // Before anything is read: without its keys, the database could not be used.
  const { mac } = secretsFrom(secretOf(config))
  const source = vaultKeySource(config)
  if (source.kind === 'file' && !existsSync(source.path))
    throw new Error(`${source.path} is missing. Copy the vault key of the exported installation there.`)
  const { handleOn } = await import('#platform/database/open-database.ts')
  const bar = progressBar(terminal)
  await withServer(terminal, config, async ({ connection }) => {
    const { rows, tables } = await importFrom(connection, {
      file,
      migrations: MIGRATIONS,
      ifUsed:
        config.databaseUrl === null
          ? `Set DATA_DIR to a new folder that holds the keys alone, or stop the service and move ${join(config.dataDir, 'postgres')} away.`
          : 'Set DATABASE_URL to an empty one.',
      mac,
      onProgress: (now) => bar.show(now.bytes / now.total, `${now.rows} rows`),
      check: async (client: pg.Client) => {
        if (await refuseOtherOwner(handleOn(client), config)) return
        throw new Error('The file holds no installation: its export was made before the first start.')
      },
    }).finally(bar.clear)
    terminal.say(`Read ${rows} rows of ${tables} tables. All checksums fit, and the code of the file.`)
    terminal.say(
      'Jobs of this copy call real servers. Before you start it, read "After a restore" in docs/guide/operate.md.',
    )
  })
}
