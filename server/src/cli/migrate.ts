import { createCommandLogger } from '#platform/observability/log.ts'
import { bringUpToDate } from '../bring-up-to-date.ts'
import { readConfig } from '../config.ts'
import { defineCommand } from './command.ts'
import { withServer } from './foundation.ts'

export const command = defineCommand({
  name: 'migrate',
  about:
    'Brings the database up to date and prints the migrations it applied. The service does the same when it starts.',
  options: {},
  example: 'DATABASE_URL=postgresql://switchyard@db.internal/switchyard switchyard migrate',
  run: async (terminal) => {
    const { print, say } = terminal
    const logger = createCommandLogger(say)
    const config = readConfig(terminal.env)
    await withServer(terminal, config, async ({ connection }) => {
      const applied = await bringUpToDate(connection, config, { logger, isUpgrade: true })
      for (const version of applied) print(version)
      if (applied.length === 0) return say('Nothing to do: the database is up to date.')
      say(`Applied ${applied.length === 1 ? '1 migration' : `${applied.length} migrations`}.`)
    })
  },
})
