import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#platform/database/migrate.ts'
import type { Connection } from '#platform/database/open-database.ts'
import { MIGRATIONS } from '../../app.ts'

export type Request = {
  readonly route: string
  readonly body?: object
  readonly key: string
  readonly account?: string
}

/** Facts beside a dump: what its maker knew, and the keys that open it. */
export type Facts = {
  readonly madeAt: string
  /** The sandbox's own time then, if its clock had been moved. */
  readonly clock?: string
  /** Tables that its maker could not fill. */
  readonly empty?: readonly string[]
  readonly migrations: readonly string[]
  /**
   * Made for this dump. They open nothing else and protect nothing: every number in the dump is a public test
   * number.
   */
  readonly keys: {
    readonly SECRET_KEY: string
    readonly VAULT_KEY: string
    readonly admin: { readonly pem: string; readonly kid: string; readonly algorithm: string }
  }
  /** Requests whose sender never got an answer. */
  readonly unanswered: readonly Request[]
  // biome-ignore lint/suspicious/noExplicitAny: an answer is compared as a whole
  readonly answered: readonly { readonly request: Request; readonly answer: any }[]
}

export function factsOf(dump: string): Facts {
  return JSON.parse(readFileSync(fileOf(`${dump}.json`), 'utf8'))
}

/** A database with the migrations and rows of the dump, on the given server. */
export async function restore(server: Connection, dump: string, folder: string): Promise<Connection> {
  const { migrations, madeAt } = factsOf(dump)
  const database = `test_upgrade_${randomBytes(6).toString('hex')}`
  const connection = { ...server, database }
  await run({ ...server, database: 'switchyard' }, `create database ${database}`)
  await migrate(connection, keepOnly(migrations, folder))
  await run(connection, readFileSync(fileOf(`${dump}.sql`), 'utf8'))
  await run(connection, livingIn(database, madeAt))
  return connection
}

/**
 * The database of the dump lives on the day on which it was made, so that nothing expires. The service takes
 * its time from there.
 */
function livingIn(database: string, madeAt: string): string {
  const agoMs = Date.now() - Date.parse(madeAt)
  return `
    create schema past;
    create function past.clock_timestamp() returns timestamptz language sql volatile
      as $$ select pg_catalog.clock_timestamp() - interval '${agoMs} milliseconds' $$;
    -- The turn of the process that has just migrated has ended in a time that is yet to come.
    update schema_migrator set leased_until = '-infinity';
    alter database ${database} set search_path = public, past, pg_catalog;`
}

/** Folders like those of the migrations, with only those that the maker of the dump had. */
function keepOnly(migrations: readonly string[], folder: string): string[] {
  return MIGRATIONS.map((source, index) => {
    const target = join(folder, `migrations-${index}`)
    mkdirSync(target)
    for (const name of readdirSync(source)) {
      if (migrations.includes(name.replace('.sql', ''))) cpSync(join(source, name), join(target, name))
    }
    return target
  })
}

async function run(connection: Connection, sql: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

function fileOf(name: string): string {
  return join(import.meta.dirname, name)
}
