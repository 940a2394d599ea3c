import { readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { writeExport } from './write-export.ts'

export const command = defineCommand({
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
