import { readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { readExport } from './read-export.ts'

export const command = defineCommand({
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
