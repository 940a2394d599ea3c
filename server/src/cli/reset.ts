import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { urlsOf } from '#platform/database/addresses.ts'
import { FailoverClient } from '#platform/database/failover-client.ts'
import type { Connection } from '#platform/database/open-database.ts'
import { readConfig } from '../config.ts'
import { defineCommand, UsageError } from './command.ts'
import { withFoundation, withServer } from './foundation.ts'
import { refuseProduction } from './sandbox.ts'

const SCHEMAS = ['vault', 'simulator', 'issuer']
const WORD = 'reset'
const LOOKS = 30
const LOOK_AGAIN_MS = 100

export const command = defineCommand({
  name: 'reset',
  about:
    'Deletes everything in this sandbox, and begins it again as on its first start. Keys in DATA_DIR stay as they are. Stop the service first.',
  options: { yes: { type: 'boolean', about: 'Do not ask.' } },
  example: 'switchyard reset',
  run: async (terminal, { yes }) => {
    const config = refuseProduction(readConfig(terminal.env))
    const where =
      config.databaseUrl === null ? `the sandbox in ${config.dataDir}` : databaseOf(config.databaseUrl)
    if (!yes && (await terminal.ask(`Everything in ${where} will be deleted. Type "${WORD}": `)) !== WORD)
      throw new UsageError('Nothing was deleted. To delete without a question, use --yes.')
    await withServer(terminal, config, ({ connection }) => empty(connection))
    await withFoundation(terminal, config, async () => {})
    terminal.say(`Everything in ${where} was deleted. It begins again with its first key and services.`)
  },
})

function databaseOf(url: string): string {
  const [first, ...others] = urlsOf(url).map((one) => new URL(one))
  const hosts = [first, ...others].map((one) => one?.host)
  return `the database ${first?.pathname.slice(1)} at ${hosts.join(', ')}`
}

/** One transaction: either all is gone, or nothing. */
async function empty(connection: Connection): Promise<void> {
  const client = new FailoverClient({ ...connection, application_name: 'reset' })
  await client.connect()
  try {
    await client.query("begin; set local lock_timeout = '5s'")
    await refuseOthers(client)
    await refuseProductionData(client)
    await client.query(`drop schema if exists ${SCHEMAS.join(', ')} cascade`)
    const { rows } = await client.query<{ drop: string }>(
      `select format('drop %s if exists public.%I cascade', case relkind when 'v' then 'view' else 'table' end, relname) as drop
       from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
       union all select format('drop function if exists %s cascade', oid::regprocedure)
       from pg_proc where pronamespace = 'public'::regnamespace`,
    )
    for (const { drop } of rows) await client.query(drop)
    await client.query('commit')
  } finally {
    await client.end()
  }
}

/** A service that runs would go on with what it remembers. A command that has just ended leaves its session for a moment. */
async function refuseOthers(client: pg.Client): Promise<void> {
  for (let look = 1; await isUsed(client); look += 1) {
    if (look === LOOKS) throw new Error('A service or a command uses this sandbox. Stop it first.')
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Without its first half, the second look of a transaction would see what the first one saw. */
async function isUsed(client: pg.Client): Promise<boolean> {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    `select from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'switchyard%'`,
  )
  return rows.length > 0
}

/** The setting may be wrong. The database knows what it is. */
async function refuseProductionData(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select to_regclass('public.instance') is not null as found")
  if (!rows[0].found) throw new Error('There is no installation in this database, so nothing was deleted.')
  const { rows: instances } = await client.query('select environment from instance')
  if (instances.some(({ environment }) => environment !== 'sandbox'))
    throw new Error('This database belongs to a production installation. Nothing was deleted.')
}
