import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ownEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { migrate } from '#platform/database/migrate.ts'
import type { Connection } from '#platform/database/open-database.ts'
import { THREE_D_SECURE_CARDS } from '#sandbox/connectors/mock-three-ds/connector.ts'
import { MIGRATIONS } from '../app.ts'
import { guardedFolder, removeLeftovers } from './guard.ts'
import { guard, refusedMove } from './model/guard.ts'
import { removeDataFolder } from './remove-data-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the server's socket. */
    databaseHost: string
  }
}

export const TEMPLATE = 'template_switchyard'

/** No test needs its data after a power failure, and no table grows so much that it must be vacuumed. */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
}

/** One real PostgreSQL for the whole run. Each test file clones a migrated template into its own database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers()
  const dataDir = guardedFolder()
  const server = await ownEmbeddedPostgres({ dataDir, say: () => {}, settings: SETTINGS })
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate({ ...server.connection, database: TEMPLATE }, MIGRATIONS)
  await within({ ...server.connection, database: TEMPLATE }, guard)
  project.provide('databaseHost', String(server.connection.host))
  return async () => {
    try {
      await searchDatabases(server.connection)
    } finally {
      await server.stop()
      removeDataFolder(dataDir)
    }
  }
}

/** Card numbers that tests use. After the run, no table of any test database may hold one in the clear. */
export const CARDS = [
  ...Object.keys(THREE_D_SECURE_CARDS),
  '4111111111111111',
  '5555555555554444',
  '3566002020360505',
  '4111111100011116',
  '4929120000017778',
]

/** A service that ends searches its own database, with a connection that is open already. This searches the others. */
async function searchDatabases(connection: Connection): Promise<void> {
  const databases = await within(connection, (query) =>
    query(
      `select datname as name from pg_database
       where datname like 'test%' and shobj_description(oid, 'pg_database') is distinct from '${SEARCHED}'`,
    ),
  )
  const searchNext = async (): Promise<void> => {
    for (let next = databases.pop(); next; next = databases.pop()) await searchOne(connection, next.name)
  }
  await Promise.all([searchNext(), searchNext()])
}

const SEARCHED = 'searched'

async function searchOne(connection: Connection, database: string): Promise<void> {
  const found = await within({ ...connection, database }, (query) => searchDatabase(database, query))
  if (found !== undefined) throw new Error(found)
}

/**
 * What must not be in any database: a card number, or a change that the model of payments does not have. If there is none, notes
 * that the database was searched.
 */
export async function searchDatabase(database: string, query: Query): Promise<string | undefined> {
  const move = await refusedMove(query)
  if (move !== undefined) return `a move that server/src/testing/model/table.ts does not have: ${move}`
  const searches = (await query(FILLED)).map(
    ({ name }) => `select '${name}' as name from ${name} as t where t::text ~ '${CARDS.join('|')}'`,
  )
  const found = searches.length > 0 ? await query(`${searches.join(' union all ')} limit 1`) : []
  if (!found[0]) await query(`comment on database ${database} is '${SEARCHED}'`)
  return found[0] && `a card number stands in the clear in ${found[0].name} of ${database}`
}

/** Most tables are empty, and to plan a search of all takes longer than the search. A table without a page has no row. */
export const FILLED = `
  select format('%I.%I', nspname, relname) as name
  from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where relkind = 'r' and nspname in ('public', 'vault', 'simulator', 'issuer') and pg_relation_size(pg_class.oid) > 0`

type Query = (text: string) => Promise<{ name: string }[]>

async function within<Result>(
  connection: Connection,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(async (text) => (await client.query<{ name: string }>(text)).rows)
  } finally {
    await client.end()
  }
}
