import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { writeExport } from './write-export.ts'

export const command = defineCommand({
  name: 'export',
  about:
    'Writes every row of the database to a file, while the service runs. "switchyard import" reads it, also on another machine and into another PostgreSQL.',
  options: {},
  parameters: ['FILE'],
  example: 'switchyard export switchyard.export.gz',
  run: (terminal, _options, [file = '']) => writeExport(terminal, readConfig(terminal.env), file),
})
