import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import { secretsFrom } from '#platform/access/secrets.ts'
import { exportTo } from '#platform/portable/export.ts'
import { importFrom } from '#platform/portable/import.ts'
import { refuseOtherInstance } from '#platform/process/instance.ts'
import manifest from '../../../package.json' with { type: 'json' }
import { type Config, readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { withServer } from './foundation.ts'
import { progressBar, type Terminal } from './terminal.ts'

export const exportCommand = defineCommand({
  name: 'export',
  about:
    'Writes every row of the database to a file, while the service runs. "switchyard import" reads it, also on another machine and into another PostgreSQL.',
  options: {},
  parameters: ['FILE'],
  example: 'switchyard export switchyard.export.gz',
  run: (terminal, _options, [file = '']) => writeExport(terminal, readConfig(terminal.env), file),
})

export const importCommand = defineCommand({
  name: 'import',
  about:
    'Fills the empty database at DATABASE_URL from a file of "switchyard export" or "switchyard backup". An import that fails leaves no row, and can be started again.',
  options: {},
  parameters: ['FILE'],
  example:
    'DATABASE_URL=postgresql://switchyard@db.internal/switchyard switchyard import switchyard.export.gz',
  run: async (terminal, _options, [file = '']) => {
    const config = readConfig(terminal.env)
    if (config.databaseUrl === null)
      throw new UsageError(
        'Set DATABASE_URL to an empty database. For the embedded one, use: switchyard restore',
      )
    await readExport(terminal, config, file)
  },
})

export const backupCommand = defineCommand({
  name: 'backup',
  about:
    'Writes the embedded database to a file, while the service runs. It holds no keys: keep those elsewhere.',
  options: {},
  parameters: ['FILE'],
  example: 'switchyard backup switchyard.backup.gz',
  run: async (terminal, _options, [file = '']) => {
    const config = readConfig(terminal.env)
    if (config.databaseUrl !== null)
      throw new UsageError(
        'DATABASE_URL is set, and this is for the embedded database. Use pg_dump, or: switchyard export',
      )
    await writeExport(terminal, config, file)
  },
})

export const restoreCommand = defineCommand({
  name: 'restore',
  about:
    'Fills a new embedded database from a file of "switchyard backup" or "switchyard export". Put the keys into DATA_DIR first. A restore that fails leaves no row, and can be started again.',
  options: {},
  parameters: ['FILE'],
  example: 'switchyard restore switchyard.backup.gz',
  run: async (terminal, _options, [file = '']) => {
    const config = readConfig(terminal.env)
    if (config.databaseUrl !== null)
      throw new UsageError(
        'DATABASE_URL is set, and this is for the embedded database. Use: switchyard import',
      )
    await readExport(terminal, config, file)
  },
})

/** Writes the rows of the database to a new file. `switchyard export` and `switchyard backup` do the same. */
async function writeExport(terminal: Terminal, config: Config, file: string): Promise<void> {
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

/** Fills an empty database from a file. `switchyard import` and `switchyard restore` do the same. */
async function readExport(terminal: Terminal, config: Config, file: string): Promise<void> {
  const [{ MIGRATIONS }, { refuseOtherOwner, secretOf }, { vaultKeySource }] = await Promise.all([
    import('../app.ts'),
    import('../bring-up-to-date.ts'),
    import('../config.ts'),
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
