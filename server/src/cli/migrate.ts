import { MIGRATIONS } from '../app.ts'
import { readConfig } from '../config.ts'
import { migrate } from '../platform/migrate.ts'
import { defineCommand } from './command.ts'
import { withServer } from './foundation.ts'
import { print, say } from './terminal.ts'

export const command = defineCommand({
  name: 'migrate',
  about:
    'Brings the database up to date and prints the migrations it applied. The service does the same when it starts.',
  options: {},
  example: 'DATABASE_URL=postgresql://switchyard@db.internal/switchyard switchyard migrate',
  run: () =>
    withServer(readConfig(), async ({ connection }) => {
      const applied = await migrate(connection, MIGRATIONS)
      for (const version of applied) print(version)
      if (applied.length === 0) return say('Nothing to do: the database is up to date.')
      say(`Applied ${applied.length === 1 ? '1 migration' : `${applied.length} migrations`}.`)
    }),
})
