import { readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { readExport } from './read-export.ts'

export const command = defineCommand({
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
